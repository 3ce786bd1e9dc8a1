import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';

/** A proxy on a free port, to be held with `await using`. */
export interface RunningProxy extends AsyncDisposable {
  readonly port: number;
  /** What went through it: `CONNECT a2c.test:8000`, `GET http://a2c.test/`; `CERTIFICATE` where a client showed one. */
  readonly seen: readonly string[];
}

/** How a proxy behaves. */
export interface ProxyOptions {
  /** `user:password` that it wants. */
  readonly credentials?: string;
  /** What it answers everybody, instead of doing its work. */
  readonly status?: number;
  /** Whether it makes tunnels. @default true */
  readonly tunnels?: boolean;
  /** Certificate and key of a proxy that speaks TLS itself. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Starts an HTTP proxy for which every name is the loopback address. */
export async function startProxy({
  credentials,
  status,
  tunnels = true,
  tls,
}: ProxyOptions = {}): Promise<RunningProxy> {
  const seen: string[] = [];
  const refusal = (incoming: IncomingMessage): number | undefined => {
    seen.push(`${incoming.method ?? ''} ${incoming.url?.replace(/\?.*/, '') ?? ''}`);
    if (status !== undefined) return status;
    const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    return incoming.headers['proxy-authorization'] === wanted ? undefined : 407;
  };
  const proxy: Server =
    tls === undefined ? createServer() : createHttpsServer({ ...tls, requestCert: true, rejectUnauthorized: false });
  proxy.on('secureConnection', (socket: TLSSocket) => {
    if (socket.getPeerX509Certificate() !== undefined) seen.push('CERTIFICATE');
  });
  proxy.on('connect', (incoming: IncomingMessage, client: Duplex) => {
    client.on('error', () => undefined);
    const refused = refusal(incoming) ?? (tunnels ? undefined : 403);
    if (refused !== undefined) {
      client.end(`HTTP/1.1 ${refused} No\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    const upstream = connect(portOf(incoming.url), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      joined(client, upstream);
    });
    upstream.on('error', () => client.destroy());
  });
  proxy.on('request', (incoming, answer) => {
    const refused = refusal(incoming);
    if (refused !== undefined || !incoming.url?.startsWith('http')) {
      answer.writeHead(refused ?? 400).end();
      return;
    }
    const { pathname, search, port } = new URL(incoming.url);
    const { method, headers } = incoming;
    const upstream = request({ host: '127.0.0.1', port, path: pathname + search, method, headers }, (found) => {
      answer.writeHead(found.statusCode ?? 500, found.headers);
      found.pipe(answer);
    });
    upstream.on('error', () => answer.destroy());
    incoming.pipe(upstream);
  });
  return listening(proxy, seen);
}

/** Starts a SOCKS5 proxy without credentials, for which every name is the loopback address. */
export async function startSocksProxy(): Promise<RunningProxy> {
  const seen: string[] = [];
  const proxy = createTcpServer((client) => {
    client.on('error', () => undefined);
    client.once('data', () => {
      client.write(Buffer.from([5, 0]));
      client.once('data', (wish) => {
        const isName = wish[3] === 3;
        const end = isName ? 5 + (wish[4] ?? 0) : 8;
        const port = wish.readUInt16BE(end);
        seen.push(`SOCKS ${isName ? wish.toString('latin1', 5, end) : wish.subarray(4, 8).join('.')}:${port}`);
        const upstream = connect(port, '127.0.0.1', () => {
          client.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
          joined(client, upstream);
        });
        upstream.on('error', () => client.destroy());
      });
    });
  });
  return listening(proxy, seen);
}

function joined(one: Duplex, other: Duplex): void {
  one.pipe(other).pipe(one);
  one.on('close', () => other.destroy());
  other.on('close', () => one.destroy());
}

function portOf(authority = ''): number {
  return Number(authority.slice(authority.lastIndexOf(':') + 1));
}

async function listening(server: TcpServer, seen: readonly string[]): Promise<RunningProxy> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
