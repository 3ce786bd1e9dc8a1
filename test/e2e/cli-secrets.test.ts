import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/protocol/index.js';
import { LeakingWebServer } from '../fixtures/mcp-servers/leaking-web-server.js';
import { Canaries } from '../support/canaries.js';
import { CLI, runCli, startServer } from '../support/cli.js';

const LEAKING = fileURLToPath(new URL('../fixtures/mcp-servers/leaking-server.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'a2c-cli-secrets-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A command as it stands, every byte of it kept. */
class RawCli implements AsyncDisposable {
  readonly #child;
  readonly #closed: Promise<unknown>;
  readonly #waiting = new Set<() => void>();
  stdout = '';
  stderr = '';

  constructor(args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#child = spawn(process.execPath, [CLI, ...args], { env, cwd: folder });
    this.#closed = once(this.#child, 'close');
    this.#child.stdin.end();
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      for (const look of this.#waiting) look();
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
  }

  /** Waits until all of this was printed on stdout. */
  async printed(...patterns: readonly RegExp[]): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (patterns.every((pattern) => pattern.test(this.stdout))) resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#closed;
  }
}

/** Every file below a folder, with its content. */
function filesIn(parent: string): [string, string][] {
  return readdirSync(parent, { recursive: true, encoding: 'utf8' })
    .map((name) => join(parent, name))
    .filter((path) => statSync(path).isFile())
    .map((path): [string, string] => [path, readFileSync(path, 'utf8')]);
}

/** The command as it is written, and in which way it prints. */
type Shown = readonly [where: string, text: string];

function leaksOf(shown: readonly Shown[], canaries: Canaries): string[] {
  return [...new Set(shown.flatMap(([where, text]) => canaries.in(text).map((name) => `${where}: ${name}`)))];
}

/** Runs a Computer, and every command of an Agent at it. @returns all that they printed. */
async function useAll(file: string, form: readonly string[], env: NodeJS.ProcessEnv): Promise<Shown[]> {
  const isJson = form.length > 0;
  const shown: Shown[] = [];
  const place = { ...env, A2C_OFFICE: `office ${form.join('')}` };
  const run = ['computer', 'run', file, '--name', 'c', '--documents', 'file', '--log-level', 'debug', ...form];
  await using computer = new RawCli([...run, ...(isJson ? ['--log-format', 'json'] : [])], place);
  const inState = (name: string, states: string): RegExp =>
    new RegExp(isJson ? `"${name}","state":"(${states})"` : `${name}: (${states})`);
  await computer.printed(isJson ? /"joined"/ : /joined office/, inState('talks', 'running'), inState('web', 'running'));
  for (const name of ['dies', 'refuses', 'version', 'page', 'web 500']) {
    await computer.printed(inState(name, 'backing-off|failed|crash-loop'));
  }
  const agent = async (...args: string[]): Promise<void> => {
    const command = ['agent', ...args, ...form];
    const options = { env: { A2C_SERVER: String(env['A2C_SERVER']), A2C_OFFICE: place.A2C_OFFICE } };
    const { stdout, stderr } = await runCli([...command, '--log-level', 'debug'], options);
    shown.push([`${command.join(' ')} on stdout`, stdout], [`${command.join(' ')} on stderr`, stderr]);
  };
  await agent('tools', 'c');
  await agent('config', 'c');
  await agent('desktop', 'c');
  await agent('resources', 'c', 'web');
  await agent('dpe', 'c', 'dpe://leak/doc');
  for (const tool of ['fail', 'log', 'web-401', 'die']) await agent('call', 'c', tool, '{"a":1}');
  await computer[Symbol.asyncDispose]();
  const where = `computer run ${form.join('')}`;
  shown.push([`${where} on stdout`, computer.stdout], [`${where} on stderr`, computer.stderr]);
  if (isJson) {
    for (const line of computer.stdout.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('event');
  }
  return shown;
}

describe('Secrets of a Computer', () => {
  it('stand in no byte that any command prints, in either form, and in no file that it writes [F-G-canary-cli] [F-G-passwords] [F-B-own-logs] [F-H-not-written]', async () => {
    const canaries = new Canaries();
    await using web = await LeakingWebServer.open();
    const home = join(folder, 'home');
    const configs = join(folder, 'configs');
    mkdirSync(home);
    mkdirSync(configs);
    const auto = { default_tool_meta: { auto_apply: true } };
    const leaking = (mode: string): JsonObject => ({
      command: process.execPath,
      args: [
        LEAKING,
        JSON.stringify({ mode }),
        '--api-key',
        canaries.plant('arg'),
        `--token=${canaries.plant('token')}`,
        '${input:typed}',
      ],
      env: {
        K: canaries.plant('env'),
        PASSWORD: '${input:password}',
        PRINTED: '${input:command}',
        NAMED: '${env:MY_KEY}',
      },
      envFile: 'secrets.env',
      ...auto,
    });
    const http = (path: string): JsonObject => ({
      url: `http://${canaries.plant('user')}:${canaries.plant('userinfo')}@${web.host}${path}?key=${canaries.plant('query')}`,
      headers: { 'X-Key': canaries.plant('header'), 'X-Typed': '${input:typed}' },
      ...auto,
    });
    const file = join(configs, 'computer.json');
    const text = JSON.stringify({
      servers: {
        talks: leaking('ok'),
        dies: leaking('die'),
        refuses: leaking('refuse'),
        version: leaking('version'),
        web: http('/mcp'),
        page: http('/page'),
        'web 401': http('/401'),
        'web 500': http('/500'),
        cwd: { command: process.execPath, cwd: '/no/${input:typed}' },
        unset: { command: 'x', args: ['${input:unset}', '--secret', canaries.plant('unset-arg')] },
      },
      inputs: [
        { id: 'typed', type: 'promptString' },
        { id: 'password', type: 'promptString', password: true, default: canaries.plant('default') },
        { id: 'unset', type: 'promptString', description: 'nobody knows' },
        {
          id: 'command',
          type: 'command',
          command: process.execPath,
          args: ['-e', `console.log('${canaries.plant('printed')}')`],
        },
      ],
    });
    writeFileSync(file, `// kept\n${text}`);
    writeFileSync(join(configs, 'secrets.env'), `FILE_KEY=${canaries.plant('file')}\n`);
    const { server: started, url } = await startServer(['--log-level', 'debug']);
    await using server = started;
    const token = canaries.plant('typed');
    const base = Object.entries(process.env).filter(([name]) => !name.startsWith('A2C_'));
    const own = { HOME: home, TMPDIR: home, XDG_CONFIG_HOME: home, A2C_SERVER: url };
    const env = { ...Object.fromEntries(base), ...own, A2C_SMCP_TYPED: token, MY_KEY: canaries.plant('named') };

    // Each in an office of its own, side by side.
    const both = await Promise.all([useAll(file, ['--json'], env), useAll(file, [], env)]);
    const shown = both.flat();
    shown.push(['server on stdout', JSON.stringify(server.lines)], ['server on stderr', server.stderr]);

    expect(shown.length).toBeGreaterThan(40);
    expect(shown.map(([, printed]) => printed).join('\n')).toMatch(/failed with \*{6}/);
    expect(leaksOf(shown, canaries)).toEqual([]);
    expect(leaksOf(filesIn(home), canaries)).toEqual([]);
    expect(readFileSync(file, 'utf8')).toBe(`// kept\n${text}`);
    expect(readdirSync(configs).sort()).toEqual(['computer.json', 'secrets.env']);
  }, 60_000);

  it.concurrent.each<[string, string, number]>([
    ['a value of the wrong type', '{"servers":{"a":{"command":"x","env":{"K":["CANARY"]}}}}', 2],
    ['a value behind a wrong key', '{"servers":{"a":{"comand":"CANARY","env":{"K":"CANARY"}}}}', 2],
    ['a syntax error beside it', '{"servers":{"a":{"command":"x","env":{"K":"CANARY" "L":"CANARY"}}}}', 2],
    ['a text that does not end', '{"servers":{"a":{"command":"x","env":{"K":"CANARY', 2],
    [
      'an odd URL',
      '{"servers":{"a":{"url":7,"headers":{"K":"CANARY"}},"CANARYx":[]}}'.replace('"CANARYx":[]', '"b":"CANARY"'),
      2,
    ],
    [
      'an input of the wrong type',
      '{"servers":{},"inputs":[{"id":"a","type":"promptString","password":true,"default":["CANARY"]}]}',
      2,
    ],
    ['an unknown type of input', '{"servers":{},"inputs":[{"id":"a","type":"secret","default":"CANARY"}]}', 2],
  ])('are not repeated by an error of the configuration: %s [F-G-canary-cli]', async (_what, written, code) => {
    const canaries = new Canaries();
    const secret = canaries.plant('config');
    const file = join(mkdtempSync(join(folder, 'x-')), 'broken.json');
    writeFileSync(file, written.replaceAll('CANARY', secret));
    const finished = await runCli(['computer', 'run', file, '--json', '--log-level', 'debug']);
    expect(finished.code).toBe(code);
    expect(finished.stderr).toMatch(/broken\.json/);
    expect(canaries.in(finished.stdout + finished.stderr)).toEqual([]);
  });
});
