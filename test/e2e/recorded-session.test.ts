import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitLine } from '../../src/cli/shell/split-line.js';
import { startServer } from '../support/cli.js';
import { hasTmux, TmuxTerminal } from '../support/tmux.js';

const root = join(import.meta.dirname, '..', '..');
const SESSION = join(root, 'docs', 'sessions', 'first-steps.txt');
/** Where a person types: a command, or an answer. */
const TYPED = /^(?:a2c> |Allow\? .*?\) |Which one\? .*?\] )(.*)$/;
const URL_IN_DOCS = 'http://127.0.0.1:8000';

/** What differs from one time to the next, as it stands in the record. */
function steady(screen: string, url: string): string {
  return screen
    .replaceAll(url, URL_IN_DOCS)
    .replaceAll(/; \d+ s\)/g, '; 60 s)')
    .replaceAll(/in \d+\.\d\d s/g, 'in 0.01 s')
    .replaceAll(/(running +\d+ +)\d+ s( *)/g, (_all, before: string) => `${before}1 s`);
}

describe.skipIf(!hasTmux())('the recorded session', () => {
  it('goes today as it stands in the documentation', async () => {
    const record = (await readFile(SESSION, 'utf8')).trimEnd().split('\n');
    const [command = '', ...lines] = record;
    const folder = await mkdtemp(join(tmpdir(), 'a2c-session-'));
    await writeFile(join(folder, 'mcp.json'), '{\n  // A Computer to try things on.\n  "servers": {}\n}\n');
    const { server, url } = await startServer();
    try {
      const args = splitLine(command.replace(URL_IN_DOCS, url)).words.map(({ text }) => text);
      const path = [join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter);
      await using terminal = await TmuxTerminal.start(args.slice(2), {
        columns: 110,
        rows: 200,
        cwd: folder,
        env: { PATH: path },
      });
      await terminal.shows('joined office');
      for (const line of lines) {
        const [, typed] = TYPED.exec(line) ?? [];
        if (typed === undefined) continue;
        // What is typed too early would not be an answer, and stand elsewhere in the record.
        await terminal.shows(line.startsWith('a2c> ') ? /\na2c>$/ : /\n(Allow|Which one)\?.*[)\]]$/);
        await terminal.type(`${typed}\n`);
        if (typed.startsWith('server add')) await terminal.shows(/everything: added/);
      }
      expect(await terminal.ended()).toBe(0);
      const screen = steady(await terminal.everything(), url);
      await expect(`${command}\n${screen}\n`).toMatchFileSnapshot(SESSION);
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  });
});
