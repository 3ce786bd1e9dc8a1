import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REQUIREMENTS } from './requirements.js';

const root = join(import.meta.dirname, '..', '..');
const CITATION = /\[(R-[\w.-]+)\]/g;

function testFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join(root, folder, file))
    .filter((file) => file !== import.meta.filename);
}

const cited = new Map<string, string[]>();
for (const file of [...testFiles('src'), ...testFiles('test')]) {
  for (const [, id = ''] of readFileSync(file, 'utf8').matchAll(CITATION)) {
    cited.set(id, [...(cited.get(id) ?? []), file]);
  }
}

describe('the list of requirements', () => {
  it.each(Object.keys(REQUIREMENTS))('%s is shown by a test', (id) => {
    expect(cited.get(id) ?? []).not.toEqual([]);
  });

  it('has every rule that a test cites', () => {
    expect([...cited.keys()].filter((id) => !Object.hasOwn(REQUIREMENTS, id))).toEqual([]);
  });
});
