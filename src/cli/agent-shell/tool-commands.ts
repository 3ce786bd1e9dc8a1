import { toolArguments } from '../flags/call-arguments.js';
import { CommandError } from '../failure.js';
import { text } from '../flags/flags.js';
import { expandHome } from '../shell/complete-path.js';
import { ask, askComputer, ASK_FLAGS, define } from './agent-context.js';
import { callTool } from './ask-call.js';
import { findTool, showTool, showTools } from './ask-tools.js';
import type { Asking } from './asking.js';

const tools = define({
  path: 'tools',
  summary: 'List the tools of the Computer in use, or of all',
  args: [
    {
      name: 'FILTER',
      help: 'only those whose name or description has this in it',
      optional: true,
      completes: ['tool'],
    },
  ],
  flags: ASK_FLAGS,
  examples: ['tools', 'tools file'],
  run: (call) => {
    const { context, flags, args } = call;
    const computer = flags.computer ?? context.selection.implied;
    return ask(
      call,
      async (asking) => {
        const isWhole = await showTools(asking, { computer, filter: args[0] });
        if (!isWhole) throw new CommandError('not every Computer showed its tools');
      },
      { computer },
    );
  },
});

const tool = define({
  path: 'tool',
  summary: 'Show one tool: its metadata and schemas',
  args: [{ name: 'TOOL', help: 'the name of a tool', completes: ['tool'] }],
  flags: ASK_FLAGS,
  examples: ['tool read_file'],
  run: (call) => {
    const [name = ''] = call.args;
    return askComputer(call, (asking, computer) => showTool(asking, computer, name));
  },
});

const callCommand = define({
  path: 'call',
  summary: 'Call a tool; Ctrl-C cancels it',
  args: [
    { name: 'TOOL', help: 'the name of a tool', completes: ['tool'] },
    {
      name: 'VALUE',
      help: 'its arguments: key=value each, key:=JSON, or all as JSON or @FILE',
      optional: true,
      rest: true,
      completes: ['parameter', '@file'],
    },
  ],
  flags: {
    ...ASK_FLAGS,
    output: text('DIR', 'write images, sounds and binary resources into files there, and print their paths'),
  },
  examples: [
    'call echo message="hello world"',
    'call write_file {"path":"a.txt","content":"hello"}',
    'call search --timeout 300 @request.json',
    'call screenshot --output ~/pictures',
  ],
  secret: true,
  run: (call) => {
    const { args, rest, flags } = call;
    const [name = ''] = args;
    const output = flags.output === undefined ? undefined : expandHome(flags.output);
    const about = { tool: name };
    return askComputer(
      call,
      async (asking, computer) => {
        const params = await toolArguments(rest, await schemaFor(asking, { computer, name, rest }));
        const { failed, why } = await callTool(asking, { computer, tool: name, params, output });
        if (failed && !asking.signal.aborted)
          throw new CommandError(why === undefined ? `${name} failed` : `${name} failed: ${why}`);
      },
      about,
    );
  },
});

/** What the tool says of its arguments, where that decides how the words are read. */
async function schemaFor(
  asking: Asking,
  { computer, name, rest }: { computer: string; name: string; rest: readonly string[] },
): Promise<unknown> {
  if (!rest.some((word) => word.includes('=') && !/^[{[@]/.test(word))) return undefined;
  return (await findTool(asking, computer, name))?.params_schema;
}

/** What an Agent does with tools. */
export const TOOL_COMMANDS = [tools, tool, callCommand];
