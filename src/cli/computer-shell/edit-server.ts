import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJsonArgument } from '../call-arguments.js';
import { CommandError, UsageError } from '../failure.js';
import { printable } from '../printable.js';
import type { ShellCall } from '../shell/shell-command.js';
import type { ComputerContext } from './computer-context.js';

/** Opens the configuration of an MCP server in the editor of the person, and takes what comes out of it. */
export async function editServer(
  server: string,
  { context, show, terminal }: ShellCall<ComputerContext>,
): Promise<void> {
  const { computer, suspend } = context;
  if (suspend === undefined) throw new UsageError('CONFIG is missing: without a terminal there is no editor');
  const { servers } = computer.configuration();
  const before = `${JSON.stringify(servers[server], null, 2)}\n`;
  const folder = await mkdtemp(join(tmpdir(), 'a2c-edit-'));
  try {
    const file = join(folder, 'server.json');
    // It may hold secrets in the clear, as the configuration file does.
    await writeFile(file, before, { mode: 0o600 });
    await suspend(() => runEditor(file));
    const after = await readFile(file, 'utf8');
    if (after === before) {
      terminal.note('nothing was changed');
      return;
    }
    await computer.updateServer(server, parseJsonArgument(after, 'CONFIG'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  show({ server, changed: true }, () => {
    terminal.line(printable(`${server}: changed; save keeps it in the configuration`));
  });
}

async function runEditor(file: string): Promise<void> {
  const editor = process.env['VISUAL'] ?? process.env['EDITOR'] ?? (process.platform === 'win32' ? 'notepad' : 'vi');
  // These variables hold a command line, by the custom of shells.
  const child = spawn(`${editor} ${JSON.stringify(file)}`, { stdio: 'inherit', shell: true });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new CommandError(`the editor "${editor}" ended with ${code ?? 'a signal'}; nothing was changed`);
}
