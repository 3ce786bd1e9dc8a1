import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { saveContent } from './save-content.js';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const image = { type: 'image', mimeType: 'image/png', data: PNG.toString('base64') };

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'a2c-save-'));
  folder = join(parent, 'out');
});
afterEach(() => {
  rmSync(parent, { recursive: true });
});

describe('saveContent', () => {
  it('writes images, sounds and binary resources, each under a name of its type, and leaves texts alone', async () => {
    const content = [
      { type: 'text', text: 'here' },
      image,
      { type: 'audio', mimeType: 'audio/mpeg', data: 'AAAA' },
      { type: 'resource', resource: { uri: 'file:///x.pdf', mimeType: 'application/pdf', blob: 'AAAAAA==' } },
      { type: 'resource', resource: { uri: 'file:///x.txt', text: 'a text' } },
      { type: 'image', mimeType: 'image/x-unheard-of', data: 'AAAA' },
      { type: 'video', data: 'AAAA' },
    ];
    const { files, problems } = await saveContent({ content }, { folder, name: 'screenshot' });
    expect(problems).toEqual([]);
    expect(files.map(({ index, path, mime_type, size }) => [index, basename(path), mime_type, size])).toEqual([
      [1, 'screenshot-1.png', 'image/png', 4],
      [2, 'screenshot-2.mp3', 'audio/mpeg', 3],
      [3, 'screenshot-3.pdf', 'application/pdf', 4],
      [5, 'screenshot-4.bin', 'image/x-unheard-of', 3],
      [6, 'screenshot-5.bin', 'application/octet-stream', 3],
    ]);
    expect(readFileSync(join(folder, 'screenshot-1.png'))).toEqual(PNG);
  });

  it('replaces nothing that is there, and follows no link', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'shot-1.png'), 'mine');
    writeFileSync(join(parent, 'outside'), 'mine too');
    symlinkSync(join(parent, 'outside'), join(folder, 'shot-2.png'));
    symlinkSync(join(parent, 'not there'), join(folder, 'shot-3.png'));
    const { files } = await saveContent({ content: [image, image] }, { folder, name: 'shot' });
    expect(files.map(({ path }) => basename(path))).toEqual(['shot-4.png', 'shot-5.png']);
    expect(readFileSync(join(folder, 'shot-1.png'), 'utf8')).toBe('mine');
    expect(readFileSync(join(parent, 'outside'), 'utf8')).toBe('mine too');
  });

  it.each([
    ['../../etc/passwd', '_etc_passwd-1.png'],
    ['/absolute', '_absolute-1.png'],
    ['..', 'content-1.png'],
    ['', 'content-1.png'],
    ['.hidden', '_hidden-1.png'],
    ['a\u0000b\\c', 'a_b_c-1.png'],
    ['工具', '工具-1.png'],
    ['x'.repeat(300), `${'x'.repeat(60)}-1.png`],
  ])('stays in its folder for a tool named %j', async (name, expected) => {
    const { files } = await saveContent({ content: [image] }, { folder, name });
    expect(files.map(({ path }) => path)).toEqual([join(folder, expected)]);
    expect(readdirSync(parent)).toEqual(['out']);
  });

  it.each([
    ['image/../../x', 'bin'],
    ['../png', 'bin'],
    ['image/png; charset=x', 'png'],
  ])('takes no ending from a type like %s as it is', async (mimeType, ending) => {
    const { files } = await saveContent({ content: [{ ...image, mimeType }] }, { folder, name: 'x' });
    expect(files.map(({ path }) => path)).toEqual([join(folder, `x-1.${ending}`)]);
  });

  it('writes the rest where one of them is not in base64', async () => {
    const content = [{ ...image, data: 'not base64!' }, image];
    const { files, problems } = await saveContent({ content }, { folder, name: 'x' });
    expect(files).toHaveLength(1);
    expect(problems).toEqual(['content[0] (image/png) could not be written: it is not in base64']);
  });

  it('says why it cannot write', async () => {
    writeFileSync(folder, 'a file where the folder is to be');
    const { files, problems } = await saveContent({ content: [image] }, { folder, name: 'x' });
    expect(files).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(/content\[0\] \(image\/png\) could not be written: EEXIST/)]);
  });

  it('makes no folder where there is nothing to write', async () => {
    expect(await saveContent({ content: [{ type: 'text', text: 'x' }] }, { folder, name: 'x' })).toEqual({
      files: [],
      problems: [],
    });
    expect(readdirSync(parent)).toEqual([]);
  });
});
