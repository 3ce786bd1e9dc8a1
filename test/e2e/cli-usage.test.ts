import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS, GROUPS } from '../../src/cli/command-table.js';
import { COMMON_FLAGS, flagName } from '../../src/cli/flags/flags.js';
import { PROFILE_0_2 } from '../../src/protocol/index.js';
import { runCli, startServer } from '../support/cli.js';
import { startServer as startServerHere, type RunningServer } from '../support/running-server.js';

const folder = mkdtempSync(join(tmpdir(), 'a2c-usage-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function startServerOfVersion(version: string): Promise<RunningServer> {
  return startServerHere({ profile: { ...PROFILE_0_2, version } });
}

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const notObject = file('list.json', '[]');
const broken = file('broken.json', '{ "servers": { "a": { ');
const noCommand = file('no-command.json', '{ "servers": { "a": { "type": "stdio", "server_parameters": {} } } }');
const empty = file('empty', '');
const utf16 = file('utf16.json', Buffer.from('\uFEFF{}', 'utf16le'));
const somewhere = ['--server', 'http://127.0.0.1:9', '--office', 'o'];

describe('help', () => {
  it.each(COMMANDS)(
    'of $path names its arguments, flags and examples',
    async ({ path, args, flags, examples, summary }) => {
      const { code, stdout, stderr } = await runCli([...path.split(' '), '--help']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(summary);
      for (const { name } of args) expect(stdout).toContain(name);
      for (const flag of Object.keys({ ...flags, ...COMMON_FLAGS })) expect(stdout).toContain(flagName(flag));
      for (const example of examples) expect(stdout).toContain(`$ ${example}`);
    },
  );

  it.each(Object.keys(GROUPS))('of the group "%s" lists its commands', async (group) => {
    const { code, stdout } = await runCli([...group.split(' ').filter(Boolean), '--help']);
    expect(code).toBe(0);
    for (const { path } of COMMANDS.filter((command) => command.path.startsWith(group))) {
      expect(stdout).toContain(path.slice(group.length).trim().split(' ')[0]);
    }
  });

  it.each(['a2c', 'a2c-server', 'a2c-computer'])('%s --version prints the version', async (program) => {
    expect(await runCli(['--version'], { program })).toMatchObject({ code: 0, stdout: '0.2.0\n' });
  });
});

describe('wrong usage is one clear line on stderr and exit 2', () => {
  it.each<[string, string[], RegExp]>([
    ['an unknown command', ['agent', 'frob'], /unknown command 'frob'/],
    ['an unknown flag, with a suggestion', ['server', '--prot', '1'], /unknown option '--prot'.*--port/],
    [
      'a port that is none',
      ['server', '--port', '70000'],
      /^error: --port: .*whole number from 0 to 65535, got '70000'/,
    ],
    ['a log level that is none', ['server', '--log-level', 'loud'], /--log-level.*error, warn, info, debug/],
    ['an address that others reach, without a token', ['server', '--host', '0.0.0.0'], /--token.*--insecure/],
    ['a token file that is missing', ['server', '--token-file', join(folder, 'none')], /--token-file: cannot read/],
    ['a token file that is empty', ['server', '--token-file', empty], /--token-file: .* is empty/],
    ['an Agent without a Server', ['agent', 'room', '--office', 'o'], /--server is missing.*A2C_SERVER/],
    [
      'an Agent without an office',
      ['agent', 'room', '--server', 'http://127.0.0.1:9'],
      /--office is missing.*A2C_OFFICE/,
    ],
    ['a Server that is no URL', ['agent', 'room', '--server', 'nowhere', '--office', 'o'], /--server must be/],
    ['a Server that is no URL, for a Computer', ['computer', 'run', '--server', 'x', '--office', 'o'], /--server must/],
    [
      'a Server with a path',
      ['agent', 'room', '--server', 'http://h/x', '--office', 'o'],
      /--server .* through --path/,
    ],
    ['a Server with a secret', ['agent', 'room', '--server', 'http://u:p@h', '--office', 'o'], /--server .* --token/],
    ['a name that is blank', ['agent', 'room', '--name', ' ', ...somewhere], /--name: expected 1 to 256 characters/],
    ['an office that is none', ['computer', 'run', '--office', '\n'], /--office: expected 1 to 256 characters/],
    ['an empty token', ['server', '--host', '0.0.0.0', '--token', ''], /--token: expected a token/],
    ['an empty address', ['server', '--host', ''], /--host: expected an address/],
    ['a path that no client can use', ['server', '--path', 'x'], /--path must start with/],
    ['an origin that no page has', ['server', '--cors-origin', 'http://h/'], /--cors-origin: .* write http:\/\/h$/],
    ['a parameter file without a name', ['agent', 'call', 'c', 't', '@', ...somewhere], /after "@"/],
    ['parameters of another encoding', ['agent', 'call', 'c', 't', `@${utf16}`, ...somewhere], /it is not in UTF-8/],
    ['a missing argument', ['agent', 'call', 'laptop'], /missing required argument 'TOOL'/],
    ['one argument too many', ['agent', 'room', 'x', ...somewhere], /too many arguments/],
    [
      'a word that is no parameter',
      ['agent', 'call', 'c', 't', 'hello', ...somewhere],
      /PARAMS: "hello" is neither JSON nor key=value/,
    ],
    ['parameters that are no JSON', ['agent', 'call', 'c', 't', '{', ...somewhere], /PARAMS: not valid JSON/],
    [
      'parameters that are no object',
      ['agent', 'call', 'c', 't', '[1]', ...somewhere],
      /PARAMS: expected a JSON object/,
    ],
    [
      'a parameter file that is missing',
      ['agent', 'call', 'c', 't', '@none.json', ...somewhere],
      /cannot read file none\.json/,
    ],
    ['a timeout of zero', ['agent', 'call', 'c', 't', '--timeout', '0', ...somewhere], /whole number from 1 to 3600/],
    [
      'a timeout of more than an hour',
      ['agent', 'room', '--timeout', '3601', ...somewhere],
      /whole number from 1 to 3600/,
    ],
    ['a configuration that is missing', ['computer', 'run', 'none.json'], /none\.json: there is no such file/],
    ['a configuration that does not parse', ['computer', 'run', broken], /broken\.json: .+/],
    ['a configuration of another form', ['computer', 'run', notObject], /list\.json: expected an object/],
    ['a server without a command', ['computer', 'run', noCommand], /no-command\.json: servers\.a.*command/],
    ['a Server without an office', ['computer', 'run', '--server', 'http://127.0.0.1:9'], /--office is missing/],
    ['documents of an unknown kind', ['computer', 'run', '--documents', 'tape'], /--documents.*file/],
    ['a root that is not there', ['computer', 'run', '--root', 'none'], /--root: there is no none/],
    ['a root that is none', ['computer', 'run', '--root', 'file:x'], /roots\[0\]: expected a "file:" URI/],
    ['an approval that is none', ['computer', 'run', '--approve', 'maybe'], /--approve.*ask, always, never/],
  ])('%s', async (_, args, message) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const lines = stderr.trimEnd().split('\n');
    const errors = lines.filter((line) => line.startsWith('error'));
    expect(errors).toEqual([expect.stringMatching(message)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it('takes an empty environment variable for none', async () => {
    const env = { A2C_SERVER: '', A2C_TOKEN: '', A2C_LOG_LEVEL: '' };
    expect(await runCli(['agent', 'room', '--office', 'o'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --server is missing/) as string,
    });
    expect(await runCli(['server', '--host', '0.0.0.0', '--port', '0'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is reachable from other machines') as string,
    });
  });

  it('names the environment variable that is wrong', async () => {
    const { code, stderr } = await runCli(['demo'], { env: { A2C_LOG_LEVEL: 'loud' } });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: --log-level \(A2C_LOG_LEVEL\): expected one of .*, got 'loud'/);
  });

  it('no command at all', async () => {
    const { code, stderr } = await runCli([]);
    expect(code).toBe(2);
    expect(stderr).toContain('Usage: a2c');
  });
});

describe('what cannot be reached', () => {
  it.each([
    ['an Agent', ['agent', 'room']],
    ['a Computer', ['computer', 'run']],
  ])('is exit 3 and one line for %s', async (_, args) => {
    const { code, stdout, stderr } = await runCli([...args, '--server', 'http://127.0.0.1:9', '--office', 'o']);
    expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
    expect(stderr).toMatch(/error: Cannot connect to the Server at 127\.0\.0\.1:9/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it.each([
    ['answers 404', 404, 'HTTP status 404'],
    ['answers a page', 200, 'parser error'],
  ])('is exit 3 and a hint where something else %s', async (_, status, reason) => {
    const other = createHttpServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'text/html' }).end('<html></html>');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await runCli(['agent', 'room', '--server', `http://127.0.0.1:${port}`, '--office', 'o']);
    other.close();
    expect(code).toBe(3);
    expect(stderr).toContain(`${reason} (is an A2C Server there, and is --path its path?)`);
  });

  it('takes no longer than --timeout where nothing answers', async () => {
    const silent = createHttpServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const args = ['--server', `http://127.0.0.1:${port}`, '--office', 'o', '--timeout', '1'];
    const [room, wait] = await Promise.all([
      runCli(['agent', 'room', ...args]),
      runCli(['agent', 'wait', 'laptop', ...args]),
    ]);
    silent.close();
    silent.closeAllConnections();
    expect(room).toMatchObject({ code: 3, stderr: expect.stringContaining('no answer within 1000 ms') as string });
    expect(wait).toMatchObject({ code: 1, stderr: expect.stringContaining('was not there within 1 s') as string });
  });

  it('is exit 3 and names the flag where the token is wrong', async () => {
    const { server, url } = await startServer(['--token', 'right']);
    for (const args of [[], ['--token', 'wrong']]) {
      const { code, stderr } = await runCli(['agent', 'room', '--server', url, '--office', 'o', ...args]);
      expect(code).toBe(3);
      expect(stderr).toMatch(/Unauthorized \(check --token, --token-file or A2C_TOKEN\)$/m);
    }
    await server.stop();
  });

  it('is exit 4 where the Server speaks another version', async () => {
    await using other = await startServerOfVersion('0.9.0');
    for (const words of [
      ['agent', 'room'],
      ['computer', 'run', '--retry'],
    ]) {
      const { code, stderr } = await runCli([...words, '--server', other.url, '--office', 'o']);
      expect(code).toBe(4);
      expect(stderr).toMatch(/error: Protocol version mismatch: .* 0\.2\.0, the Server 0\.9\.0/);
    }
  });

  it('is exit 1 where the Server finds its port taken', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const { code, stderr } = await runCli(['server', '--port', String(port)]);
    holder.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: Cannot listen .*already in use/);
  });
});
