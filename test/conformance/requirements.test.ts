import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FAULTS } from './faults.js';
import { REQUIREMENTS } from './requirements.js';

const root = join(import.meta.dirname, '..', '..');
const CITATION = /\[([RF]-[\w.-]+)\]/g;
const RULES = { ...REQUIREMENTS, ...FAULTS };

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

describe('the lists of requirements and faults', () => {
  it.each(Object.keys(RULES))('%s is shown by a test', (id) => {
    expect(cited.get(id) ?? []).not.toEqual([]);
  });

  it('have every rule that a test cites', () => {
    expect([...cited.keys()].filter((id) => !Object.hasOwn(RULES, id))).toEqual([]);
  });
});
