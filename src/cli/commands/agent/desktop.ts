import type { Agent } from '../../../agent/index.js';
import { AGENT_FLAGS, withAck, withAgent } from '../../agent-flags.js';
import { defineCommand, type Invocation } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { text, toggle, wholeNumber } from '../../flags.js';
import { printable } from '../../printable.js';
import type { Terminal } from '../../terminal.js';

const FLAGS = {
  ...AGENT_FLAGS,
  size: wholeNumber('N', 'at most so many windows; all when left out', { min: -1_000_000, max: 1_000_000 }),
  window: text('URI', 'only this window'),
  watch: toggle('show it again at each change, until interrupted'),
} as const;

/** `a2c agent desktop` */
export const desktopCommand = defineCommand({
  path: 'agent desktop',
  summary: "Show a Computer's desktop: what its MCP servers have on their windows",
  args: [{ name: 'COMPUTER', help: 'the Computer to ask' }],
  flags: FLAGS,
  examples: ['a2c agent desktop laptop --size 5', 'a2c agent desktop laptop --watch'],
  run: async (invocation) => {
    const [computer = ''] = invocation.args;
    await withAgent(invocation, async (agent) => {
      if (invocation.flags.watch) await watch(agent, computer, invocation);
      else await showOnce(agent, computer, invocation);
    });
    return invocation.flags.watch ? EXIT_CODES.interrupted : EXIT_CODES.ok;
  },
});

async function showOnce(agent: Agent, computer: string, invocation: Invocation<typeof FLAGS>): Promise<void> {
  const { flags, terminal, signal } = invocation;
  const { ack, answer } = await withAck((onAck) =>
    agent.getDesktop(computer, { signal, timeoutMs: flags.timeout * 1000, ...wantedOf(flags), ...onAck }),
  );
  if (flags.json) terminal.json(ack);
  else show(answer, terminal);
}

async function watch(agent: Agent, computer: string, invocation: Invocation<typeof FLAGS>): Promise<void> {
  const { flags, terminal, signal } = invocation;
  const options = { signal, timeoutMs: flags.timeout * 1000, ...wantedOf(flags) };
  for await (const desktops of agent.watchDesktop(computer, options)) {
    if (flags.json) {
      terminal.json({ desktops });
      continue;
    }
    terminal.clear();
    const windows = `${desktops.length} ${desktops.length === 1 ? 'window' : 'windows'}`;
    terminal.line(terminal.style('bold', `${printable(computer)}: ${windows}, ${new Date().toLocaleTimeString()}`));
    show(desktops, terminal);
  }
}

function wantedOf({ size, window }: Invocation<typeof FLAGS>['flags']): { size?: number; window?: string } {
  return { ...(size === undefined ? {} : { size }), ...(window === undefined ? {} : { window }) };
}

function show(desktops: readonly string[], terminal: Terminal): void {
  if (desktops.length === 0) terminal.note('no windows');
  else terminal.line(desktops.map(printable).join(`\n\n${terminal.style('dim', '─'.repeat(40))}\n`));
}
