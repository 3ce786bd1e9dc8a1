// How much memory a Computer takes at most for one large document: 20 MB within the answer of an MCP server, and 100 MB
// that are elsewhere and are copied.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Child } from './support/child.js';
import type { DocumentMemory, DocumentRequest } from './support/requests.js';
import { median, runWhenExecuted } from './support/rounds.js';

const MB = 1_000_000;
const TIMES = 3;
const SIZES = { inline: 20 * MB, reference: 100 * MB } as const;
const BARS = { inline: 5 * SIZES.inline, reference: 32 * MB } as const;

/** Serves that many bytes at any path but `/small`. */
async function serveBytes(total: number): Promise<{ readonly url: string } & AsyncDisposable> {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const server = createServer(({ url }, response) => {
    let left = url === '/small' ? piece.length : total;
    const more = (): void => {
      while (left > 0) {
        const part = piece.subarray(0, Math.min(left, piece.length));
        left -= part.length;
        if (!response.write(part)) return;
      }
      response.end();
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function measure(request: DocumentRequest): Promise<DocumentMemory> {
  await using computer = new Child(new URL('./support/document-computer.ts', import.meta.url), [], ['--expose-gc']);
  return await computer.ask<DocumentMemory>(request);
}

/** Runs the benchmark and prints its table. */
export async function run(): Promise<void> {
  if (process.platform !== 'linux') {
    process.stdout.write('\nMemory of documents: not measured, only Linux tells the peak\n');
    return;
  }
  await using source = await serveBytes(SIZES.reference);
  process.stdout.write(`\nPeak resident memory of a Computer for one document (median of ${TIMES})\n`);
  for (const [kind, request] of [
    ['inline', { bytes: SIZES.inline }],
    ['reference', { uri: source.url }],
  ] as const) {
    const taken: DocumentMemory[] = [];
    for (let time = 0; time < TIMES; time += 1) taken.push(await measure(request));
    const size = taken[0]?.size ?? 0;
    if (size < SIZES[kind]) throw new Error(`Only ${size} bytes of ${SIZES[kind]} came`);
    const growth = median(taken.map((one) => one.growth));
    const isMet = growth <= BARS[kind];
    if (!isMet) process.exitCode = 1;
    const shown = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;
    process.stdout.write(
      `  ${kind.padEnd(9)}  ${shown(size).padStart(8)}  +${shown(growth).padStart(8)}  bar +${shown(BARS[kind])}: ${isMet ? 'passes' : 'misses'}\n`,
    );
  }
}

await runWhenExecuted(import.meta.url, run);
