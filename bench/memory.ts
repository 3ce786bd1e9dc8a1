// What an idle member costs: heap and external memory after garbage collection, ours against bare sockets in one room.
import { Child } from './support/child.js';
import type { LoadRequest, ServerRequest } from './support/requests.js';
import { compare, runWhenExecuted, type Side } from './support/rounds.js';

const MEMBERS = 5_000;
const NODE_OPTIONS = ['--expose-gc'];

/** Opens members on a fresh server. @returns bytes per member. */
async function bytesPerMember(kind: 'ours' | 'bare-members'): Promise<number> {
  await using server = new Child(new URL('./support/relay-server.ts', import.meta.url), [kind], NODE_OPTIONS);
  await using load = new Child(new URL('./support/relay-load.ts', import.meta.url));
  const { url } = await server.ask<{ url: string }>({ ask: 'url' } satisfies ServerRequest);
  const open = async (from: number, count: number): Promise<number> => {
    await load.ask({ load: 'members', url, from, count, join: kind === 'ours' } satisfies LoadRequest);
    return (await server.ask<{ bytes: number }>({ ask: 'memory' } satisfies ServerRequest)).bytes;
  };
  // The first ones pay for code and caches that all share.
  const before = await open(0, 500);
  return ((await open(500, MEMBERS)) - before) / MEMBERS;
}

/** Runs the benchmark and prints its table. */
export async function run(): Promise<void> {
  const side = (name: string, kind: 'ours' | 'bare-members'): Side => ({ name, measure: () => bytesPerMember(kind) });
  await compare({
    title: `Memory per idle member, ${MEMBERS} members`,
    unit: 'bytes',
    better: 'lower',
    bar: 1.3,
    baseline: side('bare sockets in one room', 'bare-members'),
    subject: side('Server, offices of 50', 'ours'),
    warmUp: 0,
  });
}

await runWhenExecuted(import.meta.url, run);
