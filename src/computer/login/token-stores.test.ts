import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileTokenStore } from './file-token-store.js';
import { MemoryTokenStore, type StoredLogin, type TokenStore } from './token-store.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-tokens-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

/** The files with logins. */
async function logins(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name !== 'changed');
}

function login(accessToken: string): StoredLogin {
  return {
    serverUrl: 'https://mcp.example/mcp',
    issuer: 'https://auth.example',
    authorizationServer: 'https://auth.example',
    client: { clientId: 'c', redirectUri: 'http://127.0.0.1:1/callback' },
    tokens: { accessToken },
  };
}

const STORES: [string, () => TokenStore][] = [
  ['MemoryTokenStore', () => new MemoryTokenStore()],
  ['FileTokenStore', () => new FileTokenStore(join(folder, 'deep', 'logins'))],
];

describe.each(STORES)('%s', (_name, make) => {
  it('keeps what it is given under any key, until it is taken out', async () => {
    const store = make();
    for (const key of ['a', '../b', '__proto__', '路径 "']) {
      expect(await store.load(key)).toBeUndefined();
      await store.update(key, () => Promise.resolve(login(key)));
      expect(await store.load(key)).toMatchObject({ tokens: { accessToken: key } });
    }
    await store.update('a', () => Promise.resolve(undefined));
    expect(await store.load('a')).toBeUndefined();
    expect(await store.load('../b')).toBeDefined();
  });

  it('lets one change at a time, and goes on after one that fails', async () => {
    const store = make();
    let inside = 0;
    const change = async (current: StoredLogin | undefined): Promise<StoredLogin> => {
      inside += 1;
      expect(inside).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      return login(`${current?.tokens?.accessToken ?? ''}x`);
    };
    const failing = store.update('k', () => Promise.reject(new Error('no')));
    const changes = Array.from({ length: 8 }, () => store.update('k', change));
    await expect(failing).rejects.toThrow('no');
    await Promise.all(changes);
    expect(await store.load('k')).toMatchObject({ tokens: { accessToken: 'xxxxxxxx' } });
  });
});

describe('FileTokenStore', () => {
  it('takes a file that is damaged, or not its own, for nothing', async () => {
    const store = new FileTokenStore(folder);
    await store.update('k', () => Promise.resolve(login('t')));
    const [name = ''] = await logins();
    for (const text of ['', '{', '[]', '{"version":1}', JSON.stringify({ version: 1, key: 'other', ...login('t') })]) {
      await writeFile(join(folder, name), text);
      expect(await store.load('k')).toBeUndefined();
    }
    await store.update('k', () => Promise.resolve(login('new')));
    expect(await store.load('k')).toMatchObject({ tokens: { accessToken: 'new' } });
  });

  it('closes a folder that others can read', async () => {
    const open = join(folder, 'open');
    await mkdir(open, { mode: 0o777 });
    await new FileTokenStore(open).update('k', () => Promise.resolve(login('t')));
    expect((await stat(open)).mode & 0o077).toBe(0);
  });

  it('does not wait for a process that ended while it held the lock', async () => {
    const store = new FileTokenStore(folder);
    await store.update('k', () => Promise.resolve(login('t')));
    const [name = ''] = await logins();
    const lock = join(folder, `${name}.lock`);
    await writeFile(lock, '');
    const long = new Date(Date.now() - 60_000);
    await utimes(lock, long, long);
    await store.update('k', () => Promise.resolve(login('new')));
    expect(await logins()).toEqual([name]);
  });
});
