// What a document costs from an Agent's question to the URI: unchanged and subscribed, against a relay of the tools;
// otherwise against the bare read and that relay.
import { OfficeConnection } from '../src/client/index.js';
import { Computer, FileDpeResolver } from '../src/computer/index.js';
import { isJsonObject, type CallEvent } from '../src/protocol/index.js';
import { Child } from './support/child.js';
import { documentServer } from './support/mcp-servers.js';
import { RawClient } from './support/raw-client.js';
import type { ServerRequest } from './support/requests.js';
import { compare, runWhenExecuted } from './support/rounds.js';

const PER_ROUND = 200;
const BYTES = 100_000;
/** Each thing is done that often until it is as fast as it gets. */
const WARM_UP = 1_500;
const OFFICE = 'bench';
/** One host that is told of, and one that is not. */
const HOSTS = { told: true, silent: false } as const;

type Host = keyof typeof HOSTS;

interface Bench extends AsyncDisposable {
  ask(event: CallEvent, payload?: object): Promise<void>;
  document(host: Host): Promise<void>;
}

async function open(): Promise<Bench> {
  const server = new Child(new URL('./support/relay-server.ts', import.meta.url), ['ours']);
  const { url } = await server.ask<{ url: string }>({ ask: 'url' } satisfies ServerRequest);
  const documents = new FileDpeResolver();
  const servers = Object.fromEntries(
    Object.entries(HOSTS).map(([host, subscribe]) => [host, documentServer({ host, subscribe, bytes: BYTES })]),
  );
  const computer = new Computer({ name: 'computer', url, servers, documents });
  computer.start();
  await computer.settled();
  await computer.connect();
  await computer.joinOffice(OFFICE);
  const agent = new OfficeConnection({ url, role: 'agent' });
  await agent.connect();
  await agent.join({ officeId: OFFICE, name: 'agent' });
  const base = { agent: 'agent', computer: 'computer', req_id: 'f3a1c2d4e5b60718' };
  const ask = async (event: CallEvent, payload: object = {}): Promise<void> => {
    const answer = await agent.request(event, { ...base, ...payload }, { timeoutMs: 20_000 });
    if (!isJsonObject(answer) || 'code' in answer) throw new Error(`${event}: ${JSON.stringify(answer)}`);
  };
  return {
    ask,
    document: (host) => ask('client:get_dpe', { uri: `dpe://${host}/document` }),
    [Symbol.asyncDispose]: async () => {
      await agent.close();
      await computer.close();
      await documents.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** @returns how long one takes, in ms. */
async function each(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < PER_ROUND; count += 1) await act();
  return (performance.now() - began) / PER_ROUND;
}

/** Runs the benchmark and prints its tables. */
export async function run(): Promise<void> {
  await using bench = await open();
  await using raw = await RawClient.open(documentServer({ host: 'raw', bytes: BYTES }));
  const relay = (): Promise<void> => bench.ask('client:get_tools');
  const read = (): Promise<unknown> => raw.request('resources/read', { uri: 'dpe://raw/document' });
  // A document is subscribed to once it was asked for, and what it became is kept from then on.
  for (let warm = 0; warm < WARM_UP; warm += 1) {
    await relay();
    await read();
    for (const host of ['told', 'silent'] as const) await bench.document(host);
  }
  await compare({
    title: 'A document that is subscribed to and did not change',
    unit: 'ms',
    better: 'lower',
    bar: 1.3,
    rounds: 15,
    baseline: { name: 'client:get_tools', measure: () => each(relay) },
    subject: { name: 'client:get_dpe', measure: () => each(() => bench.document('told')) },
  });
  await compare({
    title: 'A document of 100 KB that is read each time',
    unit: 'ms',
    better: 'lower',
    bar: 1.3,
    rounds: 15,
    baseline: {
      name: 'resources/read, then client:get_tools',
      measure: () =>
        each(async () => {
          await read();
          await relay();
        }),
    },
    subject: { name: 'client:get_dpe', measure: () => each(() => bench.document('silent')) },
  });
}

await runWhenExecuted(import.meta.url, run);
