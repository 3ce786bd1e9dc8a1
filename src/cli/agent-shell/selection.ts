import type { Agent } from '../../agent/index.js';
import { UsageError } from '../failure.js';
import { nearest } from '../shell/parse-call.js';
import { listed, nobodyThere } from './why-not-there.js';

/** Which Computer the commands are about. */
export class Selection {
  readonly #agent: Pick<Agent, 'computers'>;
  readonly #office: string;
  #used: string | undefined;

  constructor(agent: Pick<Agent, 'computers'>, office: string) {
    this.#agent = agent;
    this.#office = office;
  }

  /** The one that was chosen; `undefined` when none was. */
  get used(): string | undefined {
    return this.#used;
  }

  /** The one that is meant where none is named: the chosen one, or the only one in the office. */
  get implied(): string | undefined {
    const { computers } = this.#agent;
    return this.#used ?? (computers.length === 1 ? computers[0] : undefined);
  }

  /** Chooses a Computer of the office. @throws UsageError saying who is there. */
  use(computer: string): void {
    const { computers } = this.#agent;
    if (!computers.includes(computer)) throw new UsageError(this.#noSuch(computer, computers));
    this.#used = computer;
  }

  /**
   * The Computer that a command is about.
   *
   * @param named - the one that it names, whether it is there or not.
   * @throws UsageError when none is named and there is not just one.
   */
  target(named?: string): string {
    const target = named ?? this.implied;
    if (target !== undefined) return target;
    const { computers } = this.#agent;
    throw new UsageError(
      computers.length === 0
        ? nobodyThere({ office: this.#office })
        : `which Computer? There is ${listed(computers)}: use COMPUTER, or --computer COMPUTER`,
    );
  }

  #noSuch(computer: string, computers: readonly string[]): string {
    if (computers.length === 0) return nobodyThere({ office: this.#office });
    const near = nearest(computer.toLowerCase(), computers);
    const meant = near === undefined ? '' : `; did you mean "${near}"?`;
    return `there is no Computer "${computer}"${meant === '' ? `; there is ${listed(computers)}` : meant}`;
  }
}
