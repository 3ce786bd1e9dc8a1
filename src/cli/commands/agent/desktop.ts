import { showDesktop, watchDesktop } from '../../agent-shell/ask-desktop.js';
import type { DESKTOP_FLAGS } from '../../flags/agent-flags.js';
import type { Invocation } from '../../command.js';
import { EXIT_CODES, type ExitCode } from '../../exit-codes.js';
import { withAgent } from '../../with-agent.js';

/** `a2c agent desktop` */
export async function runDesktop(invocation: Invocation<typeof DESKTOP_FLAGS>): Promise<ExitCode> {
  const [computer = ''] = invocation.args;
  const { size, window, watch } = invocation.flags;
  const show = watch ? watchDesktop : showDesktop;
  await withAgent(invocation, (asking) => show(asking, { computer, size, window }));
  return watch ? EXIT_CODES.interrupted : EXIT_CODES.ok;
}
