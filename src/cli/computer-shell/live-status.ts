import type { Computer } from '../../computer/index.js';
import { printable } from '../terminal/printable.js';
import { cutToWidth } from '../terminal/render-table.js';
import { progressText } from './progress-text.js';
import { ago } from '../terminal/show.js';

/** How often it is drawn, in milliseconds. */
const DRAW_MS = 200;
const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/** More lines would push the rest off a small screen. */
const MAX_LINES = 6;
/** What is over sooner would only flicker, in milliseconds. */
const SHORT_MS = 300;

/** Where the lines are drawn. */
interface Screen {
  setStatus(lines: readonly string[]): void;
}

/** Shows which MCP servers start and which calls run, as long as there are any. */
export class LiveStatus implements Disposable {
  readonly #computer: Computer;
  readonly #screen: Screen;
  readonly #width: () => number;
  readonly #stops: (() => void)[];
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;

  constructor(computer: Computer, screen: Screen, width: () => number) {
    this.#computer = computer;
    this.#screen = screen;
    this.#width = width;
    const look = (): void => {
      this.#timer ??= setInterval(() => {
        this.#draw();
      }, DRAW_MS);
    };
    this.#stops = [computer.on('serverState', look), computer.on('toolStarted', look), computer.on('toolCall', look)];
    look();
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop();
    clearInterval(this.#timer);
    this.#screen.setStatus([]);
  }

  #draw(): void {
    const now = Date.now();
    const lines = [...this.#starting(now), ...this.#running(now)];
    // A call that has only just begun is not shown yet.
    if (lines.length === 0 && this.#computer.runningCalls().length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    this.#frame += 1;
    const more = lines.length - MAX_LINES;
    const shown = more > 0 ? [...lines.slice(0, MAX_LINES - 1), `… and ${more + 1} more`] : lines;
    this.#screen.setStatus(shown.map((line) => cutToWidth(printable(line).replaceAll(/\s+/g, ' '), this.#width() - 1)));
  }

  #starting(now: number): string[] {
    const frame = FRAMES[this.#frame % FRAMES.length] ?? '';
    return this.#computer
      .servers()
      .filter(({ state }) => state === 'starting' || state === 'backing-off')
      .map(({ server, state, since }) => `${frame} ${server}: ${state}, ${ago(since, now)}`);
  }

  #running(now: number): string[] {
    const frame = FRAMES[this.#frame % FRAMES.length] ?? '';
    return this.#computer
      .runningCalls()
      .filter(({ since, state }) => state === 'running' && now - since > SHORT_MS)
      .map(({ agent, exposedName, since, progress }) => {
        const far = progress === undefined ? '' : `, ${progressText(progress)}`;
        return `${frame} ${agent} → ${exposedName}: ${ago(since, now)}${far}`;
      });
  }
}
