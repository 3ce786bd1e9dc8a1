import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';

/** A word for the arguments of a process, by which {@link processesWith} finds it among those of other tests. */
export function marker(): string {
  return randomUUID();
}

/** Seconds for a `sleep` that no other test uses. */
export function uniqueSeconds(): string {
  return String(10 ** 9 + Math.floor(Math.random() * 10 ** 9));
}

/** A living process. */
export interface RunningProcess {
  readonly pid: number;
  /** Its command line. */
  readonly args: string;
}

/** The living processes in whose command line the word stands, zombies not counted. */
export function processesWith(word: string): RunningProcess[] {
  const lines = execFileSync('ps', ['-eo', 'stat=,pid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 24 }).split('\n');
  return lines.flatMap((line) => {
    const [, stat = 'Z', pid = '', args = ''] = /^(\S+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return stat.startsWith('Z') || !args.includes(word) ? [] : [{ pid: Number(pid), args }];
  });
}
