import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli, type Finished } from '../support/cli.js';
import { Peer } from '../support/peer.js';
import { startServer, type RunningServer } from '../support/running-server.js';

const folder = mkdtempSync(join(tmpdir(), 'a2c-cli-documents-'));
const DOCUMENT = 'dpe://com.example.docs/report';
const content = JSON.stringify({ title: 'Report', pages: [{ uri: 'page' }] });
const page = { elements: [{ element_id: 'e', category: 'ListItem', text: 'red \u001B[31m <b>' }] };

const site = createServer(({ url }, response) => {
  if (url === '/d') response.end(content);
  else if (url === '/page') response.end(JSON.stringify(page));
  else if (url === '/half') response.writeHead(200, { 'content-length': 100 }).write('half', () => response.destroy());
  else if (url === '/large') response.end(Buffer.alloc(20_000_000, 'x'));
  else response.writeHead(404).end();
});
let server: RunningServer;
let computer: Peer;

beforeAll(async () => {
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const { port } = site.address() as AddressInfo;
  server = await startServer();
  computer = await Peer.join(server.url, { role: 'computer', office: 'o', name: 'laptop' });
  computer.on('client:get_tools', () => [{ tools: [] }]);
  computer.on('client:get_config', () => [{ servers: { notes: {}, docs: {}, broken: {} }, inputs: null }]);
  computer.on('client:get_resources', (request) => {
    const { mcp_server: name } = request as { mcp_server: string };
    if (name === 'broken') return [{ code: 500, message: 'out of order' }];
    const meta = { page_count: 12, file_type: 'xlsx' };
    const uris = name === 'docs' ? [DOCUMENT, 'memo:x'] : ['dpe://com.example.notes/one'];
    return [{ resources: uris.map((uri) => ({ uri, name: `Title\u001B[31m of ${name}`, _meta: meta })) }];
  });
  computer.on('client:get_dpe', (request) => {
    const ref = (request as { uri: string }).uri.split('/').at(-1) ?? '';
    return [{ uri: `http://127.0.0.1:${port}/${ref === 'report' ? 'd' : ref}` }];
  });
});

afterAll(async () => {
  await computer[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  site.closeAllConnections();
  site.close();
  rmSync(folder, { recursive: true });
});

function agent(...args: string[]): Promise<Finished> {
  return runCli(['agent', ...args, '--server', server.url, '--office', 'o'], { cwd: folder });
}

describe('a2c agent documents', () => {
  it('lists them by server, and says with exit 1 whose could not be listed', async () => {
    expect(await agent('documents', 'laptop')).toEqual({
      code: 1,
      stdout: [
        'docs   dpe://com.example.docs/report  xlsx  12 p.  Title[31m of docs\n',
        'notes  dpe://com.example.notes/one    xlsx  12 p.  Title[31m of notes\n',
      ].join(''),
      stderr: 'error: The documents of MCP server "broken" could not be listed: 500: out of order\n',
    });
  });

  it('shows as JSON what the servers list, of one server where that is wanted', async () => {
    const { code, stdout } = await agent('documents', 'laptop', '--mcp-server', 'docs', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      documents: [
        expect.objectContaining({ server: 'docs', uri: DOCUMENT, _meta: { page_count: 12, file_type: 'xlsx' } }),
      ],
    });
    const broken = await agent('documents', 'laptop', '--mcp-server', 'broken', '--json');
    expect(JSON.parse(broken.stderr)).toEqual({ code: 500, message: 'out of order', mcp_server: 'broken' });
  });

  it('fails where there is no such Computer', async () => {
    expect(await agent('documents', 'nobody')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: 404/) as string,
    });
  });
});

describe('a2c agent dpe', () => {
  it('prints the content as it is, to the byte', async () => {
    expect(await agent('dpe', 'laptop', DOCUMENT, '--fetch')).toEqual({ code: 0, stdout: content, stderr: '' });
    const { stdout } = await agent('dpe', 'laptop', 'dpe://h/large', '--fetch');
    expect(stdout).toHaveLength(20_000_000);
  });

  it('prints it as Markdown, its pages too, without what would reach the terminal', async () => {
    expect(await agent('dpe', 'laptop', DOCUMENT, '--markdown')).toEqual({
      code: 0,
      stdout: '# Report\n\n- red \\[31m \\<b\\>\n',
      stderr: '',
    });
  });

  it('writes it to a file that is not there yet, or is to be replaced', async () => {
    expect(await agent('dpe', 'laptop', DOCUMENT, '--output', 'report.json')).toMatchObject({ code: 0, stdout: '' });
    expect(readFileSync(join(folder, 'report.json'), 'utf8')).toBe(content);
    expect(await agent('dpe', 'laptop', DOCUMENT, '--output', 'report.json')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'error: report.json exists; replace it with --force\n',
    });
    expect(await agent('dpe', 'laptop', DOCUMENT, '--markdown', '--output', 'report.json', '--force')).toMatchObject({
      code: 0,
    });
    expect(readFileSync(join(folder, 'report.json'), 'utf8')).toMatch(/^# Report\n/);
  });

  it('leaves nothing behind and keeps the older file when the content breaks off', async () => {
    writeFileSync(join(folder, 'kept.txt'), 'older');
    const before = readdirSync(folder);
    const args = ['dpe', 'laptop', 'dpe://h/half', '--output', 'kept.txt', '--force'];
    expect(await agent(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: Document dpe:/) as string,
    });
    expect(readFileSync(join(folder, 'kept.txt'), 'utf8')).toBe('older');
    expect(readdirSync(folder)).toEqual(before);
  });

  it('says where it cannot write, and what is no document', async () => {
    expect(await agent('dpe', 'laptop', DOCUMENT, '--output', 'no/such/folder.json')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error: Cannot write no\/such\/folder\.json: ENOENT/) as string,
    });
    expect(await agent('dpe', 'laptop', 'dpe://h/large', '--markdown')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'error: Document dpe://h/large: it is no JSON\n',
    });
  });
});
