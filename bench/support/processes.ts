import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** The variable that marks every process of a run, whoever its parent is. */
const MARK = 'A2C_BENCH_RUN';

/** A process of a run. */
export interface MarkedProcess {
  readonly pid: number;
  readonly command: string;
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // It has ended meanwhile, or is another user's.
    return '';
  }
}

function fromProc(mark: string): MarkedProcess[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => readOrNothing(`/proc/${pid}/environ`).includes(mark))
    .map((pid) => ({
      pid: Number(pid),
      command: readOrNothing(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
    }));
}

function fromPs(mark: string): MarkedProcess[] {
  const { stdout } = spawnSync('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => line.includes(mark))
    .map((line) => ({ pid: Number.parseInt(line, 10), command: line.trim() }));
}

/**
 * Finds the processes of one run by a variable in their environment, which children hand on: also those whose parent
 * has died, which no tree shows any more. Linux (/proc) and macOS (ps).
 */
export class ProcessMark {
  /** What is to be added to the environment of the servers. */
  readonly env: Readonly<Record<string, string>>;
  readonly #text: string;

  constructor() {
    const id = randomUUID();
    this.env = { [MARK]: id };
    this.#text = `${MARK}=${id}`;
  }

  /** The processes that live now. */
  list(): readonly MarkedProcess[] {
    return process.platform === 'linux' ? fromProc(this.#text) : fromPs(this.#text);
  }
}
