import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseJsonArgument } from '../flags/call-arguments.js';
import { CommandError, UsageError } from '../failure.js';
import { printable } from '../terminal/printable.js';
import type { ShellCall } from '../shell/shell-command.js';
import type { ComputerContext } from './computer-context.js';

/** Opens the configuration of an MCP server in the editor of the person, and takes what comes out of it. */
export async function editServer(
  server: string,
  { context, show, terminal, signal }: ShellCall<ComputerContext>,
): Promise<void> {
  const { computer, suspend } = context;
  if (suspend === undefined) throw new UsageError('CONFIG is missing: without a terminal there is no editor');
  const { servers } = computer.configuration();
  const before = `${JSON.stringify(servers[server], null, 2)}\n`;
  const folder = await mkdtemp(join(tmpdir(), 'a2c-edit-'));
  // At once: after a signal this process may not live much longer.
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  signal.addEventListener('abort', remove, { once: true });
  try {
    const file = join(folder, 'server.json');
    // It may hold secrets in the clear, as the configuration file does.
    await writeFile(file, before, { mode: 0o600 });
    await suspend(() => runEditor(file, signal));
    const after = await readFile(file, 'utf8');
    if (after === before) {
      terminal.note('nothing was changed');
      return;
    }
    await computer.updateServer(server, parseJsonArgument(after, 'CONFIG'));
  } finally {
    signal.removeEventListener('abort', remove);
    remove();
  }
  show({ server, changed: true }, () => {
    terminal.line(printable(`${server}: changed; save keeps it in the configuration`));
  });
}

async function runEditor(file: string, signal: AbortSignal): Promise<void> {
  const editor = process.env['VISUAL'] ?? process.env['EDITOR'] ?? (process.platform === 'win32' ? 'notepad' : 'vi');
  const giveBack = takeInterrupts();
  try {
    // These variables hold a command line, by the custom of shells.
    const line = `${editor} ${JSON.stringify(file)}`;
    // With `exec` a signal reaches the editor itself; it takes no line that begins with a variable.
    const isPlain = process.platform !== 'win32' && !/^\s*\w+=/.test(editor);
    const child = spawn(isPlain ? `exec ${line}` : line, { stdio: 'inherit', shell: true });
    const end = (): void => {
      child.kill();
    };
    signal.addEventListener('abort', end, { once: true });
    const [code] = (await once(child, 'close')) as [number | null];
    signal.removeEventListener('abort', end);
    if (code !== 0)
      throw new CommandError(`the editor "${editor}" ended with ${code ?? 'a signal'}; nothing was changed`);
  } finally {
    giveBack();
  }
}

/** While an editor has the terminal, Ctrl-C is meant for it alone. @returns a function that undoes it. */
function takeInterrupts(): () => void {
  const listeners = process.listeners('SIGINT');
  const ignore = (): void => undefined;
  for (const listener of listeners) process.off('SIGINT', listener);
  process.on('SIGINT', ignore);
  return () => {
    process.off('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  };
}
