import { Server, type ServerOptions } from '../../src/server/index.js';

/** A Server on a free port, to be held with `await using`. */
export interface RunningServer extends AsyncDisposable {
  readonly server: Server;
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
}

/** Starts a Server on port 0 of the loopback address. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const server = new Server(options);
  const { url, port } = await server.listen(0);
  return { server, url, port, [Symbol.asyncDispose]: () => server.close() };
}
