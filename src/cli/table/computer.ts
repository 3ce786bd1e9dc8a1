import { defineCommand } from '../command.js';
import { COMPUTER_FLAGS, COMPUTER_LOGIN_FLAGS, COMPUTER_LOGOUT_FLAGS } from '../flags/computer-flags.js';

const SERVER = { name: 'SERVER', help: 'the name of the MCP server in the configuration' } as const;
const CONFIG = { name: 'CONFIG', help: 'a configuration file', optional: true } as const;

/** `a2c computer run` */
export const computerRunCommand = defineCommand({
  path: 'computer run',
  summary: 'Host MCP servers for an office until stopped; on a terminal with a shell',
  description: [
    'Without a configuration file it takes the one in the standard place, if there is one. Without `--server` it only ' +
      'hosts. Configuration files are followed while it runs: what changes in them is taken at once.',
    'On a terminal it opens a shell, in which calls of tools that want your word are asked for; see ' +
      '[the shell](shell.md). `a2c-computer` is short for `a2c computer`.',
  ],
  args: [CONFIG],
  flags: COMPUTER_FLAGS,
  examples: [
    'a2c computer run mcp.json --server http://127.0.0.1:8000 --office demo',
    'a2c computer run --config base.json --config mine.json --approve always --documents file',
    'a2c computer run mcp.json --office demo --documents "s3:my-bucket/documents?region=eu-central-1"',
    'a2c computer run mcp.json --allow "agent-1:read_*" --audit',
    'echo tools | a2c computer run mcp.json --shell',
  ],
  seeAlso: ['server', 'config check', 'computer login', 'doctor', 'configuration.md', 'shell.md', 'documents.md'],
  run: async (invocation) => (await import('../commands/computer-run.js')).runComputer(invocation),
});

/** `a2c computer login` */
export const computerLoginCommand = defineCommand({
  path: 'computer login',
  summary: 'Log in at a protected MCP server, in a browser on this machine',
  description: [
    'What comes of it is kept in a file that only you can read; a Computer that runs takes it up by itself.',
  ],
  args: [SERVER, CONFIG],
  flags: COMPUTER_LOGIN_FLAGS,
  examples: ['a2c computer login notion mcp.json', 'BROWSER=firefox a2c computer login notion --config mcp.json'],
  seeAlso: ['computer logout', 'computer run', 'configuration.md'],
  run: async (invocation) => (await import('../commands/computer-login.js')).runLogin(invocation),
});

/** `a2c computer logout` */
export const computerLogoutCommand = defineCommand({
  path: 'computer logout',
  summary: 'Forget the login at an MCP server',
  args: [SERVER, CONFIG],
  flags: COMPUTER_LOGOUT_FLAGS,
  examples: ['a2c computer logout notion mcp.json'],
  seeAlso: ['computer login'],
  run: async (invocation) => (await import('../commands/computer-login.js')).runLogout(invocation),
});
