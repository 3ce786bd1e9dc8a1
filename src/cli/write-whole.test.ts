import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from './failure.js';
import { assertFree, writeWhole } from './write-whole.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-whole-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

const content = () => Readable.from([Buffer.from('new')]);

describe('writeWhole', () => {
  it('writes a new file, and another one only where it may', async () => {
    const file = join(folder, 'a');
    expect(await writeWhole(file, content(), { replace: false })).toBe(3);
    await writeFile(file, 'old');
    await expect(writeWhole(file, content(), { replace: false })).rejects.toThrow('replace it with --force');
    expect(await readFile(file, 'utf8')).toBe('old');
    await writeWhole(file, content(), { replace: true });
    expect(await readFile(file, 'utf8')).toBe('new');
    expect(await readdir(folder)).toEqual(['a']);
  });

  it('says of a folder that it is one, whatever may be replaced, and leaves nothing behind', async () => {
    const taken = join(folder, 'taken');
    await mkdir(taken);
    for (const replace of [true, false]) {
      await expect(writeWhole(taken, content(), { replace })).rejects.toThrow(`${taken} is a folder`);
    }
    await expect(assertFree(taken)).rejects.toThrow(`${taken} is a folder`);
    expect(await readdir(folder)).toEqual(['taken']);
  });

  it('wants a name', async () => {
    for (const attempt of [assertFree(''), writeWhole('', content(), { replace: true })]) {
      await expect(attempt).rejects.toThrow(UsageError);
    }
  });
});
