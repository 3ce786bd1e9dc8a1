import { format } from 'prettier';
import { AGENT_COMMANDS } from '../../src/cli/agent-shell/table.js';
import { commandSections } from './shell-reference.js';

const PROSE = `# The shell of an Agent

\`a2c agent repl\` joins an office, stays in it, and does what you type: the quick way to see what an Agent sees. When the
connection goes it comes back by itself, and says so.

\`\`\`sh
a2c agent repl --server http://127.0.0.1:8000 --office demo
\`\`\`

\`\`\`text
in office "demo": laptop (13 tools)
help lists the commands, Tab completes them, quit leaves
a2c:demo> use laptop
a2c:laptop> tools sum
get-sum  Returns the sum of two numbers
a2c:laptop> call get-sum a=1 b=2
The sum of 1 and 2 is 3.
0.01 s
a2c:laptop> call ecko message=hello
No tool is named "ecko" on this Computer
0.00 s, failed
error: ecko failed: did you mean "echo"? tools lists them
a2c:laptop> call get-tiny-image --output ~/pictures
Here's the image you requested:
[image image/png, 4.0 kB]
The image above is the MCP logo.
/home/alice/pictures/get-tiny-image-1.png
0.01 s
desk is in the office
desk shows 4 tools
a2c:laptop> quit
\`\`\`

- **Which Computer.** \`use\` chooses one; where only one is in the office it is meant without a word. \`--computer NAME\`
  asks another one for once.
- **Arguments of tools** are \`key=value\` words, each read as the schema of the tool wants it: a text as it stands, anything
  else as JSON where it is some. \`key:=value\` is JSON in any case. Or all of them as JSON, which needs no quoting
  (\`call echo {"message":"hello"}\`), or from a file (\`call echo @params.json\`). \`a2c agent call\` takes the same words.
- **Binary content** (images, sounds, binary resources) is named with its size; \`--output DIR\` writes it into files of DIR,
  which are named after the tool and the MIME type. No file is replaced. With \`--json\` the answer stays as it came, and
  \`files\` beside its \`content\` says where each part is: \`index\`, \`path\`, \`mime_type\`, \`size\`.
- **Time.** A call that runs shows for how long, one that has ended how long it took. How far a tool has come is known to
  the Computer alone: the protocol does not carry it to the Agent. Ctrl-C cancels the call, and the tool hears of it.
- **Events** (Computers that come and go, tools, configurations and desktops that change) are told above the line that you
  type; \`watch off\` leaves only those of the connection.
- **Keys and past lines** are those of [the shell of a Computer](shell.md).
- **Scripts** are written to stdin, a command a line. Exit code 1 says that one of them failed. With \`--json\` the first line
  is \`{"event":"joined","office_id":…,"name":…}\`, every result \`{"event":"result","command":…,"result":…}\`, every failure
  \`{"event":"error","command":…,"message":…}\`, and after \`watch on\` the events are as \`a2c agent watch --json\` has them.

## Commands

Made from the source by \`npx vitest run test/conformance/docs.test.ts -u\`; a test keeps the two equal.`;

/** docs/agent-repl.md, from the table of commands. */
export function agentShellReference(): Promise<string> {
  const text = [PROSE, commandSections(AGENT_COMMANDS, 'a2c:laptop>')].join('\n\n');
  return format(text, { parser: 'markdown', printWidth: 120 });
}
