import type { Logger, SmcpTool } from '../protocol/index.js';
import { abortable, delay } from '../client/index.js';
import type { OfficeMember } from './answers.js';
import type { ToolCatalog } from './tool-catalog.js';

/** What the feeder needs. */
export interface CatalogFeederParts {
  readonly catalog: ToolCatalog;
  readonly listMembers: (signal: AbortSignal) => Promise<readonly OfficeMember[]>;
  readonly fetchTools: (computer: string, signal: AbortSignal) => Promise<readonly SmcpTool[]>;
  /** For how long notices about one Computer are gathered, in milliseconds. */
  readonly windowMs: number;
  readonly logger: Logger;
  readonly onEntered: (computer: string) => void;
  readonly onTools: (computer: string, tools: readonly SmcpTool[]) => void;
}

/** One stay of one Computer in the office. */
interface Stay {
  readonly computer: string;
  readonly stop: AbortController;
  fetching: Promise<void> | undefined;
  /** Whether what is being fetched is out of date already. */
  again: boolean;
}

/** One stay of the Agent in its office: whatever is still under way when it ends is dropped with it. */
interface Visit {
  readonly stop: AbortController;
  readonly stays: Map<string, Stay>;
  /** Who left since the visit began: a list of members that was made before then must not bring them back. */
  readonly gone: Set<string>;
}

/**
 * Keeps a {@link ToolCatalog} in step with the office: asks who is there on each join, fetches the tools of whoever
 * is there or comes, and fetches again when told that they changed; per Computer one fetch at a time, and at most one
 * more after it. Protocol §3.4.
 */
export class CatalogFeeder {
  readonly #parts: CatalogFeederParts;
  #visit: Visit | undefined;

  constructor(parts: CatalogFeederParts) {
    this.#parts = parts;
  }

  /** The Agent is in the office. Resolves when everything that was found there has been asked for its tools. */
  async joined(): Promise<void> {
    this.left();
    const visit: Visit = { stop: new AbortController(), stays: new Map(), gone: new Set() };
    this.#visit = visit;
    try {
      const members = await this.#parts.listMembers(visit.stop.signal);
      if (this.#visit !== visit) return;
      for (const { role, name } of members) {
        if (role === 'computer' && !visit.gone.has(name)) this.#admit(visit, name);
      }
    } catch (error) {
      if (this.#visit !== visit) return;
      this.#parts.logger.warn({ error: String(error) }, 'Could not list the members of the office');
    }
    await Promise.all([...visit.stays.values()].flatMap((stay) => stay.fetching ?? []));
  }

  /** The Agent is not in the office any more: forgets everything, and ignores what is still under way. */
  left(): void {
    const visit = this.#visit;
    this.#visit = undefined;
    this.#parts.catalog.clear();
    if (visit === undefined) return;
    visit.stop.abort();
    for (const stay of visit.stays.values()) stay.stop.abort();
  }

  /** A Computer came. One that is known already came again: its tools may be others. */
  entered(computer: string): void {
    this.changed(computer);
  }

  /** A Computer has gone. @returns whether it was known. */
  departed(computer: string): boolean {
    const visit = this.#visit;
    visit?.gone.add(computer);
    visit?.stays.get(computer)?.stop.abort();
    visit?.stays.delete(computer);
    return this.#parts.catalog.remove(computer);
  }

  /** The tools or the configuration of a Computer changed. One that is not known is taken in. */
  changed(computer: string): void {
    const visit = this.#visit;
    if (visit === undefined) return;
    const stay = visit.stays.get(computer);
    if (stay === undefined) this.#admit(visit, computer);
    else if (stay.fetching === undefined) this.#start(stay, this.#parts.windowMs);
    else stay.again = true;
  }

  #admit(visit: Visit, computer: string): void {
    if (!this.#parts.catalog.add(computer)) return;
    visit.gone.delete(computer);
    const stay: Stay = { computer, stop: new AbortController(), fetching: undefined, again: false };
    visit.stays.set(computer, stay);
    this.#parts.onEntered(computer);
    this.#start(stay, 0);
  }

  #start(stay: Stay, waitMs: number): void {
    stay.fetching = this.#fetchUntilCurrent(stay, waitMs).finally(() => {
      stay.fetching = undefined;
    });
  }

  async #fetchUntilCurrent(stay: Stay, waitMs: number): Promise<void> {
    let wait = waitMs;
    do {
      try {
        if (wait > 0) await delay(wait, stay.stop.signal);
        // What was announced until now is in the answer.
        stay.again = false;
        const { signal } = stay.stop;
        const tools = await abortable(this.#parts.fetchTools(stay.computer, signal), signal);
        if (signal.aborted) return;
        this.#parts.catalog.setTools(stay.computer, tools);
        this.#parts.onTools(stay.computer, tools);
      } catch (error) {
        if (stay.stop.signal.aborted) return;
        this.#parts.logger.warn({ computer: stay.computer, error: String(error) }, 'Could not fetch the tools');
      }
      wait = this.#parts.windowMs;
    } while (stay.again);
  }
}
