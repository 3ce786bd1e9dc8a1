// What hosting costs when a Computer starts: twenty stdio servers until all run, against bare children, two at a time.
import type { McpServerConfig } from '../src/protocol/index.js';
import { newManager, startAll } from './support/manager.js';
import { packageServer, rawServer, stdioConfig, type Program } from './support/mcp-servers.js';
import { RawClient } from './support/raw-client.js';
import { compare, runWhenExecuted } from './support/rounds.js';

const SERVERS = 20;
const AT_A_TIME = 2;

const WORKLOADS: readonly { readonly title: string; readonly program: Program; readonly rounds: number }[] = [
  { title: 'hand-written', program: rawServer({ only: ['echo', 'pid'] }), rounds: 9 },
  { title: 'server-memory', program: packageServer('@modelcontextprotocol/server-memory'), rounds: 5 },
];

/** Raw spawn, initialize and tools/list. @returns ms until the last server has listed its tools. */
async function startBare(program: Program): Promise<number> {
  const clients: RawClient[] = [];
  let left = SERVERS;
  const began = performance.now();
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      clients.push(await RawClient.open(program));
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  const took = performance.now() - began;
  await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  return took;
}

/** @returns ms until every server is `running`. */
async function startManaged(configs: readonly McpServerConfig[]): Promise<number> {
  await using manager = newManager({ startThrottle: { slots: AT_A_TIME } });
  const began = performance.now();
  await startAll(manager, configs);
  return performance.now() - began;
}

/** Runs the benchmark and prints its tables. */
export async function run(): Promise<void> {
  for (const { title, program, rounds } of WORKLOADS) {
    const configs = Array.from({ length: SERVERS }, (_, index) => stdioConfig(`server-${index}`, program));
    const bare = { name: 'spawn, initialize, tools/list', measure: () => startBare(program) };
    await compare({
      title: `Start of ${SERVERS} stdio servers (${title}), ${AT_A_TIME} at a time`,
      unit: 'ms',
      better: 'lower',
      bar: 1.3,
      baseline: bare,
      subject: { name: 'McpServerManager', measure: () => startManaged(configs) },
      rounds,
    });
  }
}

await runWhenExecuted(import.meta.url, run);
