import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** How to get what {@link findChromium} looks for. */
export const CHROMIUM_SETUP = 'install Chromium (apt-get install chromium), or say where it is in CHROMIUM_PATH';

/** Where Chromium is: what `CHROMIUM_PATH` says, else the first of the usual names on `PATH`. */
export function findChromium(): string | undefined {
  const { CHROMIUM_PATH: named = '', PATH = '' } = process.env;
  if (named !== '') return named;
  return PATH.split(delimiter)
    .flatMap((folder) => ['chromium', 'chromium-browser', 'google-chrome'].map((name) => join(folder, name)))
    .find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A browser with one page. */
export interface OpenPage extends AsyncDisposable {
  /** Rejected when the browser ends by itself. */
  readonly ended: Promise<never>;
}

/** Opens a page in a browser of its own, to be held with `await using`. */
export function openPage(chromium: string, url: string): OpenPage {
  const profile = mkdtempSync(join(tmpdir(), 'a2c-chromium-'));
  // A group of its own: the browser is many processes.
  const browser = spawn(chromium, [...FLAGS, `--user-data-dir=${profile}`, url], { stdio: 'ignore', detached: true });
  const exited = once(browser, 'exit');
  const ended = exited.then(([code]) => {
    throw new Error(`${chromium} ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  return {
    ended,
    [Symbol.asyncDispose]: async () => {
      if (browser.pid !== undefined && browser.exitCode === null) process.kill(-browser.pid, 'SIGKILL');
      await exited.catch(() => undefined);
      rmSync(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
