import type { Agent } from '../../agent/index.js';
import { printable } from '../terminal/printable.js';
import type { Terminal } from '../terminal/terminal.js';
import { watchAgent, type ToldEvent } from './watched-events.js';

/** Tells of what happens in the office as it comes; of the connection always. */
export class EventFeed implements Disposable {
  /** Whether all is told, or only what becomes of the connection. */
  on: boolean;
  readonly #terminal: Terminal;
  readonly #json: boolean;
  readonly #stop: () => void;
  #last = '';

  constructor(
    agent: Pick<Agent, 'on'>,
    { terminal, json, on }: { readonly terminal: Terminal; readonly json: boolean; readonly on: boolean },
  ) {
    this.#terminal = terminal;
    this.#json = json;
    this.on = on;
    this.#stop = watchAgent(agent, (event) => {
      this.#tell(event);
    });
  }

  /** From now on also what was told last is news. */
  refresh(): void {
    this.#last = '';
  }

  [Symbol.dispose](): void {
    this.#stop();
  }

  #tell({ name, fields, sentence, vital }: ToldEvent): void {
    if (!this.on && !vital) return;
    if (this.#json) {
      this.#terminal.json({ event: name, ...fields });
      return;
    }
    // A desktop that changes each second would fill the screen with one sentence.
    if (sentence === this.#last) return;
    this.#last = sentence;
    this.#terminal.note(this.#terminal.style(vital ? 'yellow' : 'dim', printable(sentence)));
  }
}
