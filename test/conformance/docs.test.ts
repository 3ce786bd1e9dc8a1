import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-table.js';
import { parseConfig } from '../../src/computer/index.js';
import { PROTOCOL_VERSION } from '../../src/protocol/index.js';
import { agentShellReference } from '../support/agent-shell-reference.js';
import { cliReference, commandPages, protocolReference } from '../support/reference.js';
import { shellReference } from '../support/shell-reference.js';

const root = join(import.meta.dirname, '..', '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('api'))
    .map((file) => join('docs', file)),
];

describe('the documentation', () => {
  it('has the command line as the table of commands has it', async () => {
    await expect(await cliReference()).toMatchFileSnapshot(join(root, 'docs/cli.md'));
  });

  it('has a page for each command as the table of commands has it, and no other', async () => {
    const made = await commandPages();
    for (const [file, page] of made) await expect(page).toMatchFileSnapshot(join(root, 'docs/commands', file));
    expect(readdirSync(join(root, 'docs/commands')).toSorted()).toEqual([...made.keys()].toSorted());
  });

  it('names other commands and pages that are there', () => {
    const paths = COMMANDS.map(({ path }) => path);
    for (const { path, seeAlso = [] } of COMMANDS) {
      const missing = seeAlso.filter((target) => !paths.includes(target) && !existsSync(join(root, 'docs', target)));
      expect([path, missing]).toEqual([path, []]);
    }
  });

  it('has the shell of a Computer as its table of commands has it', async () => {
    await expect(await shellReference()).toMatchFileSnapshot(join(root, 'docs/shell.md'));
  });

  it('has the shell of an Agent as its table of commands has it', async () => {
    await expect(await agentShellReference()).toMatchFileSnapshot(join(root, 'docs/agent-repl.md'));
  });

  it('has events and error codes as the source has them', async () => {
    await expect(await protocolReference()).toMatchFileSnapshot(join(root, 'docs/protocol.md'));
  });

  it('shows every example as the file that runs', () => {
    const files = readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `examples/${file.replaceAll(sep, '/')}`);
    const texts = pages.map(read);
    for (const file of files) {
      const shown = `<!-- ${file} -->\n\n\`\`\`ts\n${read(file)}\`\`\``;
      expect(
        texts.filter((text) => text.includes(shown)),
        file,
      ).toHaveLength(1);
    }
  });

  it.each(pages)('has no dead link in %s', (page) => {
    const links = [...read(page).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });

  it('shows only configurations that can be read', () => {
    const examples = [...read('docs/configuration.md').matchAll(/```jsonc?\n([\s\S]*?)```/g)].map(
      ([, text = '']) => text,
    );
    expect(examples.length).toBeGreaterThan(3);
    for (const example of examples) expect(() => parseConfig(example)).not.toThrow();
  });

  it('names the protocol version that the package speaks', () => {
    expect(read('README.md')).toContain(`| ${PROTOCOL_VERSION}`);
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(version.split('.').slice(0, 2)).toEqual(PROTOCOL_VERSION.split('.').slice(0, 2));
  });
});
