import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/computer/index.js';
import { Canaries } from '../support/canaries.js';
import { RunningCli, runCli, type CliOptions, type Finished } from '../support/cli.js';

const root = join(import.meta.dirname, '..', '..');
let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'a2c-config-'));
});
afterEach(() => rm(home, { recursive: true }));

/** A user whose home is empty, in a project of theirs. */
const surroundings = (env: Record<string, string> = {}): CliOptions => ({
  cwd: home,
  env: {
    HOME: home,
    USERPROFILE: home,
    APPDATA: join(home, 'AppData'),
    XDG_CONFIG_HOME: join(home, '.config'),
    ...env,
  },
});
const a2c = (...args: string[]): Promise<Finished> => runCli(args, surroundings());

async function put(file: string, content: string): Promise<string> {
  const path = join(home, file);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

describe('a2c init', () => {
  it('writes a configuration that passes its check without a word and starts', async () => {
    expect(await a2c('init', 'mcp.json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('a2c computer run mcp.json') as string,
    });
    expect(await a2c('config', 'check', 'mcp.json', '--strict')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('3 servers, 2 inputs, 0 warnings') as string,
    });
    // From where npx finds the servers of this package's own tests.
    await using computer = new RunningCli(['computer', 'run', join(home, 'mcp.json')], {
      cwd: root,
      env: { A2C_SMCP_FOLDER: home, MEMORY_FILE_PATH: join(home, 'memory.json') },
    });
    for (const server of ['memory', 'files']) {
      await computer.line((line) => line['server'] === server && line['state'] === 'running');
    }
    expect(await computer.stop()).toBe(0);
  }, 60_000);

  it('takes the place that a Computer reads by default, readable by its owner alone', async () => {
    const { code, stdout } = await a2c('init', '--json');
    const { file } = JSON.parse(stdout) as { file: string };
    expect(code).toBe(0);
    expect(file.startsWith(home)).toBe(true);
    expect(parseConfig(await readFile(file, 'utf8')).warnings).toEqual([]);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('replaces nothing unless it is told to, and leaves nothing behind', async () => {
    await put('mcp.json', 'mine');
    expect(await a2c('init', 'mcp.json')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('mcp.json exists; replace it with --force') as string,
    });
    expect(await readFile(join(home, 'mcp.json'), 'utf8')).toBe('mine');
    expect(await a2c('init', 'mcp.json', '--force')).toMatchObject({ code: 0 });
    expect(await readdir(home)).toEqual(['mcp.json']);
    expect(await a2c('init', 'mcp.json/x.json')).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('a2c config check', () => {
  it.each<[what: string, content: string, code: number, said: RegExp]>([
    [
      'broken JSON',
      '{\n  "servers": {\n    "a": { "command": "x" }\n    "b": {} }\n}',
      2,
      /line 4, column 5[^]*4 │ {5}"b"[^]*\^/,
    ],
    [
      'an entry that cannot be',
      '{"servers":{"a":{"comand":"x"}}}',
      2,
      /servers\.a: .*did you mean "command" by "comand"/,
    ],
    [
      'a script that does not compile',
      '{"servers":{"a":{"command":"node","vrl":"nope("}}}',
      2,
      /error: servers\.a\.vrl: .*line 1/,
    ],
    [
      'a misspelt field',
      '{"servers":{"a":{"command":"node","agrs":[]}}}',
      0,
      /warning: .*servers\.a\.agrs: .*did you mean "args"/,
    ],
    [
      'a program that is not there',
      '{"servers":{"a":{"command":"no-such-program"}}}',
      0,
      /servers\.a\.command: the program is not found/,
    ],
    ['nothing wrong', '{"servers":{"a":{"command":"node"}}}', 0, /1 server, 0 inputs, 0 warnings/],
  ])('says of %s what it is', async (_what, content, code, said) => {
    await put('mcp.json', content);
    const finished = await a2c('config', 'check', 'mcp.json');
    expect(finished.code).toBe(code);
    expect(finished.stdout + finished.stderr).toMatch(said);
    const { stdout } = await a2c('config', 'check', 'mcp.json', '--json');
    expect(stdout.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: code === 0 });
  });

  it('fails for warnings where that is wanted', async () => {
    await put('mcp.json', '{"servers":{"a":{"command":"node","agrs":[]}}}');
    expect(await a2c('config', 'check', 'mcp.json', '--strict')).toMatchObject({ code: 1 });
  });

  it('says where values come from, merges files, and names a file that is not there', async () => {
    await put('one.json', '{"inputs":[{"id":"k","type":"promptString","password":true}]}');
    await put('two.json', '{"servers":{"a":{"command":"node","args":["${input:k}"]}}}');
    const set = surroundings({ A2C_SMCP_K: 'value-of-k' });
    const { code, stdout } = await runCli(['config', 'check', 'one.json', 'two.json'], set);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^k +a +A2C_SMCP_K +set in the environment$/m);
    expect(stdout).not.toContain('value-of-k');
    expect(await a2c('config', 'check', 'one.json', 'none.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('none.json: there is no such file') as string,
    });
    expect(await a2c('config', 'check')).toMatchObject({ code: 2 });
  });

  it.skipIf(process.platform === 'win32')(
    'warns of secrets that others can read, and shows none',
    async () => {
      const canaries = new Canaries();
      const text = JSON.stringify({
        inputs: [{ id: 'p', type: 'promptString', password: true, default: canaries.plant('default') }],
        servers: {
          a: {
            command: 'node',
            args: ['--api-key', canaries.plant('argument'), '${input:p}'],
            env: { ODD: canaries.plant('env', { odd: true }) },
          },
          b: {
            url: `https://u:${canaries.plant('userinfo')}@h/?t=${canaries.plant('query')}`,
            headers: { X: canaries.plant('header') },
          },
        },
      });
      const file = await put('mcp.json', text);
      await chmod(file, 0o644);
      const shown: string[] = [];
      for (const flags of [[], ['--json']]) {
        const { stdout, stderr } = await a2c('config', 'check', 'mcp.json', ...flags);
        expect(stdout).toContain('chmod 600');
        shown.push(stdout, stderr);
      }
      // The same file, broken at every place that holds one.
      for (const { index: at } of text.matchAll(/canary/g)) {
        await writeFile(file, `${text.slice(0, at)}"${text.slice(at)}`);
        const { code, stdout, stderr } = await a2c('config', 'check', 'mcp.json');
        expect(code).toBe(2);
        shown.push(stdout, stderr);
      }
      expect(canaries.in(shown.join('\n'))).toEqual([]);
      await writeFile(file, text);
      await chmod(file, 0o600);
      expect((await a2c('config', 'check', 'mcp.json')).stdout).not.toContain('chmod');
    },
    60_000,
  );
});

describe('a2c import', () => {
  const canaries = new Canaries();

  async function plantHosts(): Promise<void> {
    const server = {
      command: 'node',
      args: ['s.js', '--token', canaries.plant('argument')],
      env: { GITHUB_TOKEN: canaries.plant('env') },
    };
    await put(
      '.cursor/mcp.json',
      JSON.stringify({ mcpServers: { github: server, plain: { command: 'node', args: ['p.js'] } } }),
    );
    await put(
      '.claude.json',
      JSON.stringify({
        mcpServers: {
          remote: {
            type: 'http',
            url: 'https://h/mcp',
            headers: { Authorization: `Bearer ${canaries.plant('header')}` },
          },
        },
      }),
    );
    await put('.codex/config.toml', `[mcp_servers.x]\nenv = { K = "${canaries.plant('broken')}`);
  }

  it('shows, asks for a yes, writes, and adds nothing twice; no secret goes along', async () => {
    await plantHosts();
    const file = join(home, 'mcp.json');
    const shown: Finished[] = [await a2c('import', '--list', '--output', 'mcp.json')];
    expect(shown[0]).toMatchObject({ code: 0 });
    expect(shown[0]?.stdout).toMatch(/^Cursor +github +stdio +new +node s\.js --token \$\{input:github-token\}$/m);
    expect(shown[0]?.stdout).toMatch(/skipped: .*config\.toml \(Codex\) not valid TOML at line 2/);
    shown.push(await a2c('import', '--output', 'mcp.json'));
    expect(shown[1]).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string });
    await expect(stat(file)).rejects.toThrow('ENOENT');

    shown.push(await a2c('import', '--output', 'mcp.json', '--yes'));
    expect(shown[2]).toMatchObject({ code: 0, stdout: expect.stringContaining('wrote mcp.json: 3 servers') as string });
    const text = await readFile(file, 'utf8');
    expect(parseConfig(text).warnings).toEqual([]);
    expect([...parseConfig(text).servers.keys()]).toEqual(['remote', 'github', 'plain']);
    shown.push(await a2c('import', '--output', 'mcp.json', '--yes', '--json'));
    expect(JSON.parse(shown[3]?.stdout ?? '')).toMatchObject({
      written: false,
      unreadable: [{ host: 'codex' }],
      servers: [{ outcome: 'present' }, { outcome: 'present' }, { outcome: 'present' }],
    });
    expect(await readFile(file, 'utf8')).toBe(text);
    shown.push(await a2c('config', 'check', 'mcp.json'));
    expect(shown[4]).toMatchObject({ code: 0 });
    expect(canaries.in(text + shown.map(({ stdout, stderr }) => stdout + stderr).join('\n'))).toEqual([]);
  });

  it('goes into a file that is there, and leaves its comments and servers alone', async () => {
    await plantHosts();
    await put('mcp.json', '{\n  // mine\n  "servers": {\n    "plain": { "command": "other" } // kept\n  }\n}\n');
    const { code, stdout } = await a2c('import', 'cursor', '--output', 'mcp.json', '--yes');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Cursor +plain +stdio +new, as plain-2/m);
    expect(stdout).not.toContain('Claude Code');
    const text = await readFile(join(home, 'mcp.json'), 'utf8');
    expect(text).toContain('  // mine\n  "servers": {\n    "plain": { "command": "other" }, // kept\n');
    expect([...parseConfig(text).servers.keys()]).toEqual(['plain', 'github', 'plain-2']);
  });

  it.each<[what: string, args: string[], code: number, said: RegExp]>([
    ['a host that is not known', ['import', 'nope'], 2, /no host is known as "nope"; there are claude-desktop, /],
    ['a project that is not there', ['import', '--project', 'nope'], 2, /--project: there is no folder nope/],
    ['nothing at all', ['import'], 0, /No MCP servers of other hosts were found/],
    ['nothing of one host', ['import', 'zed', '--yes'], 0, /No MCP servers of Zed were found/],
    [
      'a file of ours that does not parse',
      ['import', '--output', 'broken.json', '--yes'],
      2,
      /broken\.json: not valid JSON at line 1/,
    ],
  ])('says so where there is %s', async (_what, args, code, said) => {
    await put('broken.json', '{');
    const finished = await a2c(...args);
    expect(finished.code).toBe(code);
    expect(finished.stdout + finished.stderr).toMatch(said);
    expect(await readFile(join(home, 'broken.json'), 'utf8')).toBe('{');
  });
});
