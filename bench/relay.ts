// What the relay's checks cost: Agent → Server → Computer → Server → Agent, ours against bare Socket.IO.
import { Child } from './support/child.js';
import type { LoadRequest, LoadResult, ServerRequest } from './support/requests.js';
import { compare, runWhenExecuted, type Comparison, type Side } from './support/rounds.js';

interface Workload {
  readonly title: string;
  readonly bytes: number;
  readonly inFlight: number;
  readonly ms: number;
  readonly rounds?: number;
  readonly measure: 'callsPerSecond' | 'p50';
  readonly bar?: number;
}

const WORKLOADS: readonly Workload[] = [
  { title: 'Relay, 200 B, 64 in flight', bytes: 200, inFlight: 64, ms: 700, measure: 'callsPerSecond', bar: 0.85 },
  { title: 'Relay, 200 B, 1 in flight, p50', bytes: 200, inFlight: 1, ms: 400, measure: 'p50', bar: 1.15 },
  { title: 'Relay, 10 KB, 64 in flight', bytes: 10_000, inFlight: 64, ms: 500, measure: 'callsPerSecond' },
  { title: 'Relay, 500 KB, 8 in flight', bytes: 500_000, inFlight: 8, ms: 1_000, measure: 'callsPerSecond' },
];

async function start(kind: string): Promise<{ readonly child: Child; readonly url: string }> {
  const child = new Child(new URL('./support/relay-server.ts', import.meta.url), [kind]);
  const { url } = await child.ask<{ url: string }>({ ask: 'url' } satisfies ServerRequest);
  return { child, url };
}

/** Runs the benchmark and prints its tables. */
export async function run(): Promise<void> {
  const [bare, ours, bareAgain] = await Promise.all([start('bare-relay'), start('ours'), start('bare-relay')]);
  await using load = new Child(new URL('./support/relay-load.ts', import.meta.url));
  try {
    for (const { title, bytes, inFlight, ms, rounds, measure, bar } of WORKLOADS) {
      const side = (name: string, url: string): Side => ({
        name,
        measure: async () => {
          const request: LoadRequest = { load: 'calls', url, bytes, inFlight, ms };
          return (await load.ask<LoadResult>(request))[measure];
        },
      });
      await compare({
        title,
        unit: measure === 'p50' ? 'ms' : 'calls/s',
        better: measure === 'p50' ? 'lower' : 'higher',
        baseline: side('bare Socket.IO', bare.url),
        control: side('bare Socket.IO', bareAgain.url),
        subject: side('Server', ours.url),
        bar,
        rounds,
      } satisfies Comparison);
    }
  } finally {
    await Promise.all([bare, ours, bareAgain].map(({ child }) => child[Symbol.asyncDispose]()));
  }
}

await runWhenExecuted(import.meta.url, run);
