// What a desktop costs: cold, against the bare requests that it takes; warm, against the serialising of its answer; and a
// change of a window on its way to the Agent, against the shortest chain that could carry it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server as SocketServer } from 'socket.io';
import { io } from 'socket.io-client';
import { Agent } from '../src/agent/index.js';
import { TypedEvents } from '../src/client/index.js';
import { ComputerCore } from '../src/computer/computer-core.js';
import type { ComputerEvents } from '../src/computer/computer-events.js';
import { readConfig } from '../src/computer/config/parse-config.js';
import { registerHandlers } from '../src/computer/handlers.js';
import { Computer } from '../src/computer/index.js';
import { sharedOf } from '../src/computer/shared.js';
import type { JsonObject } from '../src/protocol/index.js';
import { Server } from '../src/server/index.js';
import { windowServer } from './support/mcp-servers.js';
import { RawClient } from './support/raw-client.js';
import { compare, runWhenExecuted } from './support/rounds.js';

const SERVERS = 20;
const WINDOWS_EACH = 5;
const DELAY_MS = 100;
const ANSWERS_PER_ROUND = 200;
const MAX_ANSWER_BYTES = 1_000_000;

const names = Array.from({ length: SERVERS }, (_, index) => `server-${index}`);
const programOf = (host: string, delayMs: number): ReturnType<typeof windowServer> =>
  windowServer({ host, windows: WINDOWS_EACH, delayMs });

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

type Ask = (onAnswer: (answer: { readonly desktops: readonly string[] }) => void) => void;

/** A Computer without a connection, all of whose servers run and have windows that they tell of. */
async function openCore(): Promise<{ readonly core: ComputerCore; readonly ask: Ask }> {
  const events = new TypedEvents<ComputerEvents>(() => undefined);
  const core = new ComputerCore(sharedOf({}), {}, { events, maxAnswerBytes: () => MAX_ANSWER_BYTES });
  const servers = Object.fromEntries(names.map((name) => [name, programOf(name, DELAY_MS)]));
  await core.servers.setConfig(readConfig({ servers }));
  const payload = { agent: 'agent', computer: 'computer', req_id: 'f3a1c2d4e5b60718' };
  let ask: Ask | undefined;
  const handle = (event: string, handler: (args: unknown[]) => void): void => {
    if (event !== 'client:get_desktop') return;
    ask = (onAnswer) => {
      handler([payload, onAnswer]);
    };
  };
  registerHandlers({ handle }, core.handlerContext());
  if (ask === undefined) throw new Error('Nothing answers client:get_desktop');
  return { core, ask };
}

/** What the answer takes at least: the lists, then the windows, everything at a time. */
async function collectRaw(clients: readonly RawClient[]): Promise<unknown> {
  return Promise.all(
    clients.map(async (client) => {
      const { resources } = await client.request('resources/list');
      const uris = (resources as JsonObject[]).map(({ uri }) => String(uri));
      return Promise.all(uris.map((uri) => client.request('resources/read', { uri })));
    }),
  );
}

async function runCollecting(): Promise<void> {
  const raw = await Promise.all(names.map((name) => RawClient.open(programOf(name, DELAY_MS))));
  const { core, ask } = await openCore();
  const answered = (): Promise<{ readonly desktops: readonly string[] }> => new Promise(ask);
  try {
    // Windows are subscribed to before what they show is kept.
    for (let warm = 0; warm < 3; warm += 1) await answered();
    const answer = await answered();
    if (answer.desktops.length !== SERVERS * WINDOWS_EACH) throw new Error(`${answer.desktops.length} windows`);
    const cold = (): Promise<number> => {
      for (const name of names) core.desktop.resourcesChanged(name);
      return timed(answered);
    };
    const title = `Desktop, ${answer.desktops.length} windows on ${SERVERS} servers`;
    await compare({
      title: `${title} that wait ${DELAY_MS} ms: cold`,
      unit: 'ms',
      better: 'lower',
      bar: 1.3,
      baseline: { name: 'Promise.all of the requests', measure: () => timed(() => collectRaw(raw)) },
      subject: { name: 'client:get_desktop', measure: cold },
    });
    await answered();
    const perAnswer = async (act: () => Promise<unknown>): Promise<number> =>
      (await timed(async () => {
        for (let count = 0; count < ANSWERS_PER_ROUND; count += 1) await act();
      })) / ANSWERS_PER_ROUND;
    await compare({
      title: `${title}: warm, ${Math.round(JSON.stringify(answer).length / 1_000)} KB`,
      unit: 'ms',
      better: 'lower',
      bar: 3,
      baseline: {
        name: 'JSON.stringify of the answer',
        measure: () => perAnswer(() => Promise.resolve(JSON.stringify(answer))),
      },
      subject: { name: 'client:get_desktop', measure: () => perAnswer(answered) },
    });
  } finally {
    await Promise.all([core.close(), ...raw.map((client) => client[Symbol.asyncDispose]())]);
  }
}

/** Lets a window change, and waits until that has arrived. @returns how long it took, in ms. */
interface Chain extends AsyncDisposable {
  change(): Promise<number>;
}

/** A notification, one read, and two hops with what was read. */
async function rawChain(delayMs: number): Promise<Chain> {
  const client = await RawClient.open(programOf('raw', delayMs));
  const http = createServer();
  const server = new SocketServer(http);
  server.on('connection', (socket) => {
    socket.on('desktop', (desktop) => socket.broadcast.emit('desktop', desktop));
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const [computer, agent] = [io(url, { forceNew: true }), io(url, { forceNew: true })];
  await Promise.all([computer, agent].map((socket) => new Promise<void>((resolve) => socket.once('connect', resolve))));
  client.onNotification = (_method, params) => {
    void client.request('resources/read', params).then((result) => {
      computer.emit('desktop', result);
    });
  };
  return {
    change: () =>
      timed(async () => {
        const arrived = new Promise((resolve) => agent.once('desktop', resolve));
        client.signal('SIGUSR2');
        await arrived;
      }),
    [Symbol.asyncDispose]: async () => {
      for (const socket of [computer, agent]) socket.disconnect();
      await server.close();
      await client[Symbol.asyncDispose]();
    },
  };
}

/** From the MCP server to the Agent's iterator. */
async function ourChain(delayMs: number): Promise<Chain> {
  const server = new Server();
  const { url } = await server.listen(0);
  const servers = { windows: programOf('ours', delayMs) };
  const computer = new Computer({ name: 'computer', url, servers, desktop: { maxAgeMs: 3_600_000 } });
  computer.start();
  await computer.settled();
  await computer.connect();
  await computer.joinOffice('bench');
  const agent = new Agent({ url });
  await agent.connect();
  await agent.joinOffice('bench');
  const watching = agent.watchDesktop('computer');
  const first = await watching.next();
  const pid = Number(/\n(\d+) /.exec(first.value?.[0] ?? '')?.[1]);
  // Once all windows are subscribed to, what they show is kept.
  for (let warm = 0; warm < 3; warm += 1) await computer.desktop();
  return {
    change: () =>
      timed(async () => {
        process.kill(pid, 'SIGUSR2');
        await watching.next();
      }),
    [Symbol.asyncDispose]: async () => {
      await watching.return();
      await agent.close();
      await computer.close();
      await server.close();
    },
  };
}

async function runChains(): Promise<void> {
  for (const [delayMs, bar] of [
    [DELAY_MS, 2],
    [0, undefined],
  ] as const) {
    await using raw = await rawChain(delayMs);
    await using ours = await ourChain(delayMs);
    const isolated = async (chain: Chain): Promise<number> => {
      // Longer than the time in which changes are told together.
      await new Promise((resolve) => setTimeout(resolve, 150));
      return chain.change();
    };
    await compare({
      title: `A change of a window, on a server that waits ${delayMs} ms`,
      unit: 'ms',
      better: 'lower',
      bar,
      rounds: 15,
      baseline: { name: 'notification, read, two hops', measure: () => isolated(raw) },
      subject: { name: "to the Agent's iterator", measure: () => isolated(ours) },
    });
  }
}

/** Runs the benchmark and prints its tables. */
export async function run(): Promise<void> {
  await runCollecting();
  await runChains();
}

await runWhenExecuted(import.meta.url, run);
