import type { Computer } from '../../computer/index.js';
import { UsageError } from '../failure.js';
import { stayInOffice } from '../stay-in-office.js';

/** Where a Computer goes unless it is told otherwise: what the command line said. */
export interface OfficeDefaults {
  readonly url?: string | undefined;
  readonly office?: string | undefined;
}

/** Whom to connect to, and how to get in. */
export interface Destination {
  readonly url?: string;
  readonly token?: string;
}

/** The connection of a Computer whose owner joins and leaves offices by hand: it comes back to the one wanted last. */
export class OfficeSession implements AsyncDisposable {
  readonly #computer: Computer;
  readonly #defaults: OfficeDefaults;
  readonly #onProblem: (problem: Error) => void;
  #url: string | undefined;
  /** The token that was typed for that Server. */
  #token: string | undefined;
  /** Where to be, also while there is no connection. */
  #wanted: { readonly office: string; readonly name?: string } | undefined;
  #stay: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;

  /** @param onProblem - gets why the office cannot be had any more. */
  constructor(computer: Computer, defaults: OfficeDefaults, onProblem: (problem: Error) => void) {
    this.#computer = computer;
    this.#defaults = defaults;
    this.#onProblem = onProblem;
    this.#url = defaults.url;
  }

  /** The Server that was connected to last, or is to be. */
  get url(): string | undefined {
    return this.#url;
  }

  /** The office that is joined again after each interruption; `undefined` when none is wanted. */
  get wanted(): string | undefined {
    return this.#wanted?.office;
  }

  /** Connects; then joins the office that was wanted. @throws what `Computer.connect` and `joinOffice` throw. */
  async connect({ url, token }: Destination, signal: AbortSignal): Promise<void> {
    const to = url ?? this.#url;
    if (to === undefined) throw new UsageError('URL is missing: where is the Server? such as http://127.0.0.1:8000');
    const { office } = this.#defaults;
    const wanted = this.#wanted ?? (office === undefined ? undefined : { office });
    const typed = token ?? (to === this.#url ? this.#token : undefined);
    await this.#endStay();
    await this.#computer.connect({ url: to, signal, ...(typed === undefined ? this.#tokenFor(to) : { token: typed }) });
    this.#url = to;
    this.#token = typed;
    if (wanted !== undefined) await this.join(wanted.office, wanted.name);
  }

  /** The token of the command line is for the Server of the command line: another one must not get to know it. */
  #tokenFor(url: string): { readonly token?: undefined } {
    const { url: own } = this.#defaults;
    return own === undefined || originOf(own) === originOf(url) ? {} : { token: undefined };
  }

  /** Joins an office and stays in it. @throws what `Computer.joinOffice` throws. */
  async join(office: string, name?: string): Promise<void> {
    await this.#endStay();
    await this.#computer.joinOffice(office, name === undefined ? {} : { name });
    const stop = new AbortController();
    const joinOffice = (id: string): Promise<void> => this.#computer.joinOffice(id, name === undefined ? {} : { name });
    const computer = this.#computer;
    const member = {
      get connected() {
        return computer.connected;
      },
      joinOffice,
      on: computer.on.bind(computer),
    };
    const ended = stayInOffice(member, office, { signal: stop.signal }).catch((error: unknown) => {
      this.#onProblem(error as Error);
    });
    this.#stay = { stop, ended };
    this.#wanted = { office, ...(name === undefined ? {} : { name }) };
  }

  /** Leaves the office for good. */
  async leave(): Promise<void> {
    this.#wanted = undefined;
    await this.#endStay();
    await this.#computer.leaveOffice();
  }

  /** Leaves, and ends the connection; the MCP servers go on. */
  async disconnect(): Promise<void> {
    await this.leave();
    await this.#computer.disconnect();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endStay();
  }

  async #endStay(): Promise<void> {
    const stay = this.#stay;
    this.#stay = undefined;
    stay?.stop.abort();
    await stay?.ended;
  }
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}
