import { ProtocolVersionError } from '../protocol/index.js';
import { backoffDelay } from './backoff.js';
import type { ConnectionSettings } from './connection-options.js';
import { ConnectionError } from './errors.js';
import { Link } from './link.js';
import { linkedSignal } from './linked-signal.js';
import type { Refusal } from './refusal.js';
import { abortable, delay, reasonOf } from './wait.js';

/** What the keeper tells its owner. None of the functions may throw. */
export interface LinkKeeperHooks {
  readonly onUp: (link: Link) => void;
  readonly onDown: (reason: string) => void;
  /** A reconnect met a Server of another protocol version; no more attempts are made. */
  readonly onRefused: (error: ProtocolVersionError) => void;
  readonly onEvent: (event: string, args: readonly unknown[]) => void;
}

/**
 * Keeps one link to the Server: dials, and dials again with backoff whenever the link has gone, whoever ended it.
 * Only a refused protocol version ends that. Protocol §2.2, §3.4.
 */
export class LinkKeeper {
  readonly #settings: ConnectionSettings;
  readonly #hooks: LinkKeeperHooks;
  readonly #stop = new AbortController();
  #link: Link | undefined;
  #dialling: Promise<void> | undefined;
  #failures = 0;
  #upSince = 0;

  constructor(settings: ConnectionSettings, hooks: LinkKeeperHooks) {
    this.#settings = settings;
    this.#hooks = hooks;
  }

  /** The link that is up. */
  get link(): Link | undefined {
    return this.#link;
  }

  /**
   * Resolves once a link is up: dials, or waits for the attempts under way. The signal ends the attempts that this
   * very call began, or only its wait for others.
   *
   * @throws ConnectionError, ProtocolVersionError, the signal's reason
   */
  async connect(signal: AbortSignal | undefined): Promise<void> {
    if (this.#stop.signal.aborted) throw new ConnectionError('The connection was closed');
    if (this.#link !== undefined) return;
    if (this.#dialling !== undefined) return abortable(this.#dialling, signal);
    const stop = linkedSignal([this.#stop.signal, signal]);
    this.#failures = 0;
    try {
      await this.#hold(this.#dialUntilUp(stop.signal, (refusal) => this.#settings.retryFirstConnect && !refusal.final));
    } finally {
      stop.release();
    }
  }

  /** Ends the link and every attempt. Idempotent. */
  async close(): Promise<void> {
    this.#stop.abort(new ConnectionError('The connection was closed'));
    const link = this.#link;
    this.#link = undefined;
    await link?.close();
    await this.#dialling?.catch(() => undefined);
  }

  #hold(attempts: Promise<void>): Promise<void> {
    const dialling = attempts.finally(() => {
      this.#dialling = undefined;
    });
    this.#dialling = dialling;
    return dialling;
  }

  async #dialUntilUp(signal: AbortSignal, again: (refusal: Refusal) => boolean): Promise<void> {
    for (;;) {
      const refusal = await this.#attempt(signal);
      if (refusal === undefined) return;
      const { error } = refusal;
      if (error instanceof ProtocolVersionError || !again(refusal)) throw error;
      await this.#pause(error.message, signal);
    }
  }

  async #attempt(signal: AbortSignal): Promise<Refusal | undefined> {
    const link = this.#newLink();
    const refusal = await link.open(signal);
    if (refusal !== undefined) return refusal;
    if (signal.aborted) {
      await link.close();
      throw reasonOf(signal);
    }
    if (!link.isUp) return { error: new ConnectionError('The Server ended the connection at once'), final: false };
    this.#link = link;
    this.#upSince = Date.now();
    this.#hooks.onUp(link);
    return undefined;
  }

  async #pause(reason: string, signal: AbortSignal): Promise<void> {
    const waitMs = backoffDelay(this.#failures++, this.#settings.reconnect);
    this.#settings.logger.warn({ reason, retry_in_ms: Math.round(waitMs) }, 'Not connected to the Server');
    await delay(waitMs, signal);
  }

  #newLink(): Link {
    const link: Link = new Link(this.#settings, {
      onEvent: this.#hooks.onEvent,
      onDropped: (reason) => {
        this.#dropped(link, reason);
      },
    });
    return link;
  }

  #dropped(link: Link, reason: string): void {
    if (link !== this.#link) return;
    this.#link = undefined;
    // A Server that ends every connection at once must not be dialled at the shortest interval for ever.
    if (Date.now() - this.#upSince > this.#settings.reconnect.maxMs) this.#failures = 0;
    this.#hooks.onDown(reason);
    if (!this.#stop.signal.aborted) void this.#reconnect(reason);
  }

  async #reconnect(reason: string): Promise<void> {
    const { signal } = this.#stop;
    try {
      const again = this.#pause(reason, signal).then(() => this.#dialUntilUp(signal, () => true));
      await this.#hold(again);
    } catch (error) {
      if (error instanceof ProtocolVersionError) this.#hooks.onRefused(error);
      else if (!signal.aborted) this.#settings.logger.error({ error: String(error) }, 'Gave up reconnecting');
    }
  }
}
