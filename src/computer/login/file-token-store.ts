import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { FolderWatches } from '../config/folder-watches.js';
import { withFileLock } from './file-lock.js';
import type { StopWatching, StoredLogin, TokenStore } from './token-store.js';

/** Only the user: what others can read is no secret. */
const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Written at each change, for those who watch. */
const CHANGED = 'changed';

const storedSchema = z.object({
  version: z.literal(1),
  key: z.string(),
  serverUrl: z.string(),
  issuer: z.string(),
  authorizationServer: z.string(),
  resource: z.string().optional(),
  client: z.object({
    clientId: z.string(),
    clientSecret: z.string().optional(),
    authMethod: z.string().optional(),
    redirectUri: z.string(),
  }),
  tokens: z
    .object({
      accessToken: z.string(),
      refreshToken: z.string().optional(),
      expiresAt: z.number().optional(),
      scope: z.string().optional(),
    })
    .optional(),
});

/**
 * Keeps each login in a file of its own, in a folder that only the user can read. Several processes may share it: one
 * changes a login at a time, and the others learn of it.
 */
export class FileTokenStore implements TokenStore {
  readonly #folder: string;

  /** @param folder - made when it is needed. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  async load(key: string): Promise<StoredLogin | undefined> {
    let text: string;
    try {
      text = await readFile(this.#file(key), 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    return read(text, key);
  }

  async update(
    key: string,
    change: (current: StoredLogin | undefined) => Promise<StoredLogin | undefined>,
  ): Promise<StoredLogin | undefined> {
    await mkdir(this.#folder, { recursive: true, mode: FOLDER_MODE });
    // A folder that was there before may be open to others.
    await chmod(this.#folder, FOLDER_MODE);
    const file = this.#file(key);
    return withFileLock(`${file}.lock`, async () => {
      const login = await change(await this.load(key));
      if (login === undefined) await rm(file, { force: true });
      else await replaceFile(file, JSON.stringify({ version: 1, key, ...login }, null, 2));
      await replaceFile(join(this.#folder, CHANGED), new Date().toISOString());
      return login;
    });
  }

  watch(onChanged: () => void): StopWatching {
    const watches = new FolderWatches([join(this.#folder, CHANGED)], {
      onActivity: () => {
        watches.arm();
        onChanged();
      },
      // Without it, a login that another process made is found at the next start only.
      onFailure: () => undefined,
    });
    watches.arm();
    return () => {
      watches.close();
    };
  }

  /** A key may hold anything; a file name may not. */
  #file(key: string): string {
    return join(this.#folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);
  }
}

function read(text: string, key: string): StoredLogin | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const parsed = storedSchema.safeParse(value);
  if (!parsed.success || parsed.data.key !== key) return undefined;
  const { serverUrl, issuer, authorizationServer, resource, client, tokens } = parsed.data;
  return { serverUrl, issuer, authorizationServer, resource, client, tokens };
}

/** Whoever reads it meanwhile finds the old content or the new one, never a part. */
async function replaceFile(file: string, text: string): Promise<void> {
  const fresh = `${file}.${randomUUID()}`;
  try {
    await writeFile(fresh, text, { mode: FILE_MODE, flag: 'wx' });
    await rename(fresh, file);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
