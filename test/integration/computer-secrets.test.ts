import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { Computer, ComputerEvents } from '../../src/computer/index.js';
import type { CallEvent, JsonObject, Logger } from '../../src/protocol/index.js';
import { nextEvent, Office, textOf } from '../fixtures/computer/office.js';
import { faulty } from '../fixtures/mcp-servers/faulty.js';
import { LeakingWebServer } from '../fixtures/mcp-servers/leaking-web-server.js';
import { Canaries } from '../support/canaries.js';

const LEAKING = fileURLToPath(new URL('../fixtures/mcp-servers/leaking-server.mjs', import.meta.url));
const EVENTS: readonly (keyof ComputerEvents)[] = [
  'serverState',
  'toolsChanged',
  'configChanged',
  'desktopChanged',
  'connected',
  'joined',
  'left',
  'disconnected',
  'rejoinFailed',
  'refused',
  'toolStarted',
  'toolProgress',
  'toolCall',
  'serverLog',
  'diagnostic',
];
const auto = { default_tool_meta: { auto_apply: true } };

/** Everything that can be seen of a Computer from outside, as text, and where. */
class Witness {
  readonly seen: (readonly [where: string, text: string])[] = [];
  readonly logger: Logger;

  constructor() {
    const noteAt =
      (level: string) =>
      (fields: object, message: string): void => {
        this.see(`log ${level}`, [message, fields]);
      };
    this.logger = { debug: noteAt('debug'), info: noteAt('info'), warn: noteAt('warn'), error: noteAt('error') };
  }

  see(where: string, value: unknown): void {
    this.seen.push([where, JSON.stringify(value, withErrors)]);
  }

  watch(computer: Computer): void {
    for (const event of EVENTS) {
      computer.on(event, (...args) => {
        this.see(`event ${event}`, args);
      });
    }
  }

  /** Where a secret was seen, and which. */
  leaks(canaries: Canaries): string[] {
    const found = this.seen.flatMap(([where, text]) => canaries.in(text).map((name) => `${where}: ${name}`));
    return [...new Set(found)];
  }
}

/** Errors with all that hangs on them, as a console shows them. */
function withErrors(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { ...Object.fromEntries(Object.entries(value)), name, message, stack, cause };
}

async function thrown(witness: Witness, where: string, action: Promise<unknown>): Promise<void> {
  await action.catch((error: unknown) => {
    witness.see(`thrown by ${where}`, error);
  });
}

/** Asks for everything that an Agent can ask for. Tool results that a server chose to return are not among it. */
async function askForEverything(office: Office, witness: Witness, servers: readonly string[]): Promise<void> {
  const requests: [CallEvent, JsonObject][] = [
    ['client:get_tools', {}],
    ['client:get_config', {}],
    ['client:get_desktop', {}],
    ['client:get_dpe', { uri: 'dpe://leak/doc' }],
  ];
  // The page of one that lists resources passes untouched, like a result: Protocol §8.2.
  for (const server of servers.filter((name) => name !== 'talks')) {
    requests.push(['client:get_resources', { mcp_server: server }]);
  }
  for (const [event, payload] of requests) {
    witness.see(`answer ${event} ${JSON.stringify(payload)}`, await office.ask(event, payload));
  }
}

function seeAll(witness: Witness, computer: Computer): void {
  witness.see('servers()', computer.servers());
  witness.see('history', computer.history);
  witness.see('tools()', computer.tools());
  witness.see('running', computer.runningCalls());
  for (const { server } of computer.servers()) witness.see(`log of ${server}`, computer.serverLog(server));
  for (const { name } of computer.tools()) witness.see(`tool ${name}`, computer.tool(name));
  witness.see('explained', computer.explainTool('no-such-tool'));
}

describe('Secrets that a stdio server repeats wherever it can', () => {
  it('show up nowhere but in the results that it chose to return [F-G-canary] [F-G-passwords] [F-B-stderr-redacted] [R-1-no-credentials] [R-5.2-no-leak]', async () => {
    const canaries = new Canaries();
    const witness = new Witness();
    const folder = await mkdtemp(join(tmpdir(), 'a2c-canary-'));
    const envFile = join(folder, 'secrets.env');
    await writeFile(envFile, `FILE_SECRET=${canaries.plant('file')}\n`);
    const typed = canaries.plant('typed', { odd: true });
    const inputs = [
      { id: 'typed', type: 'promptString', password: true, default: canaries.plant('password-default') },
      { id: 'defaulted', type: 'promptString', password: true, default: canaries.plant('default') },
      { id: 'env', type: 'promptString' },
      { id: 'unset', type: 'promptString' },
      {
        id: 'command',
        type: 'command',
        command: process.execPath,
        args: ['-e', `console.log('${canaries.plant('command')}')`],
      },
    ];
    const env = {
      PLAIN: canaries.plant('env', { odd: true }),
      TYPED: '${input:typed}',
      COMMAND: '${input:command}',
      DEFAULTED: 'Bearer ${input:defaulted}',
    };
    const secretArgs = [
      '--api-key',
      canaries.plant('arg'),
      `--token=${canaries.plant('assigned')}`,
      '-H',
      `Authorization: Bearer ${canaries.plant('header-arg')}`,
      `https://${canaries.plant('url-user')}:${canaries.plant('url-password')}@h/p?q=${canaries.plant('url-query')}#${canaries.plant('url-fragment')}`,
      '--from=${input:env}',
    ];
    const leaking = (mode: string): JsonObject => ({
      command: process.execPath,
      args: [LEAKING, JSON.stringify({ mode }), ...secretArgs],
      env,
      envFile,
      ...auto,
    });
    const dead = ['die', 'refuse', 'version', 'garbage'];
    const servers: Record<string, JsonObject> = {
      talks: leaking('ok'),
      ...Object.fromEntries(dead.map((mode) => [mode, leaking(mode)])),
      'bad command': { command: '/opt/${input:typed}/run', args: secretArgs },
      'bad cwd': { command: process.execPath, cwd: '/no/${input:typed}' },
      'bad encoding': { command: process.execPath, encoding: '${input:typed}' },
      'NUL byte': { command: process.execPath, args: ['${input:typed}\0'] },
      unset: { command: 'x', args: ['${input:unset}', '--secret', canaries.plant('unset-arg')], env },
      'no file': { command: 'x', envFile: '/no/such/${input:typed}', env },
    };
    const progress: unknown[] = [];
    await using office = await Office.open({
      inputs,
      prompt: (input) => {
        witness.see('prompt', input);
        return Promise.resolve(input.id === 'typed' ? typed : undefined);
      },
      env: { ...process.env, A2C_SMCP_ENV: canaries.plant('from-env') },
      logger: witness.logger,
      server: { logger: witness.logger },
      hosting: { restarts: { maxRestarts: 1, minMs: 1 }, startTimeoutMs: 10_000 },
      onToolProgress: (report) => void progress.push(report),
      documents: { resolve: () => Promise.reject(new Error(`no ${typed} here`)) },
      audit: { file: join(folder, 'audit.jsonl'), arguments: true },
    });
    const { computer } = office;
    witness.watch(computer);
    for (const [name, config] of Object.entries(servers))
      await thrown(witness, `addServer ${name}`, computer.addServer(name, config));
    expect(computer.servers()[0]).toMatchObject({ server: 'talks', state: 'running' });
    await askForEverything(office, witness, Object.keys(servers));
    expect(textOf(await office.call('fail'))).toMatch(/failed with \*{6}/);
    for (const tool of ['fail', 'null', 'odd', 'log', 'progress', 'break-list', 'no-such-tool']) {
      witness.see(`result of ${tool}`, await office.call(tool, { secretly: typed }));
    }
    await vi.waitFor(() => {
      expect(computer.servers()[0]?.state).toBe('degraded');
    });
    // Passes as it came, Protocol §6.1: what a server answers is its own affair.
    expect(canaries.in(textOf(await office.call('result')))).toEqual(expect.arrayContaining(['env', 'typed', 'file']));
    const down = nextEvent(computer, 'serverState', ({ state }) => state === 'backing-off');
    witness.see('result of die', await office.call('die'));
    await down;
    for (const name of dead) await thrown(witness, `restartServer ${name}`, computer.restartServer(name));
    seeAll(witness, computer);
    witness.see('desktopStatus', await computer.desktopStatus());
    await askForEverything(office, witness, ['die', 'unset']);
    await thrown(
      witness,
      'updateServer',
      computer.updateServer('die', { command: 7, env: { K: [typed] }, args: secretArgs }),
    );
    await thrown(witness, 'addServer', computer.addServer('die', leaking('ok')));
    for (const name of Object.keys(servers)) await computer.removeServer(name);
    seeAll(witness, computer);
    await office[Symbol.asyncDispose]();
    witness.see('audit', await readFile(join(folder, 'audit.jsonl'), 'utf8'));
    expect(witness.seen.at(-1)?.[1]).toContain('secretly');
    await rm(folder, { recursive: true });

    expect(witness.seen.length).toBeGreaterThan(60);
    expect(witness.seen.map(([, text]) => text).join('\n')).toMatch(/started with .*\*{6}/);
    expect(progress).toHaveLength(1);
    witness.see('progress', progress);
    expect(witness.leaks(canaries)).toEqual([]);
  });
});

describe('Secrets that an HTTP server repeats wherever it can', () => {
  it('show up nowhere but in the results that it chose to return [F-G-canary] [F-G-canary-url] [R-1-no-credentials]', async () => {
    const canaries = new Canaries();
    const witness = new Witness();
    await using web = await LeakingWebServer.open();
    const typed = canaries.plant('typed');
    const target = (path: string, type: string): JsonObject => ({
      type,
      url: `http://${canaries.plant('user')}:${canaries.plant('password')}@${web.host}${path}?key=${canaries.plant('query')}&t=\${input:typed}#${canaries.plant('fragment')}`,
      headers: {
        'X-Key': canaries.plant('header'),
        Cookie: `session=${canaries.plant('cookie')}`,
        'X-Typed': '${input:typed}',
      },
      ...auto,
    });
    const servers: Record<string, JsonObject> = { talks: target('/mcp', 'streamable') };
    for (const path of LeakingWebServer.broken) {
      servers[`http ${path}`] = target(path, 'http');
      servers[`sse ${path}`] = target(path, 'sse');
    }
    const port = new URL(`http://${web.host}`).port;
    servers['no port'] = {
      url: `http://u:${canaries.plant('password-2')}@127.0.0.1:1/?k=${canaries.plant('query-2')}`,
    };
    servers['no URL'] = { url: `htp://u:${canaries.plant('password-3')}@h/?k=${canaries.plant('query-3')}` };
    servers['no host'] = { url: `http://u:${canaries.plant('password-4')}@[/?k=${canaries.plant('query-4')}` };
    servers['no header'] = {
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { 'X-Key': `${canaries.plant('bad-header')}\n` },
    };
    servers['odd header'] = {
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { 'X-Key': `${canaries.plant('odd-header')} 路` },
    };
    await using office = await Office.open({
      inputs: [{ id: 'typed', type: 'promptString', password: true }],
      prompt: () => Promise.resolve(typed),
      logger: witness.logger,
      server: { logger: witness.logger },
      hosting: { restarts: { maxRestarts: 0 }, startTimeoutMs: 5_000, startThrottle: { slots: 8 } },
    });
    const { computer } = office;
    witness.watch(computer);
    await Promise.all(
      Object.entries(servers).map(([name, config]) =>
        thrown(witness, `addServer ${name}`, computer.addServer(name, config)),
      ),
    );
    expect(computer.servers()[0]).toMatchObject({ server: 'talks', state: 'running' });
    await askForEverything(office, witness, Object.keys(servers));
    const tools = LeakingWebServer.broken.map((path) => `web-${path.slice(1)}`);
    for (const tool of [...tools, 'web-error', 'no-such-tool']) {
      if (computer.servers()[0]?.state !== 'running') await computer.startServer('talks');
      witness.see(`result of ${tool}`, await office.call(tool, { secretly: typed }));
    }
    // Passes as it came, Protocol §6.1.
    expect(canaries.in(textOf(await office.call('web-result')))).toEqual(expect.arrayContaining(['header', 'query']));
    seeAll(witness, computer);
    await askForEverything(office, witness, ['no URL', 'sse /401']);
    await office[Symbol.asyncDispose]();

    // The server did get them.
    expect(canaries.in(web.seen.join('\n'))).toEqual(
      expect.arrayContaining(['user', 'password', 'query', 'header', 'typed']),
    );
    expect(witness.seen.length).toBeGreaterThan(80);
    expect(witness.leaks(canaries)).toEqual([]);
  });
});

describe('An input', () => {
  it('is resolved in the own configuration only, by its whole id [F-G-input-scope]', async () => {
    const servers = Object.fromEntries(
      ['*', '../typed', 'typed/../typed', 'constructor', 'TYPED', 'typed ', 'ty*'].map((id) => [
        id,
        faulty({ only: [] }, { env: { K: `\${input:${id}}` } }),
      ]),
    );
    await using office = await Office.open({
      inputs: [{ id: 'typed', type: 'promptString' }],
      servers: { ...servers, fine: { ...faulty({ only: ['echo'] }), env: { K: '${input:typed}' } } },
      prompt: () => Promise.resolve('the-value'),
    });
    const states = new Map(office.computer.servers().map(({ server, state }) => [server, state]));
    expect(states.get('fine')).toBe('running');
    for (const id of Object.keys(servers)) expect(states.get(id), id).toBe('needs-input');
    // What an Agent sends is data.
    const params = { a: '${input:typed}', b: '${env:HOME}', c: ['${input:*}'] };
    expect(await office.callJson('echo', params)).toEqual(params);
    const config = await office.ask('client:get_config');
    expect(JSON.stringify(config)).not.toContain('the-value');
    expect(config).toMatchObject({ servers: { fine: { server_parameters: { env: { K: '${input:typed}' } } } } });
  });

  it('that has no value stops its server only [F-H-missing-variable] [F-G-unresolved]', async () => {
    await using office = await Office.open({
      inputs: [{ id: 'unset', type: 'promptString' }],
      servers: {
        a: { command: 'x', env: { K: '${input:unset}' } },
        b: { command: 'x', envFile: '/no/such/file' },
        c: faulty({ only: ['echo'] }),
      },
    });
    expect(office.computer.servers()).toMatchObject([
      { state: 'needs-input', reason: expect.stringContaining('unset') as string },
      { state: 'failed', reason: expect.stringContaining('/no/such/file') as string },
      { state: 'running' },
    ]);
    expect(await office.ask('client:get_config')).toMatchObject({
      servers: { a: { server_parameters: { env: { K: '${input:unset}' } } } },
    });
  });
});
