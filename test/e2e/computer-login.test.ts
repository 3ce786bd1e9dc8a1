import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TestAuthorizationServer } from '../fixtures/computer/authorization-server.js';
import { ProtectedServer } from '../fixtures/computer/protected-server.js';
import { RunningCli, runCli, type JsonLine } from '../support/cli.js';

const folder = mkdtempSync(join(tmpdir(), 'a2c-login-cli-'));
const config = join(folder, 'computer.json');
const browser = fileURLToPath(new URL('../fixtures/computer/browser.mjs', import.meta.url));
const env = { A2C_LOGINS: join(folder, 'logins'), BROWSER: `${process.execPath} ${browser} %s` };

let authorization: TestAuthorizationServer;
let server: ProtectedServer;

beforeEach(async () => {
  authorization = await TestAuthorizationServer.open();
  server = await ProtectedServer.open(authorization);
  writeFileSync(config, JSON.stringify({ servers: { web: { type: 'http', url: server.url } } }));
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await authorization[Symbol.asyncDispose]();
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function state(computer: RunningCli, wanted: string): Promise<JsonLine> {
  return computer.line((line) => line['server'] === 'web' && line['state'] === wanted);
}

describe('a2c computer login', () => {
  it('logs in, lets a Computer that runs go on, and out again; no secret is printed [R-1-no-credentials]', async () => {
    await using computer = new RunningCli(['computer', 'run', config, '--log-level', 'debug'], { env });
    expect(await state(computer, 'needs-login')).toMatchObject({
      reason: expect.stringContaining('HTTP 401') as string,
    });
    await computer.logged(/web needs a login: a2c computer login web, or start with --login/);

    const login = await runCli(['computer', 'login', 'web', config, '--json'], { env });
    expect(login).toMatchObject({ code: 0, stderr: '' });
    const lines = login.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonLine);
    expect(lines).toMatchObject([
      { event: 'login_url', server: 'web', url: expect.stringContaining(`${authorization.url}/authorize?`) as string },
      { event: 'logged_in', server: 'web' },
    ]);
    expect(await state(computer, 'running')).toMatchObject({ tools: 2 });
    expect(statSync(env.A2C_LOGINS).mode & 0o777).toBe(0o700);

    expect(await runCli(['computer', 'logout', 'web', config], { env })).toMatchObject({
      code: 0,
      stdout: 'logged out at "web"\n',
    });
    expect(await computer.stop()).toBe(0);
    const printed = JSON.stringify(computer.lines) + computer.stderr;
    expect(authorization.secrets.filter((secret) => secret !== '' && printed.includes(secret))).toEqual([]);
  });

  it('is begun by a Computer that was started with --login', async () => {
    await using computer = new RunningCli(['computer', 'run', config, '--login'], { env });
    expect(await computer.event('login_url')).toMatchObject({ server: 'web' });
    expect(await state(computer, 'running')).toMatchObject({ tools: 2 });
    expect(await computer.stop()).toBe(0);
  });

  it.each([
    ['says which servers there are', ['nope', config], 2, /no MCP server is named "nope" .*; there is web/],
    ['says what a configuration lacks', ['web', join(folder, 'none.json')], 2, /none\.json/],
  ])('%s', async (_what, args, code, problem) => {
    const result = await runCli(['computer', 'login', ...args], { env });
    expect(result).toMatchObject({ code, stdout: '' });
    expect(result.stderr).toMatch(problem);
  });

  it('fails with one line when the person says no, or does nothing', async () => {
    authorization.consent = 'deny';
    expect(await runCli(['computer', 'login', 'web', config], { env })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/error: The login was refused \(access_denied\)\n$/) as string,
    });
    const idle = { ...env, BROWSER: 'true' };
    expect(await runCli(['computer', 'login', 'web', config, '--timeout', '1'], { env: idle })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Nobody finished the login in time') as string,
    });
  });
});
