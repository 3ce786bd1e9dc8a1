import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathsOf } from './host-files.js';
import { HOSTS } from './hosts.js';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'import.md'), 'utf8');
const context = { home: '~', project: '.', env: {}, platform: 'linux' } as const;

describe('docs/import.md', () => {
  it('has every host and every file of it', () => {
    const rows = HOSTS.map(({ id, name, files }) => {
      const paths = files.map(({ path }) => `\`${pathsOf(path, context)[0] ?? ''}\``);
      return `| \`${id}\` | ${name} | ${paths.join(', ')} |`;
    });
    const [hosts = ''] = page.split('## What changes');
    const shown = hosts.split('\n').filter((line) => line.startsWith('| `'));
    expect(shown.map((line) => line.replaceAll(/ +/g, ' '))).toEqual(rows);
  });
});
