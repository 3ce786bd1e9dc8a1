import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { UsageError } from '../failure.js';
import { choice, flagName, readToken, wholeNumber } from './flags.js';

const folder = mkdtempSync(join(tmpdir(), 'a2c-flags-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('flags', () => {
  it('are named after their value', () => {
    expect(flagName('corsOrigin')).toBe('--cors-origin');
    expect(flagName('json')).toBe('--json');
  });

  it.each(['', '1.5', 'abc', '0x10', '1e3', '-1', '3601', ' 5'])('refuse %j as a number from 0 to 3600', (raw) => {
    const flag = wholeNumber('N', 'help', { min: 0, max: 3600 });
    expect(() => flag.parse(raw)).toThrow(new UsageError('expected a whole number from 0 to 3600'));
  });

  it('take one of the words only', () => {
    const flag = choice(['pretty', 'json'], 'help', { fallback: 'pretty' });
    expect(flag.parse('json')).toBe('json');
    expect(() => flag.parse('xml')).toThrow('expected one of pretty, json');
  });
});

describe('readToken', () => {
  it('reads a file without its line break, and takes it over a token of the environment', () => {
    const file = join(folder, 'token');
    writeFileSync(file, 'from-file\n');
    expect(readToken({ token: 'from-environment', tokenFile: file })).toBe('from-file');
  });

  it('is undefined where none is given', () => {
    expect(readToken({ token: undefined, tokenFile: undefined })).toBeUndefined();
  });

  it.each([
    ['in UTF-16', Buffer.from('\uFEFFcanary-token\r\n', 'utf16le')],
    ['in another encoding', Buffer.from([0x74, 0xfc, 0x72])],
    ['with more than one line', Buffer.from('canary-token\nanother\n')],
  ])('names a file that holds something else than one token, and nothing of it: %s', (_, content) => {
    const file = join(folder, 'odd');
    writeFileSync(file, content);
    const read = () => readToken({ token: undefined, tokenFile: file });
    expect(read).toThrow(/--token-file: .*odd must hold the token alone/);
    expect(read).not.toThrow(/canary/);
  });

  it('takes a byte-order mark and CRLF away', () => {
    const file = join(folder, 'windows');
    writeFileSync(file, '\uFEFFtoken\r\n');
    expect(readToken({ token: undefined, tokenFile: file })).toBe('token');
  });

  it('names a file that is missing or empty', () => {
    const empty = join(folder, 'empty');
    writeFileSync(empty, '\n');
    expect(() => readToken({ token: undefined, tokenFile: empty })).toThrow(/--token-file: .*empty is empty/);
    expect(() => readToken({ token: undefined, tokenFile: join(folder, 'none') })).toThrow(/cannot read .*none/);
  });
});
