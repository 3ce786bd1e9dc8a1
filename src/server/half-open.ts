import type { Duplex } from 'node:stream';

/** How long a peer may keep its half of a connection open when ours has ended, in milliseconds. */
const GRACE_MS = 5_000;

/**
 * Destroys a socket some time after our side has ended it. An HTTP server keeps a socket until the other side ends it
 * as well; a peer that never does would hold it for ever. May be called twice for one socket.
 */
export function destroyOnceEnded(socket: Duplex): void {
  if (!socket.listeners('finish').includes(destroyLater)) socket.on('finish', destroyLater);
}

/** One function for all sockets: there are as many of them as members. */
function destroyLater(this: Duplex): void {
  const timer = setTimeout(() => this.destroy(), GRACE_MS);
  this.once('close', () => {
    clearTimeout(timer);
  });
}
