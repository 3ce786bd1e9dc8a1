import { isJsonObject, jsonByteLength, type Logger } from '../protocol/index.js';
import type { Session } from './session.js';

/** Loggers such as pino tell which levels they write. */
interface LevelAware {
  isLevelEnabled(level: string): boolean;
}

function isLevelAware(logger: object): logger is LevelAware {
  return 'isLevelEnabled' in logger && typeof logger.isLevelEnabled === 'function';
}

/** How much of a name that a peer sent is shown. */
const SHOWN_LENGTH = 100;

/** What a peer chose, if it is a text at all: anything else could hold a whole payload. */
function shown(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return value.length > SHOWN_LENGTH ? `${value.slice(0, SHOWN_LENGTH)}…` : value;
}

function sizeOf(payload: unknown): number | undefined {
  try {
    return jsonByteLength(payload);
  } catch {
    return undefined;
  }
}

/** What of an event may be written down: never its payload. */
function describe(session: Session, event: unknown, payload: unknown): Record<string, unknown> {
  return {
    event: typeof event === 'string' ? shown(event) : typeof event,
    req_id: isJsonObject(payload) ? shown(payload['req_id']) : undefined,
    sid: session.sid,
    name: session.stay?.member.name,
    office_id: session.stay?.member.officeId,
  };
}

/** Writes the Server's events down: which, by whom, how large; never what is in them. */
export class EventLog {
  readonly #logger: Logger;
  readonly #silent: boolean;

  /**
   * @param logger - where to write.
   * @param silent - whether nobody reads the log, so that nothing needs to be measured for it.
   */
  constructor(logger: Logger, silent: boolean) {
    this.#logger = logger;
    this.#silent = silent;
  }

  /** Whether it is worth to gather what only debug lines show. */
  get #debugs(): boolean {
    return !this.#silent && (!isLevelAware(this.#logger) || this.#logger.isLevelEnabled('debug'));
  }

  /** An event came in. */
  received(session: Session, event: unknown, payload: unknown): void {
    if (!this.#debugs) return;
    this.#logger.debug({ ...describe(session, event, payload), size: sizeOf(payload) }, 'Event received');
  }

  /** A notice goes out to the rest of an office. */
  notified(session: Session, event: string): void {
    if (this.#debugs) this.#logger.debug(describe(session, event, undefined), 'Notice sent');
  }

  /** Something worth a debug line about one event. */
  noted(session: Session, event: string, message: string): void {
    if (this.#debugs) this.#logger.debug(describe(session, event, undefined), message);
  }

  /** An event was refused, or a call failed. */
  refused(session: Session, event: unknown, error: { readonly code: number; readonly message: string }): void {
    if (this.#silent) return;
    const { code, message } = error;
    this.#logger.warn({ ...describe(session, event, undefined), code, reason: shown(message) }, 'Event refused');
  }

  /** Something that was not foreseen. */
  failed(session: Session, event: unknown, error: unknown): void {
    this.#logger.error({ ...describe(session, event, undefined), err: error }, 'Event failed');
  }
}
