import { AGENT_FLAGS } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
import { toggle } from '../../flags.js';

/** `a2c agent repl` */
export const replCommand = defineCommand({
  path: 'agent repl',
  summary: 'Stay in an office with a shell: call tools, see desktops, open documents',
  args: [],
  flags: { ...AGENT_FLAGS, json: toggle('print results and events as lines of JSON') },
  examples: [
    'a2c agent repl --server http://127.0.0.1:8000 --office demo',
    `printf 'use laptop\\ncall echo message=hello\\n' | a2c agent repl --office demo --json`,
  ],
  run: async (invocation) => {
    // Nothing of it is wanted by the other commands.
    const { runRepl } = await import('../../agent-shell/run-repl.js');
    return runRepl(invocation);
  },
});
