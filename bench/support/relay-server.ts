// One server for the benchmarks, in a process of its own: ours, or the barest one that Socket.IO allows.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as SocketIoServer, type Socket } from 'socket.io';
import { Server } from '../../src/server/index.js';
import { answerRequests } from './child.js';
import type { ServerRequest } from './requests.js';

type Ack = (...args: unknown[]) => void;

/** The most direct relay: no checks, no timeout, no error answers; it only looks the Computer up. */
function bareRelay(socket: Socket, computers: Map<string, Socket>): void {
  socket.on('server:join_office', (payload: { name: string }, ack: Ack) => {
    computers.set(payload.name, socket);
    ack(true, null);
  });
  socket.on('client:tool_call', (payload: { computer: string }, ack: Ack) => {
    computers.get(payload.computer)?.emit('client:tool_call', payload, ack);
  });
}

/** What a member costs at least: in one room, with as many listeners as ours has, the same ones for everybody. */
function bareMember(socket: Socket): void {
  const ignore = (): void => undefined;
  socket.use(ignore);
  socket.on('disconnecting', ignore);
  void socket.join('office');
}

async function startBare(kind: string): Promise<string> {
  const httpServer = createServer();
  const io = new SocketIoServer(httpServer, { serveClient: false });
  const computers = new Map<string, Socket>();
  io.of('/smcp').on('connection', (socket) => {
    if (kind === 'bare-relay') bareRelay(socket, computers);
    else bareMember(socket);
  });
  await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve));
  return `ws://127.0.0.1:${(httpServer.address() as AddressInfo).port}`;
}

async function startOurs(): Promise<string> {
  const { url } = await new Server().listen(0);
  return url.replace('http', 'ws');
}

/** Heap and external memory after garbage collection, in bytes. */
function memory(): number {
  for (let index = 0; index < 4; index += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const kind = process.argv[2] ?? 'ours';
const url = kind === 'ours' ? await startOurs() : await startBare(kind);
answerRequests(async (request: ServerRequest) => {
  if (request.ask === 'url') return { url };
  // Let what is on its way come to rest.
  await new Promise((resolve) => setTimeout(resolve, 300));
  return { bytes: memory() };
});
