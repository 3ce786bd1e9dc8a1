import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const own = join(root, 'test-vectors');
/** Where the vectors come from, in a checkout that stands beside them. */
const origin = join(root, '..', 'shared', 'vectors');

const EXPECTED = ['config-masking.json', 'desktop.json', 'tool-meta.json', 'uri.json', 'version.json'];

describe('the shared test vectors', () => {
  it('are the five files that implementations of the protocol have in common', () => {
    expect(readdirSync(own).sort()).toEqual(EXPECTED);
  });

  it.each(EXPECTED)('%s holds cases', (file) => {
    const vectors = JSON.parse(readFileSync(join(own, file), 'utf8')) as Record<string, unknown>;
    expect(vectors['description']).toEqual(expect.any(String));
    const cases = Object.values(vectors).filter((value) => Array.isArray(value));
    expect(cases.flat().length).toBeGreaterThan(0);
  });

  it('are byte for byte those of their origin, where that is at hand', () => {
    if (!existsSync(origin)) return;
    expect(readdirSync(origin).sort()).toEqual(EXPECTED);
    for (const file of EXPECTED) {
      expect(readFileSync(join(own, file)).equals(readFileSync(join(origin, file))), file).toBe(true);
    }
  });
});
