import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** How many lines are kept; twice as many are let grow before the file is cut. */
const KEPT = 1_000;

/** The lines that were typed in shells of one kind, in a file that only its owner can read. */
export class HistoryFile {
  readonly #file: string;
  readonly #onProblem: (problem: string) => void;
  #failed = false;

  /** @param onProblem - gets why the file cannot be read or written, once. */
  constructor(file: string, onProblem: (problem: string) => void) {
    this.#file = file;
    this.#onProblem = onProblem;
  }

  /** The lines, the newest first, none twice. */
  load(): string[] {
    const lines = this.#read();
    if (lines.length > 2 * KEPT)
      this.#guarded(() => {
        this.#replace(lines.slice(-KEPT));
      });
    return [...new Set(lines.reverse())].slice(0, KEPT);
  }

  /** Adds a line. Several shells may share the file. */
  add(line: string): void {
    this.#guarded(() => {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      appendFileSync(this.#file, `${line}\n`, { mode: 0o600 });
    });
  }

  #read(): string[] {
    try {
      return readFileSync(this.#file, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#tell(error);
      return [];
    }
  }

  #replace(lines: readonly string[]): void {
    const part = `${this.#file}.part`;
    writeFileSync(part, `${lines.join('\n')}\n`, { mode: 0o600 });
    renameSync(part, this.#file);
  }

  #guarded(act: () => void): void {
    if (this.#failed) return;
    try {
      act();
    } catch (error) {
      this.#tell(error);
    }
  }

  #tell(error: unknown): void {
    this.#failed = true;
    this.#onProblem(`${this.#file}: ${(error as Error).message}; lines are not kept`);
  }
}
