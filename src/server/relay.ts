import {
  checkPayload,
  ErrorCode,
  ProtocolError,
  sendAck,
  toErrorPayload,
  type Ack,
  type CALL_EVENTS,
  type CallEvent,
  type ErrorPayload,
  type Incoming,
  type Payload,
} from '../protocol/index.js';
import { emitForAck, forgetAck } from './ack-slot.js';
import type { EventLog } from './event-log.js';
import type { Member, OfficeRegistry } from './office-registry.js';
import type { Session, Stay } from './session.js';
import type { TimerHandle, Timers } from './timers.js';

/** A row of the table of `client:*` events. */
type CallRow = (typeof CALL_EVENTS)[CallEvent];

/** What the relay works with. */
export interface RelayOptions {
  readonly registry: OfficeRegistry;
  /** The session of a connection. */
  readonly session: (sid: string) => Session | undefined;
  readonly log: EventLog;
  readonly timers: Timers;
}

/** A call that was judged and found well. */
interface Call {
  readonly caller: Session;
  /** The stay in which the caller asked: an answer that comes after it has left is dropped. */
  readonly stay: Stay;
  readonly event: CallEvent;
  readonly row: CallRow;
  readonly payload: Payload<CallEvent>;
  readonly ack: Ack | undefined;
}

/** A call that waits for its Computer's answer. */
interface PendingCall {
  readonly call: Call;
  readonly target: Session;
  ackId: number;
  timer: TimerHandle | undefined;
}

/**
 * Carries `client:*` events from an Agent to one Computer of its office, and the answer back. Payload and answer pass
 * unchanged; every call ends: with the answer, with 404 as soon as the Computer goes, or with 408. Protocol §3.1, §5.2.
 */
export class Relay {
  readonly #options: RelayOptions;
  /** Calls under way, by the Computer that has them. */
  readonly #pending = new Map<Session, Set<PendingCall>>();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Relays one event. Never throws: what is wrong with it goes back as its acknowledgement. */
  relay(caller: Session, event: CallEvent, row: CallRow, incoming: Incoming): void {
    try {
      const call = this.#judge(caller, event, row, incoming);
      const found = this.#options.registry.find(call.stay.member.officeId, call.payload.computer);
      if (found instanceof Promise) void this.#forwardLater(call, found);
      else this.#forward(call, found);
    } catch (error) {
      this.#refuse(caller, event, incoming.ack, error);
    }
  }

  /**
   * Ends the calls that a Computer has under way with 404, because it is no longer there.
   *
   * @param what - what happened to it, as in `Computer "x" disconnected during the call`.
   */
  dropTarget(target: Session, what: 'disconnected' | 'left the office'): void {
    const calls = this.#pending.get(target);
    if (calls === undefined) return;
    this.#pending.delete(target);
    for (const pending of calls) {
      const { computer } = pending.call.payload;
      const message = `Computer "${computer}" ${what} during the call`;
      this.#end(pending, new ProtocolError(ErrorCode.NotFound, message, { computer }));
    }
  }

  /** The checks of Protocol §3.1 in their order, but for the last, the Computer's name. */
  #judge(caller: Session, event: CallEvent, row: CallRow, incoming: Incoming): Call {
    const { stay } = caller;
    if (stay === undefined) throw new ProtocolError(ErrorCode.NotInRoom, 'Not in an office, join one first');
    if (stay.member.role !== row.from) {
      throw new ProtocolError(ErrorCode.Forbidden, `Only an Agent may send ${event}`);
    }
    const payload: Payload<CallEvent> = checkPayload(row.payload, incoming.payload);
    if (payload.agent !== stay.member.name) {
      this.#options.log.noted(caller, event, 'The agent field differs from the name in the session');
    }
    return { caller, stay, event, row, payload, ack: incoming.ack };
  }

  async #forwardLater(call: Call, found: Promise<Member | undefined>): Promise<void> {
    try {
      this.#forward(call, await found);
    } catch (error) {
      this.#refuse(call.caller, call.event, call.ack, error);
    }
  }

  #forward(call: Call, member: Member | undefined): void {
    // What a shared registry says may be old by the time it arrives: the sessions know who is in which office.
    if (call.caller.stay !== call.stay) throw leftDuringCall();
    const target = member === undefined ? undefined : this.#options.session(member.sid);
    if (target === undefined || target.closed || target.stay?.room !== call.stay.room) {
      const { computer } = call.payload;
      throw new ProtocolError(ErrorCode.NotFound, `No Computer named "${computer}" in this office`, { computer });
    }
    if (call.ack === undefined) {
      this.#options.log.noted(call.caller, call.event, 'Call relayed without asking for its answer');
      target.socket.emit(call.event, call.payload);
      return;
    }
    const pending: PendingCall = { call, target, ackId: -1, timer: undefined };
    pending.ackId = emitForAck(target.socket, call.event, call.payload, (...answer) => {
      this.#answer(pending, answer);
    });
    // The function takes the payload of its own row, by whose schema this one was judged.
    const waitSeconds = (call.row.waitSeconds as (payload: unknown) => number)(call.payload);
    pending.timer = this.#options.timers.start(this.#expire, waitSeconds * 1000, pending);
    const calls = this.#pending.get(target);
    if (calls === undefined) this.#pending.set(target, new Set([pending]));
    else calls.add(pending);
  }

  readonly #expire = (pending: PendingCall): void => {
    this.#pending.get(pending.target)?.delete(pending);
    const { computer } = pending.call.payload;
    const message = `Computer "${computer}" did not answer in time`;
    this.#end(pending, new ProtocolError(ErrorCode.Timeout, message, { computer }));
  };

  #answer(pending: PendingCall, answer: readonly unknown[]): void {
    // One that was ended before is no longer in the set, its answer came too late.
    if (this.#pending.get(pending.target)?.delete(pending) !== true) return;
    if (pending.timer !== undefined) this.#options.timers.stop(pending.timer);
    this.#reply(pending.call, answer);
  }

  /** Ends a call that gets no answer. */
  #end({ call, target, ackId, timer }: PendingCall, error: ProtocolError): void {
    if (timer !== undefined) this.#options.timers.stop(timer);
    forgetAck(target.socket, ackId);
    const payload = error.toPayload();
    this.#options.log.refused(call.caller, call.event, payload);
    this.#reply(call, [payload]);
  }

  #reply(call: Call, answer: readonly unknown[]): void {
    const { caller, stay, event, ack } = call;
    if (caller.closed) return;
    if (caller.stay === stay) sendAck(ack, answer, this.#onFailure(caller, event));
    else this.#refuse(caller, event, ack, leftDuringCall());
  }

  #refuse(caller: Session, event: CallEvent, ack: Ack | undefined, error: unknown): void {
    const onFailure = this.#onFailure(caller, event);
    const payload: ErrorPayload = toErrorPayload(error, onFailure);
    this.#options.log.refused(caller, event, payload);
    sendAck(ack, [payload], onFailure);
  }

  #onFailure(caller: Session, event: CallEvent): (error: unknown) => void {
    return (error) => {
      this.#options.log.failed(caller, event, error);
    };
  }
}

function leftDuringCall(): ProtocolError {
  return new ProtocolError(ErrorCode.NotInRoom, 'Left the office during the call');
}
