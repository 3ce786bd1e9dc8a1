import { createServer, type ServerOptions as HttpsOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Server, type ServerOptions } from '../../src/server/index.js';

/** A Server behind TLS, to be held with `await using`. */
export interface RunningTlsServer extends AsyncDisposable {
  readonly port: number;
}

/** Starts a Server on a free port of the loopback address that speaks TLS. */
export async function startTlsServer(tls: HttpsOptions, options: ServerOptions = {}): Promise<RunningTlsServer> {
  const server = new Server(options);
  const https = createServer(tls);
  const sockets = new Set<Socket>();
  https.on('connection', (socket: Socket) => sockets.add(socket));
  server.attach(https);
  await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
  const { port } = https.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      await server.close();
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => https.close(resolve));
    },
  };
}
