import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAuthority, makeCertificate, makeSelfSigned, type KeyPair } from '../support/certificates.js';
import { runCli, RunningCli } from '../support/cli.js';
import { startProxy } from '../support/proxy.js';
import { startTlsServer, type RunningTlsServer } from '../support/tls-server.js';

const PASSPHRASE = 'open sesame';
let folder: string;
let mutual: Parameters<typeof startTlsServer>[0];
let locked: KeyPair;
/** Files of the machine of a client. */
let files: { readonly ca: string; readonly cert: string; readonly key: string };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-network-'));
  const authority = await makeAuthority();
  locked = await makeCertificate(authority, { hosts: ['laptop'], passphrase: PASSPHRASE });
  mutual = { ...(await makeCertificate(authority)), ca: authority.cert, requestCert: true, rejectUnauthorized: true };
  files = { ca: join(folder, 'ca.pem'), cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  await writeFile(files.ca, authority.cert);
  await writeFile(files.cert, locked.cert);
  await writeFile(files.key, locked.key, { mode: 0o600 });
});
afterAll(() => rm(folder, { recursive: true }));

const identity = (): string[] => ['--ca', files.ca, '--cert', files.cert, '--key', files.key];
const unlocked = { A2C_KEY_PASSPHRASE: PASSPHRASE };
/** No proxy but that of the test, wherever it runs. */
const CLEAN = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].map(
    (name) => [name, ''],
  ),
);

function computers(server: string, args: readonly string[], env: Record<string, string> = {}) {
  return runCli(['agent', 'room', '--server', server, '--office', 'o', ...args], { env: { ...CLEAN, ...env } });
}

const at = ({ port }: RunningTlsServer, host = 'a2c.test'): string => `https://${host}:${port}`;

describe('the command line in the network of a company', () => {
  it('brings a Computer and an Agent through a proxy with credentials to a Server that wants certificates', async () => {
    await using proxy = await startProxy({ credentials: 'ann:s3cret' });
    await using tls = await startTlsServer(mutual);
    const env = { ...CLEAN, ...unlocked, HTTPS_PROXY: `http://ann:s3cret@127.0.0.1:${proxy.port}` };
    const args = ['computer', 'run', '--server', at(tls), '--office', 'o', '--name', 'laptop', ...identity()];
    await using computer = new RunningCli([...args, '--log-level', 'debug'], { env });
    await computer.event('joined');
    const { code, stdout, stderr } = await computers(at(tls), [...identity(), '--json'], env);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('"laptop"');
    expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT a2c.test:${tls.port}`]));
    expect(computer.stderr).not.toMatch(/s3cret|open sesame/);
  });

  it('takes the proxy of the flag before that of the environment, and none for what NO_PROXY names', async () => {
    await using proxy = await startProxy();
    await using tls = await startTlsServer(mutual);
    const env = { ...unlocked, ALL_PROXY: 'http://127.0.0.1:9' };
    const flag = ['--proxy', `http://127.0.0.1:${proxy.port}`];
    expect(await computers(at(tls), [...identity(), ...flag], env)).toMatchObject({ code: 0 });
    expect(proxy.seen).not.toEqual([]);
    const directly = await computers(at(tls), [...identity(), ...flag], { ...env, NO_PROXY: 'a2c.test' });
    // Without a proxy nobody knows this name.
    expect(directly.stderr).toMatch(/ENOTFOUND|EAI_AGAIN/);
    expect(await computers(at(tls, 'localhost'), identity(), env)).toMatchObject({ code: 0 });
  });

  it.each<[string, (url: string) => { args?: string[]; env?: Record<string, string> }, RegExp]>([
    ['no authority', () => ({}), /unknown authority \([A-Z_]+\) \(--ca FILE, or NODE_EXTRA_CA/],
    [
      'no client certificate',
      () => ({ args: ['--ca', files.ca] }),
      /wants a client certificate .*\(--cert FILE and --key/,
    ],
    ['no passphrase', () => ({ args: identity() }), /error: A2C_KEY_PASSPHRASE is (missing|not that of key)/],
    [
      'a wrong passphrase',
      () => ({ args: identity(), env: { A2C_KEY_PASSPHRASE: 'canary' } }),
      /A2C_KEY_PASSPHRASE is not/,
    ],
    ['a key alone', () => ({ args: ['--key', files.key] }), /error: --cert is missing/],
    ['a file that is not there', () => ({ args: ['--ca', '/nowhere.pem'] }), /error: --ca: cannot read \/nowhere\.pem/],
    ['an authority that is none', () => ({ args: ['--ca', files.key] }), /error: --ca must be a certificate in PEM/],
    [
      'a proxy that is none',
      () => ({ args: ['--proxy', 'ftp://canary'] }),
      /error: --proxy: expected the URL of a proxy/,
    ],
    ['a variable that is no proxy', () => ({ env: { HTTPS_PROXY: 'ftp://canary' } }), /HTTPS_PROXY: expected the URL/],
    [
      'a proxy that is gone',
      () => ({ args: ['--proxy', 'http://ann:canary@127.0.0.1:9'] }),
      /the proxy 127\.0\.0\.1:9 cannot be reached or used: ECONNREFUSED \(check --proxy, HTTPS_PROXY/,
    ],
  ])('says what is wrong and what to do: %s', async (_what, how, expected) => {
    await using tls = await startTlsServer(mutual);
    const { args = [], env } = how(at(tls));
    const url = at(tls, args.includes('--proxy') || env?.['HTTPS_PROXY'] !== undefined ? 'a2c.test' : 'localhost');
    const { code, stderr } = await computers(url, args, env);
    expect(stderr).toMatch(expected);
    expect(stderr).not.toContain('canary');
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(code).toBeGreaterThanOrEqual(2);
  });

  it('says that a proxy wants other credentials, and how to give them', async () => {
    await using proxy = await startProxy({ credentials: 'ann:right' });
    const { stderr } = await computers('https://a2c.test', ['--proxy', `http://ann:canary@127.0.0.1:${proxy.port}`]);
    expect(stderr).toContain(
      `the proxy 127.0.0.1:${proxy.port} wants other credentials: HTTP status 407 (write them into the URL of the proxy`,
    );
    expect(stderr).not.toContain('canary');
  });

  it('trusts what NODE_EXTRA_CA_CERTS names, also beside --ca', async () => {
    const other = join(folder, 'other.pem');
    await writeFile(other, (await makeSelfSigned()).cert);
    await using tls = await startTlsServer({ ...mutual, requestCert: false, rejectUnauthorized: false });
    const env = { NODE_EXTRA_CA_CERTS: files.ca };
    expect(await computers(at(tls, 'localhost'), [], env)).toMatchObject({ code: 0 });
    expect(await computers(at(tls, 'localhost'), ['--ca', other], env)).toMatchObject({ code: 0 });
    expect(await computers(at(tls, 'localhost'), ['--ca', other])).toMatchObject({ code: 3 });
  });

  it('lets the doctor look along the same way', async () => {
    await using proxy = await startProxy();
    await using tls = await startTlsServer(mutual);
    const env = { ...CLEAN, ...unlocked, HTTPS_PROXY: `http://127.0.0.1:${proxy.port}`, A2C_CONFIG_DIR: folder };
    const { code, stdout } = await runCli(['doctor', '--server', at(tls), ...identity()], { env });
    expect(stdout).toMatch(/ok {3}network {7}proxy 127\.0\.0\.1:\d+, from HTTPS_PROXY/);
    expect(stdout).toMatch(/ok {3}Server {8}connected without a token/);
    expect(stdout).toMatch(/ok {3}clock {9}agrees/);
    expect(stdout).not.toContain('FAIL');
    expect(code).toBe(0);
  });
});
