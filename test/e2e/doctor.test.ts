import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Agent } from '../../src/agent/index.js';
import { runCli, startServer, type Finished } from '../support/cli.js';

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'a2c-doctor-'));
});
const closing: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of closing.splice(0)) await one[Symbol.asyncDispose]();
});
afterAll(() => rm(home, { recursive: true }));

/** Runs the doctor on a machine where nothing was ever kept, and where no proxy is set. */
function doctor(args: readonly string[], env: Record<string, string> = {}): Promise<Finished> {
  const nothing = Object.fromEntries(
    ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'].flatMap((name) => [
      [name, ''],
      [name.toUpperCase(), ''],
    ]),
  );
  const places = { A2C_CONFIG_DIR: home, A2C_LOGINS: join(home, 'logins'), A2C_CACHE_DIR: home, A2C_STATE_DIR: home };
  return runCli(['doctor', ...args], { env: { ...nothing, ...places, ...env } });
}

interface Line {
  readonly check: string;
  readonly verdict: string;
  readonly found: string;
  readonly todo?: string;
}

async function findings(args: readonly string[]): Promise<{ code: number | null; of: (check: string) => Line[] }> {
  const { code, stdout } = await doctor([...args, '--json']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return { code, of: (check) => lines.filter((line) => line.check === check) };
}

/** A port at which connections are taken and nothing is ever said. */
async function silence(): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A web server that answers everything like this. */
async function answering(
  status: number,
  headers: Record<string, string>,
  body = '',
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createHttpServer((_request, response) => response.writeHead(status, headers).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe('a2c doctor', () => {
  it('finds nothing wrong with a good configuration and a good Server, as a table for a person', async () => {
    const { server, url } = await startServer(['--token', 'right']);
    closing.push(server);
    const config = join(home, 'good.json');
    await writeFile(config, JSON.stringify({ servers: { a: { command: process.execPath } } }), { mode: 0o600 });
    const { code, stdout, stderr } = await doctor([config, '--server', url, '--token', 'right']);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^ok {3}Node\.js {7}v\d/);
    expect(stdout).toContain(`ok   commands      a: ${process.execPath}\n`);
    expect(stdout).toMatch(/^ok {3}Server {8}connected with the token within \d+ ms$/m);
    expect(stdout).toMatch(/^ok {3}clock {9}agrees with the Server$/m);
    expect(stdout).toMatch(/^- {4}office {8}is not joined/m);
    expect(stdout).toMatch(/Everything looks good\.\n$/);
    expect(code).toBe(0);
  });

  it('leaves the Server as it was: nothing is logged there, and the office stays free', async () => {
    const { server, url } = await startServer();
    closing.push(server);
    expect((await doctor(['--server', url])).code).toBe(0);
    expect(server.stderr).toBe('');
    const { code, of } = await findings(['--server', url, '--office', 'demo']);
    expect(of('office')).toMatchObject([{ verdict: 'ok', found: 'joined as its Agent, and left again' }]);
    expect(code).toBe(0);
    await using agent = new Agent({ url });
    await agent.connect();
    await agent.joinOffice('demo');
    const taken = await findings(['--server', url, '--office', 'demo']);
    expect(taken.of('office')).toMatchObject([
      { verdict: 'warn', found: expect.stringContaining('an Agent is in it') as string },
    ]);
    expect(taken.code).toBe(0);
    expect(agent.membership?.officeId).toBe('demo');
  });

  it('names everything that is wrong with a configuration, and goes on', async () => {
    const config = join(home, 'bad.json');
    await using web = await answering(500, {});
    const servers = {
      lost: { command: 'there-is-no-such-program' },
      asks: { command: process.execPath, args: ['${input:key}'] },
      sick: { url: `${web.url}/mcp?key=canary` },
      gone: { url: 'http://127.0.0.1:9/mcp' },
    };
    const inputs = [{ id: 'key', type: 'promptString', description: 'k', password: true }];
    await writeFile(config, JSON.stringify({ inputs, servers }));
    const { code, stdout } = await doctor([config, '--json']);
    const { of } = await findings([config]);
    expect(of('commands')[0]).toMatchObject({
      verdict: 'fail',
      found: 'lost: there is no program there-is-no-such-program on PATH',
    });
    expect(of('inputs')).toMatchObject([{ verdict: 'warn', found: expect.stringContaining('A2C_SMCP_KEY') as string }]);
    expect(of('http-servers')).toMatchObject([
      { verdict: 'warn', found: expect.stringMatching(/^sick: 127\.0\.0\.1:\d+ answers HTTP status 500$/) as string },
      { verdict: 'fail', found: 'gone: 127.0.0.1:9: ECONNREFUSED' },
    ]);
    expect(stdout).not.toContain('canary');
    expect(code).toBe(1);
  });

  it('says where a configuration breaks off, and still looks at the rest', async () => {
    const config = join(home, 'broken.json');
    await writeFile(config, '{ "servers": { "a": { "command": "node" }');
    const { code, of } = await findings([config]);
    expect(of('configuration')).toMatchObject([
      { verdict: 'fail', found: expect.stringContaining('broken.json') as string },
    ]);
    expect(of('node')).toMatchObject([{ verdict: 'ok' }]);
    expect(of('commands')).toMatchObject([{ verdict: 'skipped' }]);
    expect(code).toBe(1);
  });

  it('names both versions when the Server speaks another protocol', async () => {
    const refusal = {
      code: 4008,
      message: 'Protocol version mismatch',
      client_version: '0.2.0',
      server_version: '0.7.0',
      min_supported: '0.6.0',
      max_supported: '0.7.9',
    };
    const headers = { 'content-type': 'application/json', 'x-a2c-error-code': '4008' };
    await using other = await answering(400, headers, JSON.stringify(refusal));
    const { code, of } = await findings(['--server', other.url]);
    expect(of('server')).toMatchObject([
      { verdict: 'fail', found: expect.stringMatching(/0\.2\.0.*0\.7\.0 \(it accepts 0\.6\.0 to 0\.7\.9\)/) as string },
    ]);
    expect(code).toBe(1);
  });

  it('tells what is wrong with the token', async () => {
    const { server, url } = await startServer(['--token', 'right']);
    closing.push(server);
    const { code, of } = await findings(['--server', url, '--token', 'canary']);
    expect(of('server')).toMatchObject([{ verdict: 'fail', todo: 'check --token, --token-file or A2C_TOKEN' }]);
    expect(JSON.stringify(of('server'))).not.toContain('canary');
    expect(code).toBe(1);
  });

  it('does not wait for ever for a Server that says nothing', async () => {
    await using silent = await silence();
    const { code, of } = await findings(['--server', silent.url, '--timeout', '1']);
    expect(of('server')).toMatchObject([
      { verdict: 'fail', found: expect.stringMatching(/ within 1(000 ms| s)$/) as string },
    ]);
    expect(of('clock')).toHaveLength(1);
    expect(code).toBe(1);
  });

  it('says that there is no Server, and what to do', async () => {
    const { code, of } = await findings(['--server', 'http://127.0.0.1:9']);
    expect(of('server')).toMatchObject([{ verdict: 'fail', todo: 'does the Server run?' }]);
    expect(of('clock')).toMatchObject([{ verdict: 'skipped' }]);
    expect(code).toBe(1);
  });

  it('notices a clock that is wrong', async () => {
    await using late = await answering(404, { date: new Date(Date.now() - 300_000).toUTCString() });
    const { of } = await findings(['--server', late.url]);
    expect(of('clock')).toMatchObject([
      { verdict: 'warn', found: expect.stringMatching(/^(299|300|301) s ahead of the Server$/) as string },
    ]);
  });

  it('refuses wrong usage as every command does', async () => {
    const { code, stderr } = await doctor(['--timeout', '0']);
    expect(code).toBe(2);
    expect(stderr).toContain('--timeout: expected a whole number from 1 to 300');
    expect((await findings(['--ca', '/nowhere.pem'])).of('network')).toMatchObject([
      { verdict: 'fail', found: expect.stringContaining('--ca: cannot read /nowhere.pem') as string },
    ]);
  });
});
