import { io, type Socket } from 'socket.io-client';
import { onTestFinished, vi } from 'vitest';
import { Agent, type AgentEvents, type AgentOptions } from '../../src/agent/index.js';
import { Server, type ServerOptions } from '../../src/server/index.js';
import { PROTOCOL_VERSION } from '../../src/protocol/index.js';

type Ack = (...args: unknown[]) => void;
/** Answers one `client:*` event: by its return value, or by calling `ack` itself and returning `undefined`. */
export type Answerer = (payload: Record<string, unknown>, ack: Ack) => unknown;

/** A Computer made of a bare socket: it answers what it is told to, however wrong. */
export interface FakeComputer {
  readonly socket: Socket;
  /** What it received, by event. */
  readonly received: { readonly event: string; readonly payload: Record<string, unknown> }[];
}

/** A tool as a Computer lists it. */
export const tool = (name: string): Record<string, unknown> => ({
  name,
  description: `does ${name}`,
  params_schema: { type: 'object' },
  return_schema: null,
  meta: {},
});

/** A Server and where it is. */
export interface TestServer {
  readonly server: Server;
  readonly url: string;
  readonly port: number;
}

/** Listens until the test is over. */
export async function startServer(options: ServerOptions = {}, port = 0): Promise<TestServer> {
  const server = new Server(options);
  const { url } = await server.listen(port);
  onTestFinished(() => server.close());
  return { server, url, port: Number(new URL(url).port) };
}

/** Connects and joins a fake Computer, until the test is over. */
export async function fakeComputer(
  url: string,
  at: { readonly office: string; readonly name: string },
  answers: Readonly<Record<string, Answerer>> = {},
  auth: Readonly<Record<string, unknown>> = {},
): Promise<FakeComputer> {
  const socket = io(`${url}/smcp?a2c_version=${PROTOCOL_VERSION}`, { forceNew: true, reconnection: false, auth });
  onTestFinished(() => {
    socket.disconnect();
  });
  const received: FakeComputer['received'] = [];
  const all: Readonly<Record<string, Answerer>> = {
    'client:get_tools': ({ req_id }) => ({ tools: [tool('echo')], req_id }),
    ...answers,
  };
  socket.onAny((event: string, payload: Record<string, unknown>, ack?: Ack) => {
    received.push({ event, payload });
    const answer = ack === undefined ? undefined : all[event]?.(payload, ack);
    if (answer !== undefined) ack?.(answer);
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve);
    socket.on('connect_error', reject);
  });
  const join = { role: 'computer', name: at.name, office_id: at.office };
  await new Promise<void>((resolve, reject) => {
    socket.emit('server:join_office', join, (ok: boolean, reason: string) => {
      if (ok) resolve();
      else reject(new Error(reason));
    });
  });
  return { socket, received };
}

/** An Agent that reconnects quickly and joined the office. */
export async function joinedAgent(url: string, office: string, options: Partial<AgentOptions> = {}): Promise<Agent> {
  const agent = newAgent(url, options);
  await agent.connect();
  await agent.joinOffice(office);
  return agent;
}

/** An Agent that reconnects quickly, until the test is over. */
export function newAgent(url: string, options: Partial<AgentOptions> = {}): Agent {
  const agent = new Agent({
    url,
    name: 'agent-1',
    reconnectDelayMs: 20,
    reconnectDelayMaxMs: 50,
    catalogWindowMs: 10,
    ...options,
  });
  onTestFinished(() => agent.close());
  return agent;
}

/** Every event of an Agent from now on, as `[name, fields]`. */
export function record(agent: Agent): [keyof AgentEvents, object][] {
  const seen: [keyof AgentEvents, object][] = [];
  const names: (keyof AgentEvents)[] = [
    'computerJoined',
    'computerLeft',
    'toolsChanged',
    'configChanged',
    'desktopChanged',
    'disconnected',
    'rejoined',
    'rejoinFailed',
    'refused',
  ];
  for (const name of names) agent.on(name, (fields: object) => seen.push([name, fields]));
  return seen;
}

/** Waits until the condition holds. */
export async function until(condition: () => boolean): Promise<void> {
  await vi.waitFor(
    () => {
      if (!condition()) throw new Error(`never came true: ${condition.toString()}`);
    },
    { timeout: 5_000, interval: 5 },
  );
}

/** What a promise was rejected with. */
export const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it succeeded',
    (error: unknown) => error,
  );
