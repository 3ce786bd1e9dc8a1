import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Agent } from '../../src/agent/index.js';
import { Computer, FileDpeResolver } from '../../src/computer/index.js';
import { ErrorCode } from '../../src/protocol/index.js';
import { Server } from '../../src/server/index.js';

const root = join(import.meta.dirname, '..', '..');
const tsx = pathToFileURL(join(root, 'node_modules/tsx/dist/loader.mjs')).href;
const filesystem = join(root, 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');

/** A port that is free now; the examples name a fixed one, as a reader would. */
async function freePort(): Promise<number> {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const { port } = holder.address() as AddressInfo;
  holder.close();
  await once(holder, 'close');
  return port;
}

/** An empty folder in which the package is installed. */
const home = mkdtempSync(join(tmpdir(), 'a2c-examples-'));
const running: ChildProcessWithoutNullStreams[] = [];

beforeAll(() => {
  mkdirSync(join(home, 'node_modules'));
  symlinkSync(root, join(home, 'node_modules', 'a2c-smcp'));
  for (const name of ['@modelcontextprotocol', 'zod']) {
    symlinkSync(join(root, 'node_modules', name), join(home, 'node_modules', name));
  }
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
});

afterAll(async () => {
  for (const child of running.reverse()) {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  rmSync(home, { recursive: true });
});

/** Writes an example as it stands in the documentation, but for another port and without asking a registry. */
function place(name: string, folder: string, port = 8000): string {
  const source = readFileSync(join(root, 'examples', folder, `${name}.ts`), 'utf8')
    .replaceAll('8000', String(port))
    .replace(`'npx'`, JSON.stringify(process.execPath))
    .replace(`['tsx', 'mcp-server.ts']`, JSON.stringify(['--import', tsx, 'mcp-server.ts']))
    .replace(`['-y', '@modelcontextprotocol/server-filesystem', '.']`, JSON.stringify([filesystem, '.']));
  const file = join(home, `${name}.ts`);
  writeFileSync(file, source);
  return file;
}

/** Starts an example. */
function start(name: string, port?: number, folder = 'three-roles'): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, ['--import', tsx, place(name, folder, port)], { cwd: home });
  running.push(child);
  return child;
}

async function output(child: ChildProcessWithoutNullStreams, pattern: RegExp): Promise<string> {
  let seen = '';
  child.stderr.on('data', (chunk: Buffer) => (seen += chunk.toString()));
  for await (const line of createInterface({ input: child.stdout })) {
    seen += `${line}\n`;
    if (pattern.test(seen)) return seen;
  }
  throw new Error(`ended without ${String(pattern)}: ${seen}`);
}

describe('the examples of the documentation', () => {
  it('serve, host, call, tell outcomes apart, follow a desktop and watch', async () => {
    const port = await freePort();
    await output(start('serve', port), /Server at http:\/\/127\.0\.0\.1:\d+/);
    await output(start('host', port), /files: running, \d+ tools/);
    expect(await output(start('call', port), /package\.json/)).toContain('[FILE] package.json');
    expect(await output(start('outcomes', port, 'agent'), /answered: /)).toMatch(/failed in the tool[^]*\[ 'files' \]/);
    const desktop = start('desktop', port, 'agent');
    const left = once(desktop, 'exit');
    expect(await output(desktop, /windows/)).toContain('0 windows');
    // An office has one Agent at a time.
    await left;
    await output(start('watch', port, 'agent'), /laptop: list_directory/);
  });

  it('go from an empty MCP server to a document that an Agent has read', async () => {
    place('mcp-server', 'documents');
    const seen = await output(start('read', undefined, 'documents'), /None/);
    expect(seen).toContain('# Annual report\n\n## Revenue\n\nIt grew by a fifth.\n\n## Costs\n\nNone.\n');
  });

  it('find the documents of a Computer, and read them page by page', async () => {
    const port = await freePort();
    await using server = new Server();
    const { url } = await server.listen(port);
    await using documents = new FileDpeResolver();
    const reports = { command: process.execPath, args: ['--import', tsx, place('mcp-server', 'documents')], cwd: home };
    const broken = { command: process.execPath, args: ['-e', ''] };
    await using computer = new Computer({ name: 'laptop', url, servers: { reports, broken }, documents });
    computer.start();
    await computer.connect();
    await computer.joinOffice('demo');
    await computer.settled();
    const seen = await output(start('documents', port, 'agent'), /a fifth/);
    expect(seen).toMatch(/^broken: failed$/m);
    expect(seen).toMatch(/Annual report: 2 pages\npage 0: Revenue\npage 1: Costs\np\. 0: It grew by a fifth\.\n/);
  });

  it('show a window that changes, and documents of a folder', async () => {
    const folder = join(home, 'notes');
    mkdirSync(folder);
    writeFileSync(join(folder, 'to do.txt'), 'First\n\nSecond');
    writeFileSync(join(folder, 'secret.key'), 'no text file');
    await using server = new Server();
    const { url } = await server.listen(0);
    await using documents = new FileDpeResolver();
    const args = ['--import', tsx, place('live-server', 'documents'), folder];
    const notes = { command: process.execPath, args, cwd: home, default_tool_meta: { auto_apply: true } };
    await using computer = new Computer({ name: 'laptop', url, servers: { notes }, documents });
    computer.start();
    await using agent = new Agent({ url });
    for (const member of [computer, agent]) {
      await member.connect();
      await member.joinOffice('demo');
    }
    await computer.settled();
    const desktops = agent.watchDesktop('laptop');
    expect((await desktops.next()).value).toEqual(['window://com.example.notes/board']);
    await agent.callTool('laptop', 'note', { line: 'hello' });
    expect((await desktops.next()).value).toEqual(['window://com.example.notes/board\n\nhello']);
    await desktops.return();
    const found: string[] = [];
    for await (const { uri } of agent.discoverDocuments('laptop')) found.push(uri);
    expect(found).toEqual(['dpe://com.example.notes/to%20do.txt']);
    const document = await agent.openDocument('laptop', found[0] ?? '');
    expect(await document.text()).toBe('First\nSecond');
    const secret = agent.openDocument('laptop', 'dpe://com.example.notes/secret.key');
    await expect(secret).rejects.toMatchObject({ code: ErrorCode.DpeResolutionFailed });
  });
});
