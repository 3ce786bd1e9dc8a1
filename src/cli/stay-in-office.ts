import { setTimeout as delay } from 'node:timers/promises';
import type { Computer } from '../computer/index.js';
import { UsageError } from './failure.js';
import { untilAborted } from './until-aborted.js';

/** How long to wait before an office that could not be joined again is tried once more, in milliseconds. */
const RETRY_MS = 5_000;

/**
 * Joins an office and stays in it until the signal aborts. The Computer comes back by itself after a reconnect; when
 * even that fails, it is tried again and again: the seat may be free later.
 *
 * @throws whatever refuses the first join; ProtocolVersionError when a reconnect meets another protocol version.
 */
export async function stayInOffice(computer: Computer, office: string, signal: AbortSignal): Promise<void> {
  const lost = new AbortController();
  const stops = [
    computer.on('refused', ({ error }) => {
      lost.abort(error);
    }),
    computer.on('rejoinFailed', () => {
      void joinAgain(computer, office, signal);
    }),
  ];
  try {
    await joinFirst(computer, office);
    await untilAborted(signal, lost.signal);
    lost.signal.throwIfAborted();
  } finally {
    for (const stop of stops) stop();
  }
}

async function joinFirst(computer: Computer, office: string): Promise<void> {
  try {
    await computer.joinOffice(office);
  } catch (error) {
    // The name or the office breaks the rules: both came from flags.
    throw error instanceof TypeError ? new UsageError(error.message) : error;
  }
}

async function joinAgain(computer: Computer, office: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await delay(RETRY_MS, undefined, { signal });
      // Without a connection there is nothing to ask; once it is back, the Computer still knows of no office.
      if (computer.connected) {
        await computer.joinOffice(office);
        return;
      }
    } catch {
      // Refused again, or the connection went: the next attempt tells.
    }
  }
}
