import type { ServerOptions } from '../../src/server/index.js';
import { Peer, type PeerOptions } from './peer.js';
import { startServer, type RunningServer } from './running-server.js';

/** A Server, and an Agent and a Computer in one office of it. */
export interface OfficePair extends AsyncDisposable {
  readonly running: RunningServer;
  readonly agent: Peer;
  readonly computer: Peer;
}

/** Starts a Server and lets the Agent `agent` and the Computer `laptop` join the office `office`. */
export async function startPair(server?: ServerOptions, peers?: PeerOptions): Promise<OfficePair> {
  const running = await startServer(server);
  const agent = await Peer.join(running.url, { role: 'agent', name: 'agent', office: 'office' }, peers);
  const computer = await Peer.join(running.url, { role: 'computer', name: 'laptop', office: 'office' }, peers);
  return {
    running,
    agent,
    computer,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]();
      await computer[Symbol.asyncDispose]();
      await running[Symbol.asyncDispose]();
    },
  };
}
