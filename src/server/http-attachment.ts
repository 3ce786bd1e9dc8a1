import type { IncomingMessage, Server as HttpServer } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Server as SocketIoServer } from 'socket.io';
import { destroyOnceEnded } from './half-open.js';

type Listener = (...args: unknown[]) => void;

const EVENTS = ['request', 'upgrade', 'close', 'listening'] as const;

function listenersOf(httpServer: HttpServer, event: string): readonly Listener[] {
  return httpServer.rawListeners(event) as Listener[];
}

/** Socket.IO's hold on an HTTP server. */
export interface HttpAttachment {
  /** Lets go of the HTTP server: its own listeners are as they were before. */
  detach(): void;
  /**
   * Waits until the sockets that were upgraded are closed, and destroys what is left.
   *
   * @param patience - when it is over, sockets are destroyed.
   */
  closeUpgraded(patience: Promise<void>): Promise<void>;
}

function closing(socket: Duplex): Promise<void> {
  return new Promise((resolve) => {
    socket.once('close', () => {
      resolve();
    });
  });
}

const ignore = (): void => undefined;

/** Engine.IO parses the URL of each request and throws, out of anybody's reach, where it is none, such as `//[`. */
function mendUrl(request: IncomingMessage, path: string): void {
  if (!URL.canParse(request.url ?? '', 'http://localhost')) request.url = path;
}

/**
 * Puts Socket.IO on an HTTP server, in a way that can be undone.
 *
 * @param path - the path whose requests and upgrades are Socket.IO's.
 */
export function attachTo(httpServer: HttpServer, io: SocketIoServer, path: string): HttpAttachment {
  const before = new Map(EVENTS.map((event) => [event, listenersOf(httpServer, event)]));
  io.attach(httpServer);
  const upgraded = new Set<Duplex>();
  const prefix = path.endsWith('/') ? path : `${path}/`;
  const isOurs = (request: IncomingMessage): boolean => request.url?.startsWith(prefix) === true;
  const onRequest = (request: IncomingMessage): void => {
    if (isOurs(request)) mendUrl(request, prefix);
  };
  const onUpgrade = (request: IncomingMessage, socket: Duplex): void => {
    // Nothing else listens for errors until the handshake is over: a client that resets the connection before would
    // end the process.
    socket.on('error', ignore);
    if (!isOurs(request)) return;
    mendUrl(request, prefix);
    destroyOnceEnded(socket);
    upgraded.add(socket);
    socket.once('close', () => upgraded.delete(socket));
  };
  httpServer.prependListener('upgrade', onUpgrade);
  httpServer.prependListener('request', onRequest);
  const added = EVENTS.map((event) => {
    const known = new Set(before.get(event));
    return [event, listenersOf(httpServer, event).filter((listener) => !known.has(listener))] as const;
  });
  return {
    async closeUpgraded(patience) {
      const closed = Promise.all([...upgraded].map(closing));
      await Promise.race([closed, patience]);
      for (const socket of upgraded) socket.destroy();
      await closed;
    },
    detach() {
      for (const [event, listeners] of added) {
        for (const listener of listeners) httpServer.removeListener(event, listener);
      }
      // Engine.IO took these off and called them itself.
      for (const listener of (before.get('request') ?? []).toReversed()) {
        if (!listenersOf(httpServer, 'request').includes(listener)) httpServer.prependListener('request', listener);
      }
    },
  };
}
