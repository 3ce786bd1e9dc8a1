import { ConfigError, ServerNotFoundError, ServerStartError, type Computer } from '../../src/computer/index.js';
import type { ProcessMark } from '../support/processes.js';
import { textOf, type Faults } from './faults.js';
import type { Fleet } from './fleet.js';
import type { HttpServers } from './http-servers.js';
import type { Chance } from './random.js';

/** How long one act may take, in ms: a stop takes 6 s, a start that waits for its turn behind others somewhat longer. */
const ACT_MS = 60_000;
const PAUSE_MS = { least: 50, most: 600 } as const;

interface Act {
  readonly name: string;
  readonly weight: number;
  readonly act: (chance: Chance) => Promise<void>;
}

/** What havoc is wreaked on. */
export interface Victims {
  readonly computer: Computer;
  readonly fleet: Fleet;
  readonly http: HttpServers;
  readonly mark: ProcessMark;
  readonly faults: Faults;
}

/** Kills, restarts, stops, starts, reloads, removes and adds servers, at random and without waiting for one another. */
export class Havoc {
  /** How often each act was begun. */
  readonly acts = new Map<string, number>();
  readonly #victims: Victims;
  readonly #running = new Set<Promise<void>>();
  readonly #table: readonly Act[];
  #stopped = false;

  constructor(victims: Victims) {
    this.#victims = victims;
    this.#table = [...this.#violence(), ...this.#orders()];
  }

  /** Runs until it is stopped. @returns when the last act has come to its end. */
  async run(chance: Chance): Promise<void> {
    while (!this.#stopped) {
      const chosen = chance.weighted(this.#table);
      this.acts.set(chosen.name, (this.acts.get(chosen.name) ?? 0) + 1);
      const running = this.#watch(chosen, chance.fork()).finally(() => this.#running.delete(running));
      this.#running.add(running);
      await new Promise((resolve) => setTimeout(resolve, chance.integer(PAUSE_MS.least, PAUSE_MS.most)));
    }
    await Promise.all(this.#running);
  }

  /** No new acts from now on. */
  stop(): void {
    this.#stopped = true;
  }

  /** What is done to processes from outside. */
  #violence(): readonly Act[] {
    const { http, mark } = this.#victims;
    const signal = (chance: Chance, ...signals: readonly NodeJS.Signals[]): number | undefined => {
      const found = mark.list();
      if (found.length === 0) return undefined;
      const { pid } = chance.pick(found);
      return signals.every((name) => killed(pid, name)) ? pid : undefined;
    };
    return [
      { name: 'SIGKILL', weight: 10, act: (chance) => Promise.resolve(void signal(chance, 'SIGKILL')) },
      { name: 'SIGTERM', weight: 2, act: (chance) => Promise.resolve(void signal(chance, 'SIGTERM')) },
      {
        name: 'freeze',
        weight: 2,
        act: async (chance) => {
          const pid = signal(chance, 'SIGSTOP');
          await new Promise((resolve) => setTimeout(resolve, chance.integer(100, 3_000)));
          if (pid !== undefined) killed(pid, 'SIGCONT');
        },
      },
      {
        name: 'kill an HTTP server',
        weight: 1,
        act: (chance) => http.restart(chance.integer(0, http.urls.length - 1), chance.integer(0, 1_500)),
      },
    ];
  }

  /** What a user asks for. */
  #orders(): readonly Act[] {
    const { computer, fleet } = this.#victims;
    const names = Object.keys(fleet.members);
    return [
      { name: 'restart', weight: 4, act: (chance) => computer.restartServer(chance.pick(names)) },
      { name: 'start', weight: 8, act: (chance) => computer.startServer(chance.pick(names)) },
      {
        name: 'start everything',
        weight: 4,
        act: async () => {
          await computer.setConfig(fleet.whole());
          await Promise.allSettled(names.map((name) => computer.startServer(name)));
        },
      },
      { name: 'stop', weight: 4, act: (chance) => computer.stopServer(chance.pick(names)) },
      { name: 'disable', weight: 1, act: (chance) => computer.disableServer(chance.pick(names)) },
      { name: 'enable', weight: 4, act: (chance) => computer.enableServer(chance.pick(names)) },
      { name: 'reload', weight: 2, act: (chance) => computer.setConfig(fleet.variant(chance)) },
      { name: 'remove', weight: 1, act: (chance) => computer.removeServer(chance.pick(names)) },
      {
        name: 'add or update',
        weight: 3,
        act: async (chance) => {
          const name = chance.pick(names);
          const entry = fleet.entry(name, chance);
          const isThere = computer.servers().some(({ server }) => server === name);
          await (isThere ? computer.updateServer(name, entry) : computer.addServer(name, entry));
        },
      },
    ];
  }

  async #watch({ name, act }: Act, chance: Chance): Promise<void> {
    const { faults } = this.#victims;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        faults.add('an act did not come to an end', name);
        resolve();
      }, ACT_MS);
    });
    const done = act(chance).catch((error: unknown) => {
      const isFine =
        error instanceof ServerStartError || error instanceof ServerNotFoundError || error instanceof ConfigError;
      if (!isFine) faults.add(`an act failed: ${name}`, textOf(error));
    });
    await Promise.race([done, late]);
    clearTimeout(timer);
  }
}

/** @returns whether there was somebody to receive it. */
function killed(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}
