// What is left of servers that were started and stopped 200 times: nothing. Children, handles, and the growth of the
// heap from the 20th to the 200th.
import type { McpServerManager } from '../src/computer/mcp/mcp-server-manager.js';
import { Child } from './support/child.js';
import { newManager } from './support/manager.js';
import { httpConfig, rawServer, stdioConfig } from './support/mcp-servers.js';
import { openHandles, settledHandles } from './support/open-handles.js';
import { ProcessMark } from './support/processes.js';
import { runWhenExecuted } from './support/rounds.js';

const TIMES = 200;
const FIRST = 20;
const MAX_GROWTH = 5_000_000;

/** Heap after garbage collection, in bytes. */
function heapUsed(): number {
  for (let index = 0; index < 4; index += 1) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** One of everything that a start can be: well, with a grandchild, over HTTP, and one that fails. */
async function openServers(mark: ProcessMark, url: string): Promise<McpServerManager> {
  const manager = newManager({ restarts: { maxRestarts: 0 } });
  const stderr = { stderrBytes: 100_000, banner: true };
  const configs = [
    stdioConfig('plain', rawServer({ only: ['echo'], extraTools: 50 }), mark.env),
    stdioConfig('loud', rawServer({ only: ['pid'], grandchild: 1_800, ...stderr }), mark.env),
    stdioConfig('dying', rawServer({ dieAtOnce: 3 }), mark.env),
    httpConfig('http', url),
  ];
  await manager.setServers(configs.map((config) => ({ config })));
  await stopAll(manager);
  return manager;
}

async function stopAll(manager: McpServerManager): Promise<void> {
  await Promise.all(manager.serverNames().map((name) => manager.stop(name)));
}

async function startAndStop(manager: McpServerManager): Promise<void> {
  const starts = await Promise.allSettled(manager.serverNames().map((name) => manager.start(name)));
  const failed = starts.filter(({ status }) => status === 'rejected');
  if (failed.length !== 1) throw new Error(`${failed.length} starts failed, not only the one that must`);
  await Promise.all([manager.callTool('echo', { text: 'x' }), manager.callTool('http-echo', { text: 'x' })]);
  await stopAll(manager);
}

/** Runs the benchmark and prints its table. */
export async function run(): Promise<void> {
  if (globalThis.gc === undefined) throw new Error('Run it with --expose-gc, as `npm run bench -- churn` does');
  const mark = new ProcessMark();
  await using http = new Child(new URL('./support/http-server.ts', import.meta.url));
  const { url } = await http.ask<{ url: string }>({});
  const handlesBefore = openHandles();
  await using manager = await openServers(mark, url);
  let heapAtFirst = 0;
  for (let time = 1; time <= TIMES; time += 1) {
    await startAndStop(manager);
    if (time === FIRST) heapAtFirst = heapUsed();
  }
  const growth = heapUsed() - heapAtFirst;
  const handles = await settledHandles(handlesBefore);
  const children = mark.list();
  const rows: [what: string, found: string, isMet: boolean][] = [
    ['children left', children.map(({ command }) => command).join('; ') || 'none', children.length === 0],
    ['handles left', handles.join(', ') || 'none', handles.length === 0],
    [`heap, ${FIRST}th to ${TIMES}th`, `${(growth / 1e6).toFixed(2)} MB (bar < 5 MB)`, growth < MAX_GROWTH],
  ];
  const lines = rows.map(([what, found, isMet]) => `  ${what.padEnd(24)} ${found}: ${isMet ? 'passes' : 'misses'}`);
  process.stdout.write(`\n${TIMES} starts and stops of ${manager.serverNames().length} servers\n${lines.join('\n')}\n`);
  if (rows.some(([, , isMet]) => !isMet)) process.exitCode = 1;
}

await runWhenExecuted(import.meta.url, run);
