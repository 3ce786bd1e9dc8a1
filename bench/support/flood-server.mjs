/**
 * An MCP server that floods its standard error from its first answer on. `node flood-server.mjs '{ … }'`
 */
import { createInterface } from 'node:readline';

const options = {
  /** Bytes a second. */
  bytesPerSecond: 1_000_000,
  /** Bytes of one write; a line has 100. */
  bytesPerWrite: 10_000,
  ...JSON.parse(process.argv[2] ?? '{}'),
};

const LINE = 100;
const text = `${'2026-01-01T00:00:00Z WARN retrying the upstream '.padEnd(LINE - 1, '.')}\n`.repeat(
  options.bytesPerWrite / LINE,
);

function flood() {
  const began = Date.now();
  let written = 0;
  setInterval(() => {
    const due = ((Date.now() - began) * options.bytesPerSecond) / 1_000;
    for (; written < due; written += text.length) process.stderr.write(text);
  }, 5);
}

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'flood', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'flood', inputSchema: { type: 'object' } }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = results[method]?.(params) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
  if (method === 'tools/list') flood();
});
