import { delay } from '../client/index.js';
import { untilAborted } from './until-aborted.js';

/** An Agent or a Computer that is to stay in its office. */
export interface Stayer {
  readonly connected: boolean;
  joinOffice(officeId: string): Promise<void>;
  on(event: 'refused' | 'rejoinFailed', listener: (event: { readonly error: Error }) => void): () => void;
}

/** How a stay ends, and how it is kept up. */
export interface Stay {
  readonly signal: AbortSignal;
  /**
   * How long to wait before an office that could not be joined again is tried once more, in milliseconds.
   * @default 5_000
   */
  readonly retryMs?: number;
}

/**
 * Stays in an office until stopped, and comes back for ever: also where the client itself has given up joining again.
 *
 * @throws ProtocolVersionError when a Server of another version has taken the place of the first.
 */
export async function stayInOffice(member: Stayer, office: string, { signal, retryMs = 5_000 }: Stay): Promise<void> {
  const lost = new AbortController();
  const stops = [
    member.on('refused', ({ error }) => {
      lost.abort(error);
    }),
    member.on('rejoinFailed', () => {
      void joinAgain(member, office, { signal, retryMs });
    }),
  ];
  try {
    await untilAborted(signal, lost.signal);
    lost.signal.throwIfAborted();
  } finally {
    for (const stop of stops) stop();
  }
}

async function joinAgain(member: Stayer, office: string, { signal, retryMs }: Required<Stay>): Promise<void> {
  while (!signal.aborted) {
    try {
      await delay(retryMs, signal);
      // Without a connection there is nothing to ask; once it is back, the client still knows of no office.
      if (member.connected) {
        await member.joinOffice(office);
        return;
      }
    } catch {
      // Refused again, or the connection went: the next attempt tells.
    }
  }
}
