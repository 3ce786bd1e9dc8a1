import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { destroyOnceEnded } from './half-open.js';

/** Where a Server can be reached. */
export interface ListeningAddress {
  /** For clients: `http://HOST:PORT`. */
  readonly url: string;
  readonly port: number;
  readonly host: string;
}

/** A Server could not listen. `code` is Node's, such as `EADDRINUSE`; the message says how to mend it. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  readonly code: string;

  constructor(code: string, message: string, cause: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is already in use. Choose another port, or 0 for a free one',
  EACCES: 'that needs privileges. Choose a port from 1024 on',
  EADDRNOTAVAIL: 'this machine does not have that address',
  ENOTFOUND: 'the host is unknown',
  ERR_SOCKET_BAD_PORT: 'a port is a whole number from 0 to 65535',
};

function listenError(error: unknown, port: number, host: string): ListenError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  const detail = ADVICE[code] ?? (error instanceof Error ? error.message : String(error));
  return new ListenError(code, `Cannot listen on ${host}, port ${port}: ${detail}`, error);
}

/** An HTTP server of our own. It knows its connections, so that closing leaves none behind. */
export class HttpHost {
  readonly server: HttpServer;
  readonly #sockets = new Set<Socket>();

  constructor() {
    this.server = createServer((_request, response) => {
      response.writeHead(404).end();
    });
    this.server.on('connection', (socket) => {
      this.#sockets.add(socket);
      destroyOnceEnded(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  /** @throws ListenError when the address cannot be had. */
  async listen(port: number, host: string): Promise<ListeningAddress> {
    await new Promise<void>((resolve, reject) => {
      const onError = (error: unknown): void => {
        reject(listenError(error, port, host));
      };
      try {
        this.server.once('error', onError).listen(port, host, () => {
          this.server.removeListener('error', onError);
          resolve();
        });
      } catch (error) {
        onError(error);
      }
    });
    const bound = (this.server.address() as AddressInfo).port;
    return { url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, port: bound, host };
  }

  /**
   * Takes no more connections, waits for the open ones, and destroys what is left.
   *
   * @param patience - when it is over, connections are destroyed.
   */
  async close(patience: Promise<void>): Promise<void> {
    if (!this.server.listening) return;
    const closed = new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
    });
    await Promise.race([closed, patience]);
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
