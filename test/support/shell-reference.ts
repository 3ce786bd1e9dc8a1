import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { COMPUTER_COMMANDS } from '../../src/cli/computer-shell/table.js';
import { flagName } from '../../src/cli/flags/flags.js';
import { usageOf } from '../../src/cli/shell/parse-call.js';
import { argumentForm, type ShellCommand } from '../../src/cli/shell/shell-command.js';
import { Shell } from '../../src/cli/shell/shell.js';
import { Terminal } from '../../src/cli/terminal/terminal.js';

const root = join(import.meta.dirname, '..', '..');
const nowhere = { write: () => undefined };

/** All commands of a shell: those given and the shell's own. */
export function wholeTable<C>(commands: readonly ShellCommand<C>[]): readonly ShellCommand<C>[] {
  const terminal = new Terminal(nowhere, nowhere, false);
  const options = { context: undefined as C, commands, names: () => [], prompt: () => '', terminal };
  return new Shell<C>(options).table;
}

/** A section of Markdown for each command of a shell with that prompt. */
export function commandSections<C>(commands: readonly ShellCommand<C>[], prompt = 'a2c>'): string {
  return wholeTable(commands)
    .map((command) => section(command, prompt))
    .join('\n\n');
}

function section<C>(command: ShellCommand<C>, prompt: string): string {
  const { path, aliases = [], summary, args, flags, examples } = command;
  const rows = [
    ...args.map((argument) => [argumentForm(argument), argument.help]),
    ...Object.entries(flags).map(([key, { short, placeholder, help }]) => {
      const names = [...(short === undefined ? [] : [`-${short}`]), flagName(key)].join(', ');
      return [`${names} ${placeholder}`.trim(), help];
    }),
  ].map(([form = '', help = '']) => `| \`${form.replaceAll('|', '\\|')}\` | ${help.replaceAll('|', '\\|')} |`);
  return [
    `### ${path}`,
    `\`${usageOf(command)}\``,
    `${summary}.${aliases.length === 0 ? '' : ` Also: ${aliases.map((alias) => `\`${alias}\``).join(', ')}.`}`,
    ...(rows.length === 0 ? [] : [['| argument | meaning |', '| --- | --- |', ...rows].join('\n')]),
    `\`\`\`text\n${examples.map((example) => `${prompt} ${example}`).join('\n')}\n\`\`\``,
  ].join('\n\n');
}

const PROSE = `# The shell of a Computer

\`a2c computer run\` on a terminal opens a shell. It shows what happens above the line that you type: MCP servers that start,
calls of Agents, the connection.

- **Words.** Blanks part them; quotes keep them together (\`start "my files"\`). What begins with \`{\` or \`[\` is taken as it
  stands to the end of the line, so that JSON needs no quoting. \`@FILE\` reads JSON from a file, \`~\` is your home folder.
- **Keys.** Tab completes commands, flags, servers, tools, their parameters, inputs and files. Up and Down are past lines,
  those of earlier sessions too. Ctrl-C cancels the command that runs, clears the line, and twice on an empty one leaves;
  Ctrl-D leaves.
- **Calls that need your word** are shown with who, which tool and which arguments, and wait: \`y\` this once, \`s\` as long as
  this session lasts, for that Agent and that tool, \`a\` always, which sets \`auto_apply\` in the configuration file; anything
  else asks again, an empty line is no. With a desktop (\`notify-send\`, macOS) there is a notification, too.
- **Inputs** are asked for when a server needs them; what is secret is not shown while you type.
- **Past lines** are kept in a file that only you can read, without arguments of commands that may hold secrets, and without
  lines that begin with a blank.
- **\`--json\`** after any command prints its result as one line of JSON.
- **Scripts** write commands to stdin with \`--shell\`: they run once the MCP servers and the connection have come to an
  outcome; exit code 1 says that one of them failed. With \`--json\` too, every result is a line
  \`{"event":"result","command":…,"result":…}\`, every failure \`{"event":"error","command":…,"message":…}\`, among those that
  [cli.md](cli.md) lists.
- **Without a terminal**, with \`--headless\`, with \`--json\` alone or in the background there is no shell: the Computer
  hosts and serves until it is stopped. Ctrl-Z and \`bg\` put it into the background later, \`fg\` brings it back.

## A session`;

/** docs/shell.md, from the table of commands and the recorded session. */
export function shellReference(): Promise<string> {
  const session = readFileSync(join(root, 'docs', 'sessions', 'first-steps.txt'), 'utf8');
  const text = [
    PROSE,
    'Recorded on a terminal; a test plays it again.',
    `\`\`\`text\n${session}\`\`\``,
    '## Commands',
    'Made from the source by `npx vitest run test/conformance/docs.test.ts -u`; a test keeps the two equal.',
    commandSections(COMPUTER_COMMANDS),
  ].join('\n\n');
  return format(text, { parser: 'markdown', printWidth: 120 });
}
