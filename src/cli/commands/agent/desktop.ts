import { showDesktop, watchDesktop } from '../../agent-shell/ask-desktop.js';
import { AGENT_FLAGS, withAgent } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { text, toggle, wholeNumber } from '../../flags.js';

/** `a2c agent desktop` */
export const desktopCommand = defineCommand({
  path: 'agent desktop',
  summary: "Show a Computer's desktop: what its MCP servers have on their windows",
  args: [{ name: 'COMPUTER', help: 'the Computer to ask' }],
  flags: {
    ...AGENT_FLAGS,
    size: wholeNumber('N', 'at most so many windows; all when left out', { min: -1_000_000, max: 1_000_000 }),
    window: text('URI', 'only this window'),
    watch: toggle('show it again at each change, until interrupted'),
  },
  examples: ['a2c agent desktop laptop --size 5', 'a2c agent desktop laptop --watch'],
  run: async (invocation) => {
    const [computer = ''] = invocation.args;
    const { size, window, watch } = invocation.flags;
    const show = watch ? watchDesktop : showDesktop;
    await withAgent(invocation, (asking) => show(asking, { computer, size, window }));
    return watch ? EXIT_CODES.interrupted : EXIT_CODES.ok;
  },
});
