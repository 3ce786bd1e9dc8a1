import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import xterm from '@xterm/headless';
import { Terminal } from '../../src/cli/terminal/terminal.js';

/** A keyboard: what is typed arrives key by key. */
class KeyboardStream extends PassThrough {
  readonly isTTY = true;
  raw = false;

  setRawMode(raw: boolean): void {
    this.raw = raw;
  }
}

/** A terminal in memory: it shows what a person would see after all cursor movements, wrapping and erasing. */
export class Monitor implements Disposable {
  readonly keyboard = new KeyboardStream();
  /** What stdout and stderr are: both end on the screen. */
  readonly output: MonitorOutput;
  /** What commands print through. */
  readonly terminal: Terminal;
  /** Everything that was ever written, control sequences included. */
  written = '';
  readonly #screen: xterm.Terminal;
  readonly #changes = new EventEmitter();

  /** @param reflows - whether it wraps anew what stands in the row of the cursor when it is resized. */
  constructor({ columns = 40, rows = 12, reflows = true } = {}) {
    this.#screen = new xterm.Terminal({
      cols: columns,
      rows,
      convertEol: true,
      reflowCursorLine: reflows,
      allowProposedApi: true,
    });
    this.output = new MonitorOutput(columns, (text) => {
      this.written += text;
      this.#screen.write(text, () => {
        this.#changes.emit('change');
      });
    });
    this.terminal = new Terminal(this.output, this.output, false);
  }

  /** Types keys as a terminal sends them, one after the other, as a person does. */
  async type(...keys: string[]): Promise<void> {
    for (const key of keys.flatMap((text) => (text.startsWith('\u001B') ? [text] : Array.from(text)))) {
      this.keyboard.push(key);
      await this.settle();
    }
  }

  /** Gives up the terminal: no key will come any more. */
  async hangUp(): Promise<void> {
    this.keyboard.push(null);
    await this.settle();
  }

  /** Makes it wider or narrower; what stands there is wrapped anew, as most terminals do. */
  async resize(columns: number): Promise<void> {
    await this.settle();
    this.#screen.resize(columns, this.#screen.rows);
    this.output.resizeTo(columns);
    await this.settle();
  }

  /** The rows of the screen, without blanks at their ends and without the empty ones at its end. */
  async rows(): Promise<string[]> {
    await this.settle();
    const { active } = this.#screen.buffer;
    const rows = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString() ?? '');
    return rows
      .map((row) => row.trimEnd())
      .join('\n')
      .trimEnd()
      .split('\n');
  }

  /** Where the cursor is, from 0 on. */
  async cursor(): Promise<{ row: number; column: number }> {
    await this.settle();
    const { baseY, cursorX, cursorY } = this.#screen.buffer.active;
    return { row: baseY + cursorY, column: cursorX };
  }

  /** Waits until the screen shows it. */
  async shows(text: string): Promise<void> {
    while (!(await this.rows()).join('\n').includes(text)) {
      await new Promise((resolve) => this.#changes.once('change', resolve));
    }
  }

  [Symbol.dispose](): void {
    this.#screen.dispose();
    this.keyboard.destroy();
  }

  /** Until keys have arrived and what they led to is on the screen. */
  async settle(): Promise<void> {
    for (let turns = 0; turns < 3; turns += 1) await turn();
    await new Promise<void>((resolve) => {
      this.#screen.write('', resolve);
    });
  }
}

/** A stream that knows how wide its terminal is. */
class MonitorOutput extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  readonly #write: (text: string) => void;

  constructor(columns: number, write: (text: string) => void) {
    super();
    this.columns = columns;
    this.#write = write;
  }

  write(text: string | Uint8Array): boolean {
    this.#write(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'));
    return true;
  }

  resizeTo(columns: number): void {
    this.columns = columns;
    this.emit('resize');
  }
}
