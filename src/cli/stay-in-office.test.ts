import { describe, expect, it } from 'vitest';
import { Computer } from '../computer/index.js';
import { PROFILE_0_2 } from '../protocol/index.js';
import { Server } from '../server/index.js';
import { Peer } from '../../test/support/peer.js';
import { stayInOffice } from './stay-in-office.js';

const QUICK = { reconnectDelayMs: 5, reconnectDelayMaxMs: 10, rejoinForMs: 1 };
/** Lets somebody else in first. */
const LATE = { reconnectDelayMs: 500, reconnectDelayMaxMs: 500, rejoinForMs: 1 };

function next(computer: Computer, event: 'joined' | 'rejoinFailed' | 'disconnected'): Promise<void> {
  return new Promise((resolve) => {
    const stop = computer.on(event, () => {
      stop();
      resolve();
    });
  });
}

describe('stayInOffice', () => {
  it('comes back to a place that was taken for longer than a rejoin is tried', async () => {
    const server = new Server();
    const { port, url } = await server.listen(0);
    await using computer = new Computer({ name: 'laptop', url, ...LATE });
    await computer.connect();
    await computer.joinOffice('o');
    const stop = new AbortController();
    const stay = stayInOffice(computer, 'o', { signal: stop.signal, retryMs: 5 });
    const away = next(computer, 'disconnected');
    await server.close();
    await away;

    // Somebody else takes the name before the Computer is back.
    const failed = next(computer, 'rejoinFailed');
    await using again = new Server();
    await again.listen(port);
    await using other = await Peer.join(url, { role: 'computer', name: 'laptop', office: 'o' });
    await failed;
    const back = next(computer, 'joined');
    await other[Symbol.asyncDispose]();
    await back;
    expect(computer.membership).toEqual({ officeId: 'o', name: 'laptop' });
    stop.abort();
    await stay;
  });

  it('ends with the reason where a Server of another version comes back', async () => {
    const server = new Server();
    const { port, url } = await server.listen(0);
    await using computer = new Computer({ name: 'laptop', url, ...QUICK });
    await computer.connect();
    await computer.joinOffice('o');
    const stay = stayInOffice(computer, 'o', { signal: new AbortController().signal });
    const ended = expect(stay).rejects.toMatchObject({ name: 'ProtocolVersionError' });
    await server.close();
    await using other = new Server({ profile: { ...PROFILE_0_2, version: '0.9.0' } });
    await other.listen(port);
    await ended;
  });
});
