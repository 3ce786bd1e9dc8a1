import type { Computer } from '../../computer/index.js';
import { printable } from '../terminal/printable.js';
import type { ShellCall } from '../shell/shell-command.js';
import { untilAborted } from '../until-aborted.js';

/** Shows what an MCP server writes until it is cancelled. */
export async function followLog(
  computer: Computer,
  server: string,
  { show, signal }: Pick<ShellCall<unknown>, 'show' | 'signal'>,
): Promise<void> {
  const stop = computer.on('serverLog', (entry) => {
    if (entry.server !== server) return;
    show(entry, (terminal) => {
      terminal.line(printable(entry.line));
    });
  });
  try {
    await untilAborted(signal);
  } finally {
    stop();
  }
}
