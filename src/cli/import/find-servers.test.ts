import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Canaries } from '../../../test/support/canaries.js';
import { parseConfig, editJsonText } from '../../computer/index.js';
import { findServers, type FoundFile } from './find-servers.js';
import { HOSTS } from './hosts.js';
import { InputPool } from './input-pool.js';
import { planImport } from './plan-import.js';

let home: string;
let project: string;
const canaries = new Canaries();
const secret = (name = 'secret'): string => canaries.plant(name);

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'a2c-import-'));
  project = join(home, 'project');
});
afterEach(() => rm(home, { recursive: true }));

async function put(file: string, content: unknown): Promise<void> {
  await mkdir(dirname(join(home, file)), { recursive: true });
  await writeFile(join(home, file), typeof content === 'string' ? content : JSON.stringify(content));
}

const pool = (): InputPool => new InputPool([]);

function find(inputs = pool(), env: Record<string, string> = {}): Promise<FoundFile[]> {
  return findServers({ hosts: HOSTS, context: { home, platform: 'linux', env, project }, pool: inputs });
}

/** The only server that was found. */
async function only(): Promise<object> {
  const servers = (await find()).flatMap((file) => file.servers);
  expect(servers).toHaveLength(1);
  expect(canaries.in(JSON.stringify(servers))).toEqual([]);
  return servers[0] ?? {};
}

describe.skipIf(process.platform === 'win32')('the servers of other hosts', () => {
  it.each<[what: string, file: string, content: () => unknown, server: object]>([
    [
      'Claude Desktop',
      '.config/Claude/claude_desktop_config.json',
      () => ({
        theme: 'x',
        mcpServers: { a: { command: 'npx', args: ['-y', 'x'], env: { A_TOKEN: secret(), PORT: 80 } } },
      }),
      {
        name: 'a',
        entry: { command: 'npx', args: ['-y', 'x'], env: { A_TOKEN: '${input:a-token}', PORT: '80' } },
        notes: [],
      },
    ],
    [
      'Claude Code, for the user',
      '.claude.json',
      () => ({
        mcpServers: {
          a: { type: 'http', url: 'https://h/${ORG}/mcp', headers: { Authorization: `Bearer ${secret()}` } },
        },
      }),
      {
        entry: {
          type: 'http',
          url: 'https://h/${env:ORG}/mcp',
          headers: { Authorization: 'Bearer ${input:a-authorization}' },
        },
      },
    ],
    [
      "Claude Code, a project's own",
      'project/.mcp.json',
      () => ({ mcpServers: { a: { command: './serve', args: ['${MODE:-fast}'], env: { A: '${A_KEY}' } } } }),
      {
        entry: { command: './serve', args: ['fast'], env: { A: '${env:A_KEY}' } },
        notes: ['$MODE is not set: its default is written'],
      },
    ],
    [
      'VS Code, with inputs',
      'project/.vscode/mcp.json',
      () =>
        `{ // comment
          "inputs": [{ "id": "key", "type": "promptString", "description": "A key", "password": true, "default": "${secret()}" }],
          "servers": { "a": { "type": "stdio", "command": "\${workspaceFolder}/run", "env": { "K": "\${input:key}" }, "envFile": ".env" }, },
        }`,
      { name: 'a', entry: { env: { K: '${input:key}' } }, notes: ['${workspaceFolder} is written out'] },
    ],
    [
      "VS Code's settings",
      '.config/Code/User/settings.json',
      () => ({ 'editor.x': 1, mcp: { servers: { a: { type: 'sse', url: `https://h/sse?key=${secret()}` } } } }),
      { entry: { type: 'sse', url: 'https://h/sse?key=${input:a-key}' } },
    ],
    [
      'Cursor',
      '.cursor/mcp.json',
      () => ({ mcpServers: { a: { command: 'npx -y x --flag', env: { T: '${env:T}' } } } }),
      { entry: { command: 'npx', args: ['-y', 'x', '--flag'], env: { T: '${env:T}' } } },
    ],
    [
      'Windsurf',
      '.codeium/windsurf/mcp_config.json',
      () => ({ mcpServers: { a: { serverUrl: 'https://h/mcp', disabledTools: ['t'] } } }),
      { entry: { url: 'https://h/mcp', forbidden_tools: ['t'] } },
    ],
    [
      'Cline',
      '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      () => ({
        mcpServers: {
          a: { type: 'streamableHttp', url: 'https://h/mcp', disabled: true, autoApprove: ['t'], timeout: 60 },
        },
      }),
      {
        entry: { type: 'http', url: 'https://h/mcp', disabled: true },
        notes: ['what may run without asking is yours to say again, with "auto_apply"', 'not taken: timeout'],
      },
    ],
    [
      'Gemini CLI, over HTTP',
      '.gemini/settings.json',
      () => ({
        mcpServers: {
          a: { httpUrl: 'https://h/mcp', headers: { 'X-Key': '$MY_KEY' }, trust: false, includeTools: ['t'] },
        },
      }),
      {
        entry: { type: 'http', url: 'https://h/mcp', headers: { 'X-Key': '${env:MY_KEY}' } },
        notes: ['every tool is taken: forbid others with "forbidden_tools"'],
      },
    ],
    [
      'Gemini CLI, over SSE',
      '.gemini/settings.json',
      () => ({ mcpServers: { a: { url: 'https://h/sse' } } }),
      { entry: { type: 'sse', url: 'https://h/sse' } },
    ],
    [
      'Codex',
      '.codex/config.toml',
      () =>
        `model = "x"\n[mcp_servers.a]\ncommand = "uvx"\nenv = { K_TOKEN = "${secret()}" }\nenv_vars = ["HOME_KEY"]\ndisabled_tools = ["t"]\n`,
      {
        entry: {
          command: 'uvx',
          env: { HOME_KEY: '${env:HOME_KEY}', K_TOKEN: '${input:k-token}' },
          forbidden_tools: ['t'],
        },
      },
    ],
    [
      'Codex, over HTTP',
      '.codex/config.toml',
      () =>
        '[mcp_servers.a]\nurl = "https://h/mcp"\nbearer_token_env_var = "T"\nenabled = false\n[mcp_servers.a.env_http_headers]\nX-A = "A"\n',
      {
        entry: {
          url: 'https://h/mcp',
          headers: { 'X-A': '${env:A}', Authorization: 'Bearer ${env:T}' },
          disabled: true,
        },
      },
    ],
    [
      'Zed',
      '.config/zed/settings.json',
      () =>
        `{ "context_servers": { "a": { "source": "custom", "command": { "path": "x", "args": ["postgres://u:${secret()}@h/d"] } }, } }`,
      { entry: { command: 'x', args: ['postgres://${input:a-password}@h/d'] } },
    ],
    [
      'an extension of Zed',
      '.config/zed/settings.json',
      () => ({ context_servers: { a: { settings: {} } } }),
      { name: 'a', skipped: 'an extension of Zed starts it' },
    ],
    [
      'Continue',
      '.continue/config.yaml',
      () =>
        `name: x\nmcpServers:\n  - name: a\n    type: streamable-http\n    url: https://h/mcp\n    requestOptions:\n      headers:\n        X-Key: \${{ secrets.MY_KEY }}\n`,
      { name: 'a', entry: { type: 'http', url: 'https://h/mcp', headers: { 'X-Key': '${input:my-key}' } } },
    ],
    [
      'opencode',
      'project/opencode.jsonc',
      () => ({
        mcp: { a: { type: 'local', command: ['bun', 'x', 'y'], environment: { A: '{env:A}' }, enabled: false } },
      }),
      { entry: { command: 'bun', args: ['x', 'y'], env: { A: '${env:A}' }, disabled: true } },
    ],
    [
      'Goose',
      '.config/goose/config.yaml',
      () =>
        `extensions:\n  a:\n    type: stdio\n    cmd: x\n    args: [y]\n    env_keys: [A_KEY]\n    envs: { B: "1" }\n    enabled: true\n`,
      { entry: { command: 'x', args: ['y'], env: { A_KEY: '${env:A_KEY}', B: '1' } } },
    ],
  ])('are read as %s writes them', async (_what, file, content, server) => {
    await put(file, content());
    expect(await only()).toMatchObject(server);
  });

  it('start in the project that they belong to', async () => {
    await put('project/.cursor/mcp.json', { mcpServers: { a: { command: 'x', envFile: '.env' } } });
    expect(await only()).toMatchObject({ entry: { cwd: project, envFile: join(project, '.env') } });
  });

  it("are those of the project in Claude Code's own file too, and of no other one", async () => {
    const servers = (name: string): object => ({ mcpServers: { [name]: { command: 'x' } } });
    await put('.claude.json', { projects: { [project]: servers('mine'), '/other': servers('other') } });
    expect(await only()).toMatchObject({ name: 'mine', entry: { cwd: project } });
  });

  it.each<[object | string | number, string]>([
    [{ command: 'x', type: 'ws' }, 'its transport is none of stdio, sse and http'],
    [{}, 'it has neither "command" nor "url"'],
    [{ command: 'sh -c "x | y"' }, 'its "command" is a line for a shell'],
    [{ command: 'x', args: 'y' }, 'its "args" are no list of texts'],
    [{ command: 'x', env: { A: ['y'] } }, 'expected a string, got a list'],
    [7, 'it is no object'],
  ])('are skipped with the reason: %j', async (entry, reason) => {
    await put('.cursor/mcp.json', { mcpServers: { a: entry } });
    expect(await only()).toEqual({ name: 'a', skipped: expect.stringContaining(reason) as string });
  });

  it('are left where a secret stands in the command itself', async () => {
    await put('.cursor/mcp.json', { mcpServers: { a: { command: `/bin/x --api-key ${secret()}` } } });
    expect(await only()).toMatchObject({ skipped: expect.stringContaining('holds a secret') as string });
  });

  it('become inputs where only the other host knows a value', async () => {
    await put('project/.vscode/mcp.json', {
      inputs: [
        { id: 'c', type: 'command', command: 'some.command' },
        { id: 'p', type: 'pickString', description: 'P', options: ['x'], default: 'x' },
        { id: 'd', type: 'promptString', description: 'D', default: 'eu' },
        { id: 's', type: 'promptString', description: 'S', default: secret() },
      ],
      servers: {
        a: {
          command: 'x',
          args: ['${input:c}', '${input:p}', '${input:d}', '${input:s}', '${config:a.b}', '${input:u}'],
        },
      },
    });
    const inputs = pool();
    const { inputs: planned } = planImport(await find(inputs), {}, inputs);
    const hidden = { type: 'promptString', password: true };
    expect(planned.map(({ definition }) => definition)).toMatchObject([
      { id: 'c', ...hidden },
      { id: 'p', type: 'pickString', options: ['x'], default: 'x' },
      { id: 'd', default: 'eu' },
      { id: 's', description: 'S' },
      { id: 'a-b', ...hidden },
      { id: 'u', ...hidden },
    ]);
    expect(canaries.in(JSON.stringify(planned))).toEqual([]);
  });

  it.each([
    [
      '.cursor/mcp.json',
      () => `{"mcpServers": {"a": {"env": {"K": "${secret()}" "B": 1}}}}`,
      /not valid JSON at line 1, column \d+/,
    ],
    ['.codex/config.toml', () => `[mcp_servers.a]\nenv = { K = "${secret()}\n`, /not valid TOML at line 2/],
    ['.config/goose/config.yaml', () => `extensions: {a: {envs: {K: ${secret()}}\n  b: [`, /not valid YAML at line/],
  ])('are not asked of a file that is broken: %s', async (file, content, problem) => {
    await put(file, content());
    const found = await find();
    expect(found).toMatchObject([{ servers: [], problem: expect.stringMatching(problem) as string }]);
    expect(canaries.in(JSON.stringify(found))).toEqual([]);
  });

  it('are none in files without a word about them', async () => {
    await put('.claude.json', { projects: {} });
    await put('.gemini/settings.json', '');
    await put('.cursor/mcp.json', { mcpServers: {} });
    await put('.codex/config.toml', 'model = "x"');
    expect(await find()).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')('the plan of an import', () => {
  const token = secret('shared');
  const github = (value: string): object => ({ command: 'npx', args: ['github'], env: { GITHUB_TOKEN: value } });

  it('keeps what is there, takes once what two hosts have, and gives others a number', async () => {
    await put('.config/Claude/claude_desktop_config.json', {
      mcpServers: { github: github(token), mine: { command: 'y' } },
    });
    await put('.cursor/mcp.json', { mcpServers: { github: github(token) } });
    await put('.gemini/settings.json', { mcpServers: { github: github(secret('another')) } });
    const text = `{
      // mine
      "inputs": [{ "id": "github_token", "type": "promptString", "description": "Taken" }],
      "servers": { "mine": { "command": "x" } },
    }`;
    const inputs = new InputPool(['github_token']);
    const plan = planImport(await find(inputs), JSON.parse(text.replace(/\/\/.*|,(?=\s*\}$)/g, '')), inputs);
    expect(plan.servers.map(({ host, name, outcome, as }) => [host.id, name, outcome, as])).toEqual([
      ['claude-desktop', 'github', 'new', 'github'],
      ['claude-desktop', 'mine', 'renamed', 'mine-2'],
      ['cursor', 'github', 'same', 'github'],
      ['gemini', 'github', 'renamed', 'github-2'],
    ]);
    expect(plan.inputs).toMatchObject([
      {
        definition: { id: 'github-token-2', password: true },
        variable: 'A2C_SMCP_GITHUB_TOKEN_2',
        servers: ['github'],
      },
      { definition: { id: 'github-token-3' }, servers: ['github-2'] },
    ]);
    const after = editJsonText(text, plan.edits);
    expect(after).toContain('// mine');
    expect([...parseConfig(after).servers.keys()]).toEqual(['mine', 'github', 'mine-2', 'github-2']);
    expect(canaries.in(after + JSON.stringify(plan.servers))).toEqual([]);
    // Once more, nothing is new.
    const again = new InputPool(parseConfig(after).inputs.keys());
    const second = planImport(await find(again), JSON.parse(after.replace(/\/\/.*|,(?=\s*\}$)/g, '')), again);
    expect(second.edits).toEqual([]);
    expect(second.servers.map(({ outcome }) => outcome)).toEqual(['present', 'present', 'present', 'present']);
  });
});
