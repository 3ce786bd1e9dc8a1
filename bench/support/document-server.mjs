/**
 * An MCP server over stdio with one document: `node document-server.mjs '{ "bytes": 10000, … }'`. With `uri` it is by
 * reference, there.
 */
import { createInterface } from 'node:readline';

const options = { host: 'bench', bytes: 10_000, subscribe: true, tools: 10, ...JSON.parse(process.argv[2] ?? '{}') };
const { host, bytes, subscribe, uri: reference } = options;
const uri = `dpe://${host}/document`;
const INLINE = { mimeType: 'application/json', text: JSON.stringify({ pages: [], filler: 'x'.repeat(bytes) }) };
const content =
  reference === undefined
    ? INLINE
    : { mimeType: 'application/vnd.a2c.dpe-uri+json', text: JSON.stringify({ uri: reference }) };

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const tools = Array.from({ length: options.tools }, (_, index) => {
  const properties = { text: { type: 'string', description: 'what to say' } };
  return { name: `tool-${index}`, description: 'does something', inputSchema: { type: 'object', properties } };
});

function answer(method, params) {
  if (method === 'initialize') {
    const capabilities = { tools: {}, resources: { subscribe, listChanged: true } };
    return { protocolVersion: params.protocolVersion, capabilities, serverInfo: { name: 'documents', version: '1' } };
  }
  if (method === 'tools/list') return { tools };
  if (method === 'resources/list') return { resources: [{ uri, name: 'document', mimeType: 'application/json' }] };
  if (method === 'resources/templates/list') return { resourceTemplates: [] };
  if (method === 'resources/read') return { contents: [{ uri: params.uri, ...content }] };
  return {};
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id !== undefined) write({ id, result: answer(method, params) });
  })
  .on('close', () => process.exit(0));
