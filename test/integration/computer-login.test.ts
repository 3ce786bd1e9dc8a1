import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Computer, FileTokenStore, LoginError, type ComputerOptions } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { TestAuthorizationServer, type TokenFailure } from '../fixtures/computer/authorization-server.js';
import { nextEvent, Office, officeServer, textOf } from '../fixtures/computer/office.js';
import { ProtectedServer } from '../fixtures/computer/protected-server.js';
import { RecordingLogger } from '../support/recording-logger.js';

let authorization: TestAuthorizationServer;
let server: ProtectedServer;
let folder: string;
const closing: AsyncDisposable[] = [];

beforeEach(async () => {
  authorization = await TestAuthorizationServer.open();
  server = await ProtectedServer.open(authorization);
  folder = await mkdtemp(join(tmpdir(), 'a2c-login-'));
});
afterEach(async () => {
  for (const one of closing.splice(0).reverse()) await one[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await authorization[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A person who agrees to everything. */
async function browser(url: string): Promise<void> {
  await (await fetch(url)).text();
}

function entry(extra: JsonObject = {}): JsonObject {
  return { url: server.url, type: 'streamable', default_tool_meta: { auto_apply: true }, ...extra };
}

async function openOffice(options: ComputerOptions = {}): Promise<Office> {
  const servers = { web: entry(), local: officeServer({ only: ['echo'] }) };
  const office = await Office.open({ servers, openBrowser: browser, ...options });
  closing.push(office);
  return office;
}

async function openComputer(options: ComputerOptions = {}): Promise<Computer> {
  const computer = new Computer({ servers: { web: entry() }, openBrowser: browser, ...options });
  closing.push(computer);
  computer.start();
  await computer.settled();
  return computer;
}

function webOf(computer: Computer): object {
  return computer.servers().find((one) => one.server === 'web') ?? {};
}

async function toolNames(office: Office): Promise<unknown> {
  const { tools } = await office.ask('client:get_tools');
  return (tools as JsonObject[]).map((tool) => tool['name']);
}

describe('Login at a protected MCP server', () => {
  it('waits for the login, then lists and calls its tools; the others work all the time [R-6.5-required]', async () => {
    const office = await openOffice();
    expect(webOf(office.computer)).toMatchObject({
      state: 'needs-login',
      failure: 'auth-required',
      reason: 'The server wants a login, or other credentials (HTTP 401)',
    });
    expect(await toolNames(office)).toEqual(['echo']);
    expect(textOf(await office.call('read'))).toContain('These MCP servers wait for a login: web');
    await office.computer.login('web');
    expect(webOf(office.computer)).toMatchObject({ state: 'running', tools: 2 });
    expect(await toolNames(office)).toEqual(['read', 'write', 'echo']);
    expect(textOf(await office.call('read'))).toBe('done');
  });

  it('is asked for with PKCE, for the resource, and comes back to this machine only', async () => {
    const computer = await openComputer();
    await computer.login('web');
    expect(authorization.registrations).toMatchObject([
      { client_name: 'A2C-SMCP Computer', token_endpoint_auth_method: 'none', application_type: 'native' },
    ]);
    const asked = Object.fromEntries(authorization.authorizations[0] ?? []);
    expect(asked).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      scope: 'read',
      resource: server.url,
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/) as string,
    });
    // Nobody listens there any more.
    await expect(fetch(asked['redirect_uri'] ?? '')).rejects.toThrow();
  });

  it.each<[string, () => void]>([
    ['without a challenge', () => (server.challenges = false)],
    ['at an address that only the challenge names', () => (server.metadataPath = '/elsewhere')],
  ])('is found %s', async (_where, prepare) => {
    prepare();
    const computer = await openComputer();
    await computer.login('web');
    expect(webOf(computer)).toMatchObject({ state: 'running' });
  });

  it('is found for a server that was not started yet', async () => {
    server.metadataPath = '/elsewhere';
    const computer = new Computer({ servers: { web: entry({ disabled: true }) }, openBrowser: browser });
    closing.push(computer);
    computer.start();
    await computer.login('web');
    expect(webOf(computer)).toMatchObject({ state: 'disabled' });
    await computer.enableServer('web');
    expect(webOf(computer)).toMatchObject({ state: 'running' });
  });

  it('uses a client that was registered by hand', async () => {
    authorization.registers = false;
    authorization.addClient('by-hand');
    const oauth = { clientId: 'by-hand', scopes: ['read', 'more'] };
    const computer = await openComputer({ servers: { web: entry({ oauth }) } });
    await computer.login('web');
    expect(webOf(computer)).toMatchObject({ state: 'running' });
    const [asked] = authorization.authorizations;
    expect([asked?.get('client_id'), asked?.get('scope')]).toEqual(['by-hand', 'read more']);
  });

  it('is one for all servers with its address, and one for two who ask at a time', async () => {
    const computer = await openComputer({ servers: { web: entry(), again: entry() } });
    await Promise.all([computer.login('web'), computer.login('again')]);
    expect(computer.servers()).toMatchObject([{ state: 'running' }, { state: 'running' }]);
    expect(authorization.authorizations).toHaveLength(1);
  });

  it('is renewed once for all calls that wait for it', async () => {
    const office = await openOffice();
    await office.computer.login('web');
    authorization.expireTokens();
    const results = await Promise.all(Array.from({ length: 10 }, () => office.call('read')));
    expect(results.map(textOf)).toEqual(results.map(() => 'done'));
    expect(authorization.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
  });

  it('is renewed before it ends', async () => {
    authorization.lifetime = 10;
    const office = await openOffice();
    await office.computer.login('web');
    const refused = server.seen.filter((method) => method.endsWith('!')).length;
    await office.call('read');
    expect(authorization.tokenRequests.at(-1)).toBe('refresh_token');
    expect(server.seen.filter((method) => method.endsWith('!'))).toHaveLength(refused);
  });

  it.each<TokenFailure>(['invalid_grant', 'invalid_client', 'html-400'])(
    'has ended when it cannot be renewed (%s): 4007, the tools known, nobody asked any more [R-6.5-failed]',
    async (failure) => {
      const office = await openOffice();
      await office.computer.login('web');
      authorization.expireTokens();
      authorization.tokenFailure = failure;
      const waiting = nextEvent(office.computer, 'serverState', ({ state }) => state === 'needs-login');
      const result = await office.call('read');
      expect(result).toMatchObject({ isError: true, meta: { error_code: 4007, mcp_server: 'web' } });
      await waiting;
      expect(await toolNames(office)).toEqual(['echo']);
      const [asked, requests] = [server.seen.length, authorization.tokenRequests.length];
      expect(await office.call('read')).toMatchObject({ meta: { error_code: 4007, mcp_server: 'web' } });
      expect(await office.call('echo')).toMatchObject({ isError: false });
      expect([server.seen.length, authorization.tokenRequests.length]).toEqual([asked, requests]);
      authorization.tokenFailure = undefined;
      await office.computer.login('web');
      expect(await office.call('read')).toMatchObject({ isError: false });
    },
  );

  it.each<TokenFailure>(['http-500', 'cut'])(
    'is kept while the authorization server fails (%s): 4003, and well again afterwards [R-6.5-provider-down]',
    async (failure) => {
      const office = await openOffice();
      await office.computer.login('web');
      authorization.expireTokens();
      authorization.tokenFailure = failure;
      expect(await office.call('read')).toMatchObject({ isError: true, meta: { error_code: 4003 } });
      authorization.tokenFailure = undefined;
      expect(await office.call('read')).toMatchObject({ isError: false });
    },
  );

  it('never lets a call hang on an authorization server that does not answer', async () => {
    const office = await openOffice();
    await office.computer.login('web');
    authorization.expireTokens();
    authorization.tokenFailure = 'silent';
    const result = await office.call('read', {}, { timeout: 1 });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4004 } });
  });

  it('asks for more where a tool needs it, without losing what was granted [R-6.5-failed]', async () => {
    const office = await openOffice();
    await office.computer.login('web');
    expect(await office.call('write')).toMatchObject({ meta: { error_code: 4007, mcp_server: 'web' } });
    expect(webOf(office.computer)).toMatchObject({ state: 'degraded', tools: 2 });
    expect(await office.call('read')).toMatchObject({ isError: false });
    await office.computer.login('web');
    expect(new Set(authorization.authorizations.at(-1)?.get('scope')?.split(' '))).toEqual(new Set(['read', 'write']));
    expect(await office.call('write')).toMatchObject({ isError: false });
    expect(webOf(office.computer)).toMatchObject({ state: 'running' });
  });

  it('is the same over the older transport, and is missed when it has ended', async () => {
    const computer = await openComputer({ servers: { web: entry({ type: 'sse', url: server.sseUrl }) } });
    expect(webOf(computer)).toMatchObject({ state: 'needs-login', failure: 'auth-required' });
    await computer.login('web');
    expect(webOf(computer)).toMatchObject({ state: 'running', tools: 2 });
    authorization.expireTokens();
    await computer.restartServer('web');
    expect(authorization.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
    authorization.revokeAll();
    const missed = nextEvent(computer, 'serverState', ({ state }) => state === 'needs-login');
    server.cutStream();
    await missed;
    expect(webOf(computer)).toMatchObject({ failure: 'auth-failed' });
  });

  it('is forgotten by a logout', async () => {
    const computer = await openComputer();
    await computer.login('web');
    await computer.logout('web');
    expect(webOf(computer)).toMatchObject({ state: 'needs-login', failure: 'auth-required' });
  });

  it.each<[string, string, () => unknown, JsonObject?]>([
    ['the person says no', 'denied', () => (authorization.consent = 'deny')],
    ['another authorization server answers', 'denied', () => (authorization.claimedIssuer = 'https://evil.example')],
    ['the code is not taken', 'denied', () => (authorization.tokenFailure = 'invalid_grant')],
    ['nobody can be registered', 'not-registered', () => (authorization.registers = false)],
    ['there is no PKCE', 'not-offered', () => (authorization.codeChallengeMethods = ['plain'])],
    ['it is for another server', 'not-offered', () => (server.claimedResource = 'https://other.example/mcp')],
    [
      'it is at a place without protection',
      'not-offered',
      () => (server.authorizationServers = ['http://auth.example']),
    ],
    ['the server is a program', 'not-possible', () => undefined, officeServer()],
    ['it has its own credentials', 'not-possible', () => undefined, { headers: { Authorization: 'Bearer mine' } }],
    ['it is not wanted', 'not-possible', () => undefined, { oauth: false }],
  ])('does not come about when %s', async (_why, failure, prepare, extra = {}) => {
    prepare();
    const web = 'server_parameters' in extra ? extra : entry(extra);
    const computer = await openComputer({ servers: { web } });
    const error: unknown = await computer.login('web').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LoginError);
    expect(error).toMatchObject({ failure });
  });

  it('registers anew when the authorization server has forgotten this Computer', async () => {
    const computer = await openComputer();
    await computer.login('web');
    authorization.revokeAll();
    authorization.tokenFailure = 'invalid_grant';
    await computer.restartServer('web').catch(() => undefined);
    authorization.tokenFailure = undefined;
    authorization.forgetClients();
    await expect(computer.login('web', { timeoutMs: 200 })).rejects.toMatchObject({ failure: 'timeout' });
    await computer.login('web');
    expect(webOf(computer)).toMatchObject({ state: 'running' });
    expect(authorization.registrations).toHaveLength(2);
  });

  it('uses the same registration for the next login', async () => {
    const computer = await openComputer();
    await computer.login('web');
    await computer.login('web');
    expect(authorization.registrations).toHaveLength(1);
    expect(authorization.authorizations).toHaveLength(2);
  });

  it('takes no redirect from somebody who does not know its state, and does not end by it', async () => {
    const computer = await openComputer({
      openBrowser: async (url) => {
        const redirect = new URL(url).searchParams.get('redirect_uri') ?? '';
        const refused = await Promise.all([
          fetch(`${redirect}?code=stolen&state=guessed`),
          fetch(`${redirect}?error=access_denied`),
          fetch(new URL('/other', redirect)),
          fetch(redirect, { method: 'POST' }),
        ]);
        expect(refused.map(({ status }) => status)).toEqual([400, 400, 404, 404]);
        await browser(url);
      },
    });
    await computer.login('web');
    expect(webOf(computer)).toMatchObject({ state: 'running' });
  });

  it('ends in time, with the signal, and with the Computer', async () => {
    const computer = await openComputer({ openBrowser: () => undefined });
    await expect(computer.login('web', { timeoutMs: 100 })).rejects.toMatchObject({ failure: 'timeout' });
    const controller = new AbortController();
    const given = computer.login('web', {
      signal: controller.signal,
      onUrl: () => {
        controller.abort(new Error('enough'));
      },
    });
    await expect(given).rejects.toThrow('enough');
    let shown: (url: string) => void = () => undefined;
    const url = new Promise<string>((resolve) => (shown = resolve));
    const last = computer.login('web', { onUrl: shown });
    last.catch(() => undefined);
    await url;
    await computer.close();
    await expect(last).rejects.toMatchObject({ failure: 'cancelled' });
  });

  it('shows the address even where no browser can be opened', async () => {
    const computer = await openComputer({ openBrowser: () => Promise.reject(new Error('no browser')) });
    await computer.login('web', { onUrl: (url) => void browser(url) });
    expect(webOf(computer)).toMatchObject({ state: 'running' });
  });

  it('says that the port of its redirect is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const computer = await openComputer({ servers: { web: entry({ oauth: { redirect_port: port } }) } });
    await expect(computer.login('web')).rejects.toThrow(`Port ${port} for the redirect (oauth.redirect_port)`);
    await new Promise((resolve) => other.close(resolve));
  });
});

describe('What is kept of a login', () => {
  it('is in a file that only the user can read, and lets the next Computer in', async () => {
    const first = await openComputer({ tokenStore: new FileTokenStore(join(folder, 'logins')) });
    await first.login('web');
    await first.close();
    const files = (await readdir(join(folder, 'logins'))).filter((name) => name !== 'changed');
    expect(files).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.json$/)]);
    const file = join(folder, 'logins', files[0] ?? '');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'logins'))).mode & 0o777).toBe(0o700);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ serverUrl: server.url });
    const second = await openComputer({ tokenStore: new FileTokenStore(join(folder, 'logins')) });
    expect(webOf(second)).toMatchObject({ state: 'running' });
    expect(authorization.authorizations).toHaveLength(1);
  });

  it('has no secret of a client that stands in the configuration, also when it is renewed', async () => {
    authorization.addClient('by-hand');
    const oauth = { client_id: 'by-hand', client_secret: '${input:secret}' };
    const computer = await openComputer({
      tokenStore: new FileTokenStore(folder),
      servers: { web: entry({ oauth }) },
      inputs: [{ id: 'secret', type: 'promptString', description: '', password: true }],
      env: { A2C_SMCP_SECRET: 'typed-in-secret' },
    });
    await computer.login('web');
    authorization.expireTokens();
    await computer.restartServer('web');
    expect(authorization.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
    expect(authorization.clientSecrets).toEqual(['typed-in-secret', 'typed-in-secret']);
    for (const name of await readdir(folder)) {
      expect(await readFile(join(folder, name), 'utf8')).not.toContain('typed-in-secret');
    }
  });

  it('is taken up by another Computer that runs and waits for it', async () => {
    const waiting = await openComputer({ tokenStore: new FileTokenStore(folder) });
    expect(webOf(waiting)).toMatchObject({ state: 'needs-login' });
    const running = nextEvent(waiting, 'serverState', ({ state }) => state === 'running');
    const other = await openComputer({ tokenStore: new FileTokenStore(folder) });
    await other.login('web');
    await running;
  });

  it('is renewed by one of several Computers only: a refresh token can be used once', async () => {
    const computers = await Promise.all([1, 2, 3].map(() => openComputer({ tokenStore: new FileTokenStore(folder) })));
    const [first] = computers;
    const others = computers.slice(1).map((one) => nextEvent(one, 'serverState', ({ state }) => state === 'running'));
    await first?.login('web');
    await Promise.all(others);
    authorization.expireTokens();
    await Promise.all(computers.map((one) => one.restartServer('web')));
    expect(computers.map(webOf)).toMatchObject([{ state: 'running' }, { state: 'running' }, { state: 'running' }]);
    expect(authorization.tokenRequests).toEqual(['authorization_code', 'refresh_token']);
  });

  it('shows in no event, log line, state, error or answer [R-1-no-credentials]', async () => {
    const logger = new RecordingLogger();
    const told: unknown[] = [];
    const office = await openOffice({ logger, servers: { web: entry({ oauth: { scope: 'read' } }) } });
    const { computer } = office;
    for (const event of ['serverState', 'diagnostic', 'toolCall', 'configChanged', 'toolsChanged'] as const) {
      computer.on(event, (...args) => told.push(args));
    }
    await computer.login('web');
    told.push(await office.call('read'), await office.call('write'));
    authorization.expireTokens();
    told.push(await office.call('read'));
    authorization.revokeAll();
    authorization.tokenFailure = 'invalid_grant';
    told.push(await office.call('read'), await office.call('read'));
    authorization.tokenFailure = 'html-400';
    told.push(String(await computer.login('web').catch((error: unknown) => error)));
    authorization.tokenFailure = undefined;
    authorization.consent = 'deny';
    told.push(String(await computer.login('web').catch((error: unknown) => error)));
    told.push(computer.servers(), computer.history, await office.ask('client:get_config'), logger.lines);
    const text = JSON.stringify(told);
    expect(authorization.secrets.length).toBeGreaterThan(8);
    expect(authorization.secrets.filter((secret) => secret !== '' && text.includes(secret))).toEqual([]);
  });
});
