import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CLI } from './cli.js';

const run = promisify(execFile);

/** How to get what a {@link TmuxTerminal} needs. */
export const TMUX_SETUP = 'apt-get install tmux, or the like';

/** How often the screen is looked at while something is waited for, in milliseconds: tmux has no event for it. */
const LOOK_MS = 25;
/** How long something may take to appear, in milliseconds. */
const PATIENCE_MS = 15_000;

const SETTINGS = [
  ['status', 'off'],
  ['remain-on-exit', 'on'],
  ['remain-on-exit-format', ''],
] as const;

/** Whether tests on a real terminal can run. With `CI=true` they always do. */
export function hasTmux(): boolean {
  return process.env['CI'] === 'true' || spawnSync('tmux', ['-V']).status === 0;
}

/** What a {@link TmuxTerminal} is made of. */
export interface TmuxOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Beside `PATH`, `LANG`, `TERM` and a home folder of its own, which is all that there is. */
  readonly env?: Readonly<Record<string, string>>;
  /** Where the program runs; its home folder by default. */
  readonly cwd?: string;
  /** Something else than the built command line: the program and its arguments. */
  readonly program?: readonly [string, ...string[]];
}

/** The built command line on a real terminal of its own, with a person at the keyboard. */
export class TmuxTerminal implements AsyncDisposable {
  /** The home folder of the program, empty at first, removed at the end. */
  readonly home: string;

  private constructor(home: string) {
    this.home = home;
  }

  /** Starts `a2c` with these arguments. */
  static async start(args: readonly string[], options: TmuxOptions = {}): Promise<TmuxTerminal> {
    const { columns = 80, rows = 24, env = {}, cwd, program = [process.execPath, CLI] } = options;
    const terminal = new TmuxTerminal(await mkdtemp(join(tmpdir(), 'a2c-tmux-')));
    const clean = { PATH: process.env['PATH'] ?? '', HOME: terminal.home, LANG: 'C.UTF-8', TERM: 'xterm-256color' };
    const size = ['-x', String(columns), '-y', String(rows)];
    // The screen is the program's alone, also after its end.
    const settings = SETTINGS.flatMap((setting) => ['set', '-gq', ...setting, ';']);
    await run(
      'tmux',
      [...terminal.#socket, 'start-server', ';', ...settings, 'new-session', '-d', ...size, '--', ...program, ...args],
      // The first one that talks to a socket starts its tmux, and with it gives its environment to what runs there.
      { env: { ...clean, ...env }, cwd: cwd ?? terminal.home },
    );
    return terminal;
  }

  /** Types a text, key by key, as it is; a line break is the return key. */
  async type(text: string): Promise<void> {
    const [first = '', ...others] = text.split('\n');
    if (first !== '') await this.#tmux('send-keys', '-l', '--', first);
    for (const line of others) {
      await this.press('Enter');
      if (line !== '') await this.#tmux('send-keys', '-l', '--', line);
    }
  }

  /**
   * Presses keys by the names of tmux: `Enter`, `Tab`, `Up`, `Left`, `BSpace`, `C-c` … Before `Tab` wait until what was
   * typed is on the screen: keys that come all at once are taken for pasted, where it is a character like others.
   */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  /** Makes the terminal larger or smaller. */
  async resize(columns: number, rows: number): Promise<void> {
    await this.#tmux('resize-window', '-x', String(columns), '-y', String(rows));
  }

  /** What stands on the screen: its rows without blanks at their ends, without the empty ones at its end. */
  async screen(): Promise<string> {
    return (await this.#tmux('capture-pane', '-p')).trimEnd();
  }

  /** The screen with the escape sequences of its styles. */
  async styled(): Promise<string> {
    return this.#tmux('capture-pane', '-p', '-e');
  }

  /** What stands on the screen and above it, lines that were wrapped as one. */
  async everything(): Promise<string> {
    const text = await this.#tmux('capture-pane', '-p', '-J', '-S', '-');
    return text.replaceAll(/[ \t]+$/gm, '').trimEnd();
  }

  /**
   * Waits until the screen shows it.
   *
   * @returns the screen.
   * @throws Error with the screen when it does not in 15 s.
   */
  async shows(wanted: string | RegExp): Promise<string> {
    return this.#until(
      () => this.screen(),
      (screen) => (typeof wanted === 'string' ? screen.includes(wanted) : wanted.test(screen)),
      () => `the screen does not show ${String(wanted)}`,
    );
  }

  /** Waits until the screen shows it no more. */
  async hides(unwanted: string | RegExp): Promise<string> {
    return this.#until(
      () => this.screen(),
      (screen) => (typeof unwanted === 'string' ? !screen.includes(unwanted) : !unwanted.test(screen)),
      () => `the screen still shows ${String(unwanted)}`,
    );
  }

  /** Waits until the program has ended. @returns its exit code. */
  async ended(): Promise<number> {
    const code = await this.#until(
      async () => (await this.#exitCode()) ?? '',
      (answer) => answer !== '',
      () => 'the program has not ended',
    );
    return Number(code);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run('tmux', [...this.#socket, 'kill-server']).catch(() => undefined);
    // What the program writes while it ends must not make the removal fail.
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  get #socket(): string[] {
    return ['-S', join(this.home, '.tmux'), '-u', '-f', '/dev/null'];
  }

  async #tmux(...args: string[]): Promise<string> {
    const { stdout } = await run('tmux', [...this.#socket, ...args]);
    return stdout;
  }

  /** `undefined` while the program runs. That its terminal is closed may be known before the code is. */
  async #exitCode(): Promise<string | undefined> {
    const state = await this.#tmux('display-message', '-p', '#{pid} #{pane_dead} #{pane_dead_status}');
    const [, tmux, dead, code] = /^(\d+) ([01]) ?(\d*)$/m.exec(state) ?? [];
    // Of two signals that tell it of ended children it may miss one.
    if (dead === '1' && code === '') process.kill(Number(tmux), 'SIGCHLD');
    return code === '' ? undefined : code;
  }

  async #until(look: () => Promise<string>, fits: (seen: string) => boolean, problem: () => string): Promise<string> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const seen = await look();
      if (fits(seen)) return seen;
      if (performance.now() > end || (await this.#exitCode()) !== undefined) {
        const last = await look();
        if (fits(last)) return last;
        throw new Error(`${problem()}:\n${await this.everything()}`);
      }
      await sleep(LOOK_MS);
    }
  }
}
