/**
 * An MCP server over stdio with windows, which waits before it answers: `node window-server.mjs '{ "windows": 5, … }'`.
 * SIGUSR2 changes its first window, which it tells those who subscribed.
 */
import { createInterface } from 'node:readline';

const options = { host: 'bench', windows: 5, bytes: 1_000, delayMs: 0, ...JSON.parse(process.argv[2] ?? '{}') };
const uris = Array.from({ length: options.windows }, (_, index) => `window://${options.host}/${index}`);
let version = 0;

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function answer(method, params) {
  if (method === 'initialize') {
    const capabilities = { tools: {}, resources: { subscribe: true, listChanged: true } };
    return { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'windows', version: '1' } };
  }
  if (method === 'tools/list') return { tools: [] };
  if (method === 'resources/list') return { resources: uris.map((uri) => ({ uri, name: uri })) };
  if (method === 'resources/templates/list') return { resourceTemplates: [] };
  if (method !== 'resources/read') return {};
  const text = `${process.pid} ${version} `.padEnd(options.bytes, 'x');
  return { contents: [{ uri: params.uri, mimeType: 'text/plain', text }] };
}

process.on('SIGUSR2', () => {
  version += 1;
  write({ method: 'notifications/resources/updated', params: { uri: uris[0] } });
});
createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const reply = () => write({ id, result: answer(method, params) });
    if (options.delayMs === 0) reply();
    else setTimeout(reply, options.delayMs);
  })
  .on('close', () => process.exit(0));
