import { open, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** A lock that was not touched for so long belongs to a process that ended without a word, in ms. */
const STALE_MS = 20_000;
const TOUCH_MS = 5_000;
const RETRY_MS = 50;

/**
 * Does something alone: a file that only one can make stands for the right to it. Whoever comes meanwhile waits, in
 * other processes too.
 *
 * @param file - its folder must be there.
 */
export async function withFileLock<T>(file: string, act: () => Promise<T>): Promise<T> {
  await acquire(file);
  // A long action is not to look like that of a process that has gone.
  const timer = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  }, TOUCH_MS).unref();
  try {
    return await act();
  } finally {
    clearInterval(timer);
    await rm(file, { force: true });
  }
}

async function acquire(file: string): Promise<void> {
  for (;;) {
    try {
      await (await open(file, 'wx', 0o600)).close();
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    if (await isStale(file)) await rm(file, { force: true });
    else await pause(RETRY_MS * (0.5 + Math.random()));
  }
}

async function isStale(file: string): Promise<boolean> {
  try {
    return Date.now() - (await stat(file)).mtimeMs > STALE_MS;
  } catch {
    // It is gone: the next attempt finds out.
    return false;
  }
}
