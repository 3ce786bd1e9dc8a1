import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, type Socket } from 'socket.io';

/** What a bare Server does; everything else is Socket.IO as it comes. */
export interface BareServerOptions {
  readonly port?: number;
  /** Answers every HTTP request before Socket.IO sees it; gives `true` when it did. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
  readonly middleware?: (socket: Socket, next: (error?: Error) => void) => void;
  readonly onSocket?: (socket: Socket) => void;
  readonly maxHttpBufferSize?: number;
}

/** A Socket.IO server without any rule of the protocol: for peers that misbehave, and for looking at the wire. */
export interface BareServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** How many sessions were asked for (requests without a session id). */
  readonly dials: () => number;
  readonly sockets: () => readonly Socket[];
  /** From now on answers WebSocket upgrades with HTTP 400 and this body. */
  readonly refuseUpgrades: (body: string) => void;
  close(): Promise<void>;
}

/** The body of a version refusal, as Protocol §5.3 writes it. */
export const VERSION_REFUSAL = {
  code: 4008,
  message: 'Protocol version mismatch',
  server_version: '0.9.0',
  client_version: '0.2.0',
  min_supported: '0.9.0',
  max_supported: '0.9.999',
} as const;

/** Refuses everybody's version over HTTP. */
export function refuseVersion(_request: IncomingMessage, response: ServerResponse): boolean {
  const body = JSON.stringify(VERSION_REFUSAL);
  response.writeHead(400, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-A2C-Error-Code': '4008',
  });
  response.end(body);
  return true;
}

/** Listens on a free port of the loopback, or on the given one. */
export async function bareServer(options: BareServerOptions = {}): Promise<BareServer> {
  let dials = 0;
  const http = createServer();
  const io = new Server(http, {
    ...(options.maxHttpBufferSize === undefined ? {} : { maxHttpBufferSize: options.maxHttpBufferSize }),
  });
  const [engine] = http.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  http.removeAllListeners('request');
  http.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!new URL(request.url ?? '/', 'http://x').searchParams.has('sid')) dials++;
    if (options.answer?.(request, response) !== true) engine?.(request, response);
  });
  const namespace = io.of('/smcp');
  if (options.middleware !== undefined) namespace.use(options.middleware);
  namespace.on('connection', (socket) => options.onSocket?.(socket));
  await new Promise<void>((resolve) => http.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const close = async (): Promise<void> => {
    http.closeAllConnections();
    await io.close();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dials: () => dials,
    refuseUpgrades: (body) => {
      http.removeAllListeners('upgrade');
      http.on('upgrade', (_request, socket) => {
        dials++;
        const head = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: application/json`;
        socket.end(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      });
    },
    sockets: () => [...namespace.sockets.values()],
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Accepts every join and leave. */
export function acceptMembers(socket: Socket): void {
  for (const event of ['server:join_office', 'server:leave_office']) {
    socket.on(event, (_payload: unknown, ack: (...args: unknown[]) => void) => {
      ack(true, null);
    });
  }
}
