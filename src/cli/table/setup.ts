import { defineCommand } from '../command.js';
import { SHELLS } from '../completion/shells.js';
import { DOCTOR_FLAGS } from '../doctor/flags.js';
import { CONFIG_CHECK_FLAGS, DEMO_FLAGS, IMPORT_FLAGS, INIT_FLAGS, SERVER_FLAGS } from '../flags/setup-flags.js';

const CONFIG = { name: 'CONFIG', help: 'a configuration file', optional: true } as const;

/** `a2c demo` */
export const demoCommand = defineCommand({
  path: 'demo',
  summary: 'See all three roles work on real MCP servers, in one go',
  description: [
    'Starts a Server, a Computer with the MCP servers that are installed beside this package, and an Agent, all in one ' +
      'process and on loopback, and lets the Agent do what Agents do. Nothing is left behind.',
  ],
  args: [],
  flags: DEMO_FLAGS,
  examples: ['a2c demo', 'a2c demo --json'],
  seeAlso: ['server', 'computer run', 'agent tools'],
  run: async (invocation) => (await import('../commands/demo.js')).runDemo(invocation),
});

/** `a2c init` */
export const initCommand = defineCommand({
  path: 'init',
  summary: 'Write a configuration to begin with, explained in comments',
  description: [
    'The file can be read by its owner alone. One that is there already is left as it is, without `--force`.',
  ],
  args: [
    { name: 'FILE', help: 'where it is written; the file that a Computer reads by default otherwise', optional: true },
  ],
  flags: INIT_FLAGS,
  examples: ['a2c init', 'a2c init mcp.json && a2c computer run mcp.json'],
  seeAlso: ['import', 'config check', 'computer run', 'configuration.md'],
  run: async (invocation) => (await import('../commands/init.js')).runInit(invocation),
});

/** `a2c import` */
export const importCommand = defineCommand({
  path: 'import',
  summary: 'Take over the MCP servers of other hosts on this machine; secrets become inputs',
  description: [
    'Looks where other hosts of MCP servers keep their configurations, shows what it would take, and asks before it ' +
      'writes. What is in the file already stays as it is.',
  ],
  args: [
    { name: 'HOST', help: 'another host, such as cursor; all that are known otherwise', optional: true, many: true },
  ],
  flags: IMPORT_FLAGS,
  examples: [
    'a2c import --list',
    'a2c import claude-desktop vscode --output mcp.json',
    'a2c import --yes --json | jq .inputs',
  ],
  seeAlso: ['init', 'config check', 'configuration.md'],
  run: async (invocation) => (await import('../commands/import.js')).runImport(invocation),
});

/** `a2c config check` */
export const configCheckCommand = defineCommand({
  path: 'config check',
  summary: 'Say what configuration files mean on this machine, and what is wrong in them',
  description: ['Nothing is started. A file that cannot be used is exit code 2, with the place in it.'],
  args: [{ name: 'FILE', help: 'a configuration file; later ones win', many: true }],
  flags: CONFIG_CHECK_FLAGS,
  examples: ['a2c config check mcp.json', 'a2c config check base.json mine.json --strict --json'],
  seeAlso: ['doctor', 'init', 'configuration.md'],
  run: async (invocation) => (await import('../commands/config-check.js')).runConfigCheck(invocation),
});

/** `a2c server` */
export const serverCommand = defineCommand({
  path: 'server',
  summary: 'Run the Server: the hub where Agents and Computers meet',
  description: [
    'Runs until SIGINT or SIGTERM. It keeps no state: members join again by themselves after a restart. Beyond ' +
      'loopback it wants a token, or `--insecure`; TLS is the business of a proxy in front of it.',
    '`a2c-server` is short for it.',
  ],
  args: [],
  flags: SERVER_FLAGS,
  examples: ['a2c server', 'a2c server --host 0.0.0.0 --port 443 --token-file token.txt'],
  seeAlso: ['computer run', 'agent tools'],
  run: async (invocation) => (await import('../commands/server.js')).runServer(invocation),
});

/** `a2c doctor` */
export const doctorCommand = defineCommand({
  path: 'doctor',
  summary: 'Say what keeps a Computer or an Agent from working, and what to do',
  description: ['Each finding comes with what to do about it. Exit code 1 says that something does not work.'],
  args: [CONFIG],
  flags: DOCTOR_FLAGS,
  examples: [
    'a2c doctor mcp.json --server http://127.0.0.1:8000',
    'a2c doctor --server https://a2c.example.com --token-file token.txt --office demo',
    'a2c doctor mcp.json --json',
  ],
  seeAlso: ['config check', 'computer run'],
  run: async (invocation) => (await import('../commands/doctor.js')).runDoctor(invocation),
});

/** `a2c completion` */
export const completionCommand = defineCommand({
  path: 'completion',
  summary: 'Print what makes a shell complete commands, flags and files of a2c with Tab',
  description: [
    'The script knows all commands, flags and their choices by itself: nothing is started while you type. Print it ' +
      'again after an update.',
    'bash: `mkdir -p ~/.local/share/bash-completion/completions && a2c completion bash > ~/.local/share/bash-completion/completions/a2c`, ' +
      'or `source <(a2c completion bash)` in `~/.bashrc` where the package bash-completion is not installed.',
    'zsh: `mkdir -p ~/.zfunc && a2c completion zsh > ~/.zfunc/_a2c`, with `fpath=(~/.zfunc $fpath)` before `compinit` in `~/.zshrc`.',
    'fish: `mkdir -p ~/.config/fish/completions && a2c completion fish > ~/.config/fish/completions/a2c.fish`.',
  ],
  args: [{ name: 'SHELL', help: `the shell: ${SHELLS.join(', ')}`, choices: SHELLS }],
  flags: {},
  examples: [
    'source <(a2c completion bash)',
    'mkdir -p ~/.zfunc && a2c completion zsh > ~/.zfunc/_a2c',
    'mkdir -p ~/.config/fish/completions && a2c completion fish > ~/.config/fish/completions/a2c.fish',
  ],
  run: async (invocation) => (await import('../commands/completion.js')).runCompletion(invocation),
});
