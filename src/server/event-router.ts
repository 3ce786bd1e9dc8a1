import {
  checkPayload,
  ErrorCode,
  ProtocolError,
  readIncoming,
  sendAck,
  toErrorPayload,
  type CALL_EVENTS,
  type CallEvent,
  type COMMAND_EVENTS,
  type CommandEvent,
  type Incoming,
  type NoticeEvent,
  type Outcome,
  type Payload,
  type ProtocolProfile,
} from '../protocol/index.js';
import type { EventLog } from './event-log.js';
import type { OfficeHandlers } from './office-handlers.js';
import type { Relay } from './relay.js';
import type { Session, Stay } from './session.js';
import type { UpdateEvent, Updates } from './updates.js';

type CallRow = (typeof CALL_EVENTS)[CallEvent];
type CommandRow = (typeof COMMAND_EVENTS)[CommandEvent] & { readonly notice?: NoticeEvent };

/** What the router works with. */
export interface EventRouterOptions {
  readonly profile: ProtocolProfile;
  readonly relay: Relay;
  readonly offices: OfficeHandlers;
  readonly updates: Updates;
  readonly log: EventLog;
}

/** Whatever a client sends goes through here: to the relay, to a command, or back with an error. Protocol §3, §5.2. */
export class EventRouter {
  readonly #options: EventRouterOptions;
  readonly #calls: ReadonlyMap<unknown, readonly [CallEvent, CallRow]>;
  readonly #commands: ReadonlyMap<unknown, readonly [CommandEvent, CommandRow]>;

  constructor(options: EventRouterOptions) {
    this.#options = options;
    const { calls, commands } = options.profile;
    this.#calls = new Map(Object.entries(calls).map(([event, row]) => [event, [event as CallEvent, row]]));
    this.#commands = new Map(Object.entries(commands).map(([event, row]) => [event, [event as CommandEvent, row]]));
  }

  /**
   * Takes an event as Socket.IO gives it: its name, its arguments, at the end the acknowledgement if one is wanted.
   * Events that come while a join or leave of the same connection is under way wait for it. Never throws.
   */
  receive(session: Session, args: readonly unknown[]): void {
    if (!session.defer(args)) this.#handle(session, args);
  }

  #handle(session: Session, args: readonly unknown[]): void {
    const event = args[0];
    const incoming = readIncoming(args.slice(1));
    this.#options.log.received(session, event, incoming.payload);
    const call = this.#calls.get(event);
    if (call !== undefined) {
      this.#options.relay.relay(session, call[0], call[1], incoming);
      return;
    }
    const command = this.#commands.get(event);
    if (command === undefined) {
      this.#refuse(session, event, incoming, unknownEvent(event));
      return;
    }
    const [name, row] = command;
    if (row.ack === 'outcome') session.track(this.#changePlace(session, name, incoming));
    else void this.#command(session, name, row, incoming);
  }

  /** Join and leave: one after the other, everything else of the connection waits. */
  async #changePlace(session: Session, event: CommandEvent, incoming: Incoming): Promise<void> {
    const { offices, profile, log } = this.#options;
    session.hold();
    let outcome: Outcome;
    try {
      outcome = await (event === 'server:join_office'
        ? offices.join(session, incoming.payload)
        : offices.leave(session, incoming.payload));
    } catch (error) {
      log.failed(session, event, error);
      outcome = { ok: false, reason: `Internal error (${ErrorCode.Internal})` };
    }
    if (!outcome.ok)
      log.refused(session, event, { code: Number(/\((\d+)\)$/.exec(outcome.reason)?.[1]), message: outcome.reason });
    this.#answer(session, event, incoming, profile.encodeOutcome(outcome));
    for (const args of session.resume()) this.receive(session, args);
  }

  async #command(session: Session, event: CommandEvent, row: CommandRow, incoming: Incoming): Promise<void> {
    try {
      const { stay } = session;
      if (stay === undefined) throw new ProtocolError(ErrorCode.NotInRoom, 'Not in an office, join one first');
      if (row.from !== 'both' && row.from !== stay.member.role) {
        throw new ProtocolError(
          ErrorCode.Forbidden,
          `Only ${row.from === 'agent' ? 'an Agent' : 'a Computer'} may send ${event}`,
        );
      }
      const payload = checkPayload(row.payload, incoming.payload);
      this.#answer(session, event, incoming, await this.#act(session, stay, row, payload));
    } catch (error) {
      this.#refuse(session, event, incoming, error);
    }
  }

  /** @returns the arguments of the acknowledgement. */
  async #act(session: Session, stay: Stay, row: CommandRow, payload: unknown): Promise<readonly unknown[]> {
    const { offices, updates } = this.#options;
    if (row.notice === undefined) return [await offices.listRoom(stay, payload as Payload<'server:list_room'>)];
    updates.update(session, stay, row.notice, payload as Payload<UpdateEvent>);
    return [];
  }

  #answer(session: Session, event: unknown, { ack }: Incoming, args: readonly unknown[]): void {
    sendAck(ack, args, (error) => {
      this.#options.log.failed(session, event, error);
    });
  }

  #refuse(session: Session, event: unknown, incoming: Incoming, error: unknown): void {
    const payload = toErrorPayload(error, (cause) => {
      this.#options.log.failed(session, event, cause);
    });
    this.#options.log.refused(session, event, payload);
    this.#answer(session, event, incoming, [payload]);
  }
}

function unknownEvent(event: unknown): ProtocolError {
  if (typeof event === 'string' && event.startsWith('notify:')) {
    return new ProtocolError(ErrorCode.Forbidden, 'Only the Server may send notify:* events');
  }
  return new ProtocolError(ErrorCode.BadRequest, 'Unknown event');
}
