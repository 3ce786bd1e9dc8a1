// What a server feels of its neighbours: p95 of its calls while one hangs and one floods its standard error, all hosted
// by one manager, against the same with those two drained by another process.
import type { McpServerManager } from '../src/computer/mcp/mcp-server-manager.js';
import { Child } from './support/child.js';
import { newManager, startAll } from './support/manager.js';
import { floodServer, rawServer, stdioConfig, type Program } from './support/mcp-servers.js';
import type { DrainRequest } from './support/requests.js';
import { compare, quantile, runWhenExecuted, type Side } from './support/rounds.js';

const ROUND_MS = 1_500;
const WARM_UP_CALLS = 500;
/** Calls that the hanging server keeps: as many as it may have at a time. */
const HANGING_CALLS = 16;

const GOOD = stdioConfig('good', rawServer({ only: ['echo'] }));
const HANGING = rawServer({ only: ['hang'] });
const ARGS = { text: 'x'.repeat(185) };
const LONG = { timeoutMs: 600_000 };

interface Workload {
  readonly title: string;
  readonly bytesPerWrite: number;
  readonly inFlight: number;
}

const WORKLOADS: readonly Workload[] = [
  { title: 'in pieces of 10 KB, 1 call in flight', bytesPerWrite: 10_000, inFlight: 1 },
  { title: 'line by line, 1 call in flight', bytesPerWrite: 100, inFlight: 1 },
  { title: 'line by line, 16 calls in flight', bytesPerWrite: 100, inFlight: 16 },
];

/** @returns the 95th percentile of the time of a call, in ms. */
async function p95(manager: McpServerManager, inFlight: number): Promise<number> {
  for (let call = 0; call < WARM_UP_CALLS; call += 1) await manager.callTool('echo', ARGS, LONG);
  const times: number[] = [];
  const end = performance.now() + ROUND_MS;
  const lane = async (): Promise<void> => {
    for (let began = performance.now(); began < end;) {
      await manager.callTool('echo', ARGS, LONG);
      const now = performance.now();
      times.push(now - began);
      began = now;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
  return quantile(times, 0.95);
}

/** The two are children of another process. */
async function besideOthers(flooding: Program, inFlight: number): Promise<number> {
  await using drain = new Child(new URL('./support/drain.ts', import.meta.url));
  await using manager = newManager();
  await startAll(manager, [GOOD]);
  const programs = [HANGING, flooding];
  await drain.ask({ programs, tool: 'hang', calls: HANGING_CALLS } satisfies DrainRequest);
  const result = await p95(manager, inFlight);
  // Its servers end before it does.
  await drain.ask({ programs: [], tool: 'hang', calls: 0 } satisfies DrainRequest);
  return result;
}

/** All three are ours. */
async function together(flooding: Program, inFlight: number): Promise<number> {
  await using manager = newManager();
  await startAll(manager, [GOOD, stdioConfig('hanging', HANGING), stdioConfig('flood', flooding)]);
  for (let call = 0; call < HANGING_CALLS; call += 1) manager.callTool('hang', {}, LONG).catch(() => undefined);
  return await p95(manager, inFlight);
}

/** Runs the benchmark and prints its tables. */
export async function run(): Promise<void> {
  for (const { title, bytesPerWrite, inFlight } of WORKLOADS) {
    const flooding = floodServer({ bytesPerSecond: 1_000_000, bytesPerWrite });
    const baseline: Side = { name: 'drained by another process', measure: () => besideOthers(flooding, inFlight) };
    await compare({
      title: `p95 of a call beside a server that hangs and one that floods stderr with 1 MB/s ${title}`,
      unit: 'ms',
      better: 'lower',
      bar: 1.5,
      baseline,
      subject: { name: 'all in one manager', measure: () => together(flooding, inFlight) },
    });
  }
}

await runWhenExecuted(import.meta.url, run);
