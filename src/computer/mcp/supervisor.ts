import { backoffDelay } from '../../client/index.js';
import { ServerStartError, type ConnectionEnding } from './mcp-errors.js';
import { finalStateAfter, type ServerState, type ServerStatus } from './server-state.js';
import { toStartError } from './upstream-error-map.js';

/** One run of a server, from its start to its end. */
export interface Session {
  /** How many tools it listed. */
  readonly tools: number;
  /** Settled when the session ends, for whatever reason. */
  readonly closed: Promise<ConnectionEnding>;
  /** Ends it; awaits the end of the process. */
  close(): Promise<void>;
}

/** When a server that ends is started again. */
export interface RestartPolicy {
  /** The wait before the first restart, in ms; doubled each time. @default 1000 */
  readonly minMs: number;
  /** The longest wait, in ms. @default 30000 */
  readonly maxMs: number;
  /** After so many restarts without a stable period it is a crash loop. @default 5 */
  readonly maxRestarts: number;
  /** A server that ran this long, in ms, has its restarts forgotten. @default 60000 */
  readonly stableMs: number;
}

/** The policy that counts where none is given. */
const DEFAULT_RESTARTS: RestartPolicy = { minMs: 1_000, maxMs: 30_000, maxRestarts: 5, stableMs: 60_000 };

/** What a {@link Supervisor} works with. */
export interface SupervisorOptions<S extends Session> {
  /** Starts a session. Must end soon, and leave nothing behind, when the signal aborts. */
  readonly launch: (signal: AbortSignal) => Promise<S>;
  /** The state is another one. Must not throw. */
  readonly onState: (status: ServerStatus) => void;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  /** @default {@link DEFAULT_RESTARTS} */
  readonly restarts?: Partial<RestartPolicy>;
  /** Between 0 and 1. @default Math.random */
  readonly random?: () => number;
  /** Ms since 1970. @default Date.now */
  readonly now?: () => number;
}

/** How much of the standard error stands in a reason, in characters: a stack trace and what comes before it. */
const MAX_WORDS = 1_000;

interface Run<S extends Session> {
  readonly abort: AbortController;
  started: Promise<void>;
  session?: S;
  runningSince: number;
}

/**
 * Keeps one server in the state that is wanted. Whatever is asked for, one thing is done at a time: a start waits until
 * the session before it is gone, and a start that was overtaken by a stop closes what it started.
 */
export class Supervisor<S extends Session> {
  readonly #options: SupervisorOptions<S>;
  readonly #policy: RestartPolicy;
  readonly #now: () => number;
  #status: ServerStatus;
  #run: Run<S> | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  /** Restarts since the last stable period. */
  #crashes = 0;
  #closed = false;

  constructor(options: SupervisorOptions<S>) {
    this.#options = options;
    this.#policy = { ...DEFAULT_RESTARTS, ...options.restarts };
    this.#now = options.now ?? Date.now;
    this.#status = { state: 'stopped', since: this.#now(), restarts: 0, tools: 0 };
  }

  get status(): ServerStatus {
    return this.#status;
  }

  /** The session, while the server runs. */
  get session(): S | undefined {
    return this.#run?.session;
  }

  /**
   * Starts the server, unless it runs or is being started: then it waits for that. Always possible, also in a crash
   * loop.
   *
   * @throws ServerStartError when it did not start; it may still be tried again, which the state tells.
   */
  start(): Promise<void> {
    if (this.#closed) return Promise.reject(new ServerStartError('cancelled', 'The server was removed'));
    if (this.#run !== undefined) return this.#run.started;
    this.#crashes = 0;
    return this.#begin(0);
  }

  /** Starts the server anew, from whatever state. Throws as {@link Supervisor.start}. */
  restart(): Promise<void> {
    if (this.#closed) return Promise.reject(new ServerStartError('cancelled', 'The server was removed'));
    this.#drop().catch(() => undefined);
    this.#crashes = 0;
    return this.#begin(0);
  }

  /**
   * Ends the server and what waits for a restart. @returns when nothing of it is left.
   *
   * @param state - the state from now on.
   */
  async stop(state: Extract<ServerState, 'stopped' | 'disabled'> = 'stopped'): Promise<void> {
    const gone = this.#drop();
    if (this.#status.state !== state) this.#set({ state, tools: 0, restarts: 0 });
    await gone;
  }

  /** Stops for good. */
  close(): Promise<void> {
    this.#closed = true;
    return this.stop();
  }

  /** Notes how many tools the running server lists now. */
  noteTools(tools: number): void {
    if (this.#run?.session !== undefined) this.#status = { ...this.#status, tools };
  }

  /** Shows a running server as `degraded`, with why; or as `running` again, without a reason. */
  setHealth(problem: string | undefined): void {
    if (this.#run?.session === undefined) return;
    const state = problem === undefined ? 'running' : 'degraded';
    const reason = problem === undefined ? undefined : this.#options.redact(problem);
    if (state !== this.#status.state || reason !== this.#status.reason) this.#set({ state, reason });
  }

  #begin(restarts: number): Promise<void> {
    clearTimeout(this.#timer);
    const run: Run<S> = { abort: new AbortController(), started: Promise.resolve(), runningSince: 0 };
    this.#run = run;
    this.#set({ state: 'starting', restarts });
    // Whoever hears of the state may stop it at once: the launch finds that out.
    run.started = this.#serially(() => this.#launch(run));
    run.started.catch(() => undefined);
    return run.started;
  }

  async #launch(run: Run<S>): Promise<void> {
    try {
      if (isOvertaken(run)) throw overtaken();
      const session = await this.#options.launch(run.abort.signal);
      if (isOvertaken(run)) {
        await session.close();
        throw overtaken();
      }
      this.#running(run, session);
    } catch (error) {
      const failure = toStartError(error);
      if (this.#run === run) this.#failed(failure);
      throw failure;
    }
  }

  #running(run: Run<S>, session: S): void {
    run.session = session;
    run.runningSince = this.#now();
    this.#set({ state: 'running', restarts: this.#status.restarts, tools: session.tools });
    void session.closed.then((ending) => {
      if (this.#run === run) this.#ended(run, session, ending);
    });
  }

  #failed(error: ServerStartError): void {
    this.#run = undefined;
    const state = finalStateAfter(error);
    const { failure, ending } = error;
    if (state === undefined) this.#backOff({ reason: error.message, failure, ...detailsOf(ending) });
    else this.#set({ state, reason: error.message, failure, ...detailsOf(ending), tools: 0 });
  }

  #ended(run: Run<S>, session: S, ending: ConnectionEnding): void {
    this.#run = undefined;
    if (this.#now() - run.runningSince >= this.#policy.stableMs) this.#crashes = 0;
    this.#serially(() => session.close()).catch(() => undefined);
    const { reason, refused } = ending;
    if (refused !== undefined) this.#set({ state: 'needs-login', reason, failure: refused, tools: 0 });
    else this.#backOff({ reason: ending.reason, ...detailsOf(ending) }, ending.sessionLost === true ? 0 : undefined);
  }

  /** Starts again after a while, unless that was done too often. */
  #backOff(why: Partial<ServerStatus>, waitMs?: number): void {
    const { maxRestarts, minMs, maxMs } = this.#policy;
    if (this.#crashes >= maxRestarts) {
      const times = this.#crashes === 0 ? 'once, and is not started again' : `${this.#crashes + 1} times in a row`;
      const reason = `It ended ${times}; the last time: ${why.reason ?? 'unknown'}`;
      this.#set({ ...why, reason, state: 'crash-loop', tools: 0 });
      return;
    }
    const wait = waitMs ?? backoffDelay(this.#crashes, { minMs, maxMs }, this.#options.random);
    this.#crashes += 1;
    this.#set({ ...why, state: 'backing-off' });
    if (this.#run !== undefined || this.#closed || this.#status.state !== 'backing-off') return;
    this.#timer = setTimeout(() => {
      void this.#begin(this.#status.restarts + 1);
    }, wait);
  }

  /** Leaves the present run behind. @returns when its session is gone. */
  #drop(): Promise<void> {
    clearTimeout(this.#timer);
    const run = this.#run;
    this.#run = undefined;
    run?.abort.abort(overtaken());
    return this.#serially(async () => {
      await run?.session?.close();
    });
  }

  #serially(action: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(action);
    this.#tail = done.catch(() => undefined);
    return done;
  }

  #set(change: Partial<ServerStatus> & { readonly state: ServerState }): void {
    const { restarts, tools } = this.#status;
    const { redact } = this.#options;
    const stderrTail = change.stderrTail === undefined ? undefined : redact(change.stderrTail);
    const reason = change.reason === undefined ? undefined : redact(change.reason) + lastWords(stderrTail);
    this.#status = {
      restarts,
      tools,
      ...change,
      ...(reason === undefined ? undefined : { reason }),
      ...(stderrTail === undefined ? undefined : { stderrTail }),
      since: this.#now(),
    };
    this.#options.onState(this.#status);
  }
}

/** Most servers say on their standard error what they lack: whoever reads why one is down is to see it at once. */
function lastWords(stderrTail: string | undefined): string {
  const words = (stderrTail ?? '').replace(/\s+/g, ' ').trim();
  if (words === '') return '';
  return `; its standard error ends with: ${words.length > MAX_WORDS ? `…${words.slice(-MAX_WORDS)}` : words}`;
}

/** Asked anew each time: it changes while we wait. */
function isOvertaken(run: Run<Session>): boolean {
  return run.abort.signal.aborted;
}

function overtaken(): ServerStartError {
  return new ServerStartError('cancelled', 'The start was overtaken by a stop');
}

function detailsOf(ending: ConnectionEnding | undefined): Partial<ServerStatus> {
  if (ending === undefined) return {};
  const { exitCode, signal, stderrTail } = ending;
  return {
    ...(exitCode === undefined ? undefined : { exitCode }),
    ...(signal === undefined ? undefined : { signal }),
    ...(stderrTail === undefined || stderrTail === '' ? undefined : { stderrTail }),
  };
}
