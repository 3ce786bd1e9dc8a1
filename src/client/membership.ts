import { isName, readErrorAck, type Logger, type Role } from '../protocol/index.js';
import { backoffDelay, type Backoff } from './backoff.js';
import { ConnectionError, JoinRefusedError, RequestTimeoutError } from './errors.js';
import type { Link } from './link.js';
import { delay } from './wait.js';

/** An office, and the name that this client has in it. */
export interface Membership {
  readonly officeId: string;
  readonly name: string;
}

/** What the keeper tells its owner. None of the functions may throw. */
export interface MembershipHooks {
  readonly onJoined: (membership: Membership & { readonly rejoined: boolean }) => void;
  readonly onLeft: (membership: Membership) => void;
  readonly onRejoinFailed: (error: Error) => void;
}

/** What the keeper needs to know. */
export interface MembershipSettings {
  readonly role: Role;
  readonly joinTimeoutMs: number;
  readonly rejoinForMs: number;
  readonly backoff: Backoff;
  readonly logger: Logger;
}

/**
 * Which office this client is in, and wants to be in: joins, leaves, and joins again on each new link. Requests run
 * one after the other, so that a leave that follows a join is also handled after it. Protocol §3.2, §3.4.
 */
export class MembershipKeeper {
  readonly #settings: MembershipSettings;
  readonly #hooks: MembershipHooks;
  #link: Link | undefined;
  /** Where to be again after a reconnect. */
  #wanted: Membership | undefined;
  /** Where this client is, on the present link. */
  #current: Membership | undefined;
  #rejoin: AbortController | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(settings: MembershipSettings, hooks: MembershipHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
  }

  /** The office that this client is in; `undefined` before the join, while disconnected, and until the rejoin. */
  get current(): Membership | undefined {
    return this.#current;
  }

  /**
   * Joins an office. It is an error at once when the Server refuses; a rejoin that was still being tried is given up.
   *
   * @throws TypeError when a name breaks the rules, JoinRefusedError, ConnectionError, RequestTimeoutError
   */
  async join(membership: Membership): Promise<void> {
    checkName('officeId', membership.officeId);
    checkName('name', membership.name);
    this.#stopRejoin();
    await this.#inTurn(async () => {
      await this.#request(membership);
      const before = this.#current;
      this.#enter(membership);
      if (before !== undefined && before.officeId !== membership.officeId) this.#hooks.onLeft(before);
      this.#hooks.onJoined({ ...membership, rejoined: false });
    });
  }

  /**
   * Leaves the office; does nothing when there is none. A Server that says that this client is in no office is right.
   *
   * @throws RequestTimeoutError when the Server did not answer; the connection is then made anew, outside the office.
   */
  async leave(): Promise<void> {
    this.#stopRejoin();
    this.#wanted = undefined;
    await this.#inTurn(async () => {
      const membership = this.#current;
      if (membership === undefined || this.#link === undefined) return;
      try {
        const ack = await this.#exchange('server:leave_office', { office_id: membership.officeId });
        const refusal = refusedReason(ack);
        if (refusal !== undefined) this.#settings.logger.warn({ reason: refusal.reason }, 'Leaving was refused');
      } catch (error) {
        // Without a connection the Server has let this client go already.
        if (!(error instanceof ConnectionError)) throw error;
      } finally {
        this.#current = undefined;
        this.#hooks.onLeft(membership);
      }
    });
  }

  /** A new link is up: joins again where this client was. */
  linkUp(link: Link): void {
    this.#link = link;
    if (this.#wanted === undefined) return;
    const stop = new AbortController();
    this.#rejoin = stop;
    void this.#rejoinUntilIn(this.#wanted, stop.signal);
  }

  /** The link has gone, and the membership with it. */
  linkDown(): void {
    this.#link = undefined;
    this.#current = undefined;
    this.#rejoin?.abort();
    this.#rejoin = undefined;
  }

  /** Forgets everything and stops rejoining. */
  close(): void {
    this.linkDown();
    this.#wanted = undefined;
  }

  /** A join or a leave of the application takes the place of a rejoin under way. */
  #stopRejoin(): void {
    if (this.#rejoin === undefined) return;
    this.#rejoin.abort();
    this.#rejoin = undefined;
    this.#wanted = undefined;
  }

  async #rejoinUntilIn(membership: Membership, stop: AbortSignal): Promise<void> {
    const deadline = Date.now() + this.#settings.rejoinForMs;
    for (let attempt = 0; ; attempt++) {
      const error = await this.#rejoinOnce(membership, stop);
      if (error === undefined || stop.aborted) return;
      const leftMs = deadline - Date.now();
      if (leftMs <= 0) {
        this.#giveUp(error);
        return;
      }
      this.#settings.logger.warn({ error: error.message, office_id: membership.officeId }, 'The rejoin was refused');
      await delay(Math.min(leftMs, backoffDelay(attempt, this.#settings.backoff)), stop).catch(() => undefined);
    }
  }

  /** @returns why it failed, or `undefined` when it is in, or is not wanted any more. */
  #rejoinOnce(membership: Membership, stop: AbortSignal): Promise<Error | undefined> {
    return this.#inTurn(async () => {
      if (stop.aborted) return undefined;
      try {
        await this.#request(membership);
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      }
      this.#enter(membership);
      this.#rejoined(membership);
      return undefined;
    });
  }

  #rejoined(membership: Membership): void {
    // Without a rejoin under way a leave or a join is waiting for its turn; it finds the membership that it has to end.
    if (this.#rejoin === undefined) this.#wanted = undefined;
    this.#rejoin = undefined;
    this.#hooks.onJoined({ ...membership, rejoined: true });
  }

  #giveUp(error: Error): void {
    this.#rejoin = undefined;
    this.#wanted = undefined;
    this.#hooks.onRejoinFailed(error);
  }

  #enter(membership: Membership): void {
    this.#current = { ...membership };
    this.#wanted = this.#current;
  }

  async #request({ officeId, name }: Membership): Promise<void> {
    const link = this.#link;
    const ack = await this.#exchange('server:join_office', { role: this.#settings.role, name, office_id: officeId });
    const refusal = refusedReason(ack);
    if (refusal !== undefined) throw new JoinRefusedError(officeId, refusal.reason, refusal.code);
    // The link may have gone between the answer and this line.
    if (link !== this.#link) throw new ConnectionError('The connection to the Server was lost while joining');
  }

  async #exchange(event: string, payload: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
    const link = this.#link;
    if (link === undefined) throw new ConnectionError('Not connected to the Server');
    try {
      return await link.exchange(event, payload, { timeoutMs: this.#settings.joinTimeoutMs });
    } catch (error) {
      // Whether the Server counts this client in is unknown now; a new connection starts outside every office.
      if (error instanceof RequestTimeoutError) link.abandon(`${event} was not answered`);
      throw error;
    }
  }

  async #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

function checkName(option: string, value: string): void {
  if (typeof value !== 'string' || !isName(value)) {
    throw new TypeError(`${option} must be 1 to 256 characters, not blank, without control characters`);
  }
}

/**
 * Reads the acknowledgement of a join or a leave: `true, null` or `false, "reason (code)"`; also as one list, and as
 * an error object, which some peers send.
 *
 * @returns why it was refused, or `undefined` when it was not.
 */
export function refusedReason(ack: readonly unknown[]): { reason: string; code?: number } | undefined {
  const args: readonly unknown[] = ack.length === 1 && Array.isArray(ack[0]) ? ack[0] : ack;
  const [ok, why] = args;
  if (ok === true) return undefined;
  const error = readErrorAck(ok) ?? readErrorAck(why);
  if (error !== undefined) return { reason: error.message, code: error.code };
  if (ok !== false) return { reason: 'the Server answered in an unknown form' };
  const reason = typeof why === 'string' && why !== '' ? why : 'no reason given';
  const code = /\((\d+)\)\s*$/.exec(reason)?.[1];
  return code === undefined ? { reason } : { reason, code: Number(code) };
}
