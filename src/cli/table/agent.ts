import {
  AGENT_FLAGS,
  CALL_FLAGS,
  DESKTOP_FLAGS,
  DOCUMENT_LIST_FLAGS,
  DPE_FLAGS,
  REPL_FLAGS,
  RESOURCES_FLAGS,
} from '../flags/agent-flags.js';
import { defineCommand } from '../command.js';

const COMPUTER = { name: 'COMPUTER', help: 'the Computer to ask' } as const;

/** `a2c agent repl` */
export const replCommand = defineCommand({
  path: 'agent repl',
  summary: 'Stay in an office with a shell: call tools, see desktops, open documents',
  args: [],
  flags: REPL_FLAGS,
  examples: [
    'a2c agent repl --server http://127.0.0.1:8000 --office demo',
    `printf 'use laptop\\ncall echo message=hello\\n' | a2c agent repl --office demo --json`,
  ],
  seeAlso: ['agent call', 'agent watch'],
  run: async (invocation) => (await import('../agent-shell/run-repl.js')).runRepl(invocation),
});

/** `a2c agent tools` */
export const toolsCommand = defineCommand({
  path: 'agent tools',
  summary: 'List the tools of one Computer, or of all in the office',
  args: [{ name: 'COMPUTER', help: 'only this Computer', optional: true }],
  flags: AGENT_FLAGS,
  examples: ['a2c agent tools --server http://127.0.0.1:8000 --office demo', 'a2c agent tools laptop --json'],
  seeAlso: ['agent call', 'agent room', 'agent wait'],
  run: async (invocation) => (await import('../commands/agent/tools.js')).runTools(invocation),
});

/** `a2c agent call` */
export const callCommand = defineCommand({
  path: 'agent call',
  summary: 'Call a tool',
  description: [
    'Values of `key=value` become what the schema of the tool wants: numbers, booleans, lists. `key:=JSON` is taken as ' +
      'JSON whatever the schema says. Ctrl-C cancels the call on the Computer.',
  ],
  args: [
    { name: 'COMPUTER', help: 'the Computer that has the tool' },
    { name: 'TOOL', help: 'the name of the tool' },
    {
      name: 'PARAMS',
      help: 'JSON, @FILE with JSON, or - for stdin; or key=value and key:=JSON, as many as there are; {} when left out',
      optional: true,
      many: true,
    },
  ],
  flags: CALL_FLAGS,
  examples: [
    'a2c agent call laptop echo message="hello world" --server http://127.0.0.1:8000 --office demo',
    `a2c agent call laptop echo '{"message":"hello"}'`,
    'a2c agent call laptop write_file @params.json --timeout 300 --json',
    'a2c agent call laptop screenshot --output pictures',
  ],
  seeAlso: ['agent tools', 'agent repl'],
  run: async (invocation) => (await import('../commands/agent/call.js')).runCall(invocation),
});

/** `a2c agent config` */
export const configCommand = defineCommand({
  path: 'agent config',
  summary: "Show a Computer's configuration, its secrets masked",
  args: [COMPUTER],
  flags: AGENT_FLAGS,
  examples: ['a2c agent config laptop'],
  seeAlso: ['agent resources', 'agent tools'],
  run: async (invocation) => (await import('../commands/agent/queries.js')).runConfig(invocation),
});

/** `a2c agent desktop` */
export const desktopCommand = defineCommand({
  path: 'agent desktop',
  summary: "Show a Computer's desktop: what its MCP servers have on their windows",
  args: [COMPUTER],
  flags: DESKTOP_FLAGS,
  examples: ['a2c agent desktop laptop --size 5', 'a2c agent desktop laptop --watch'],
  seeAlso: ['agent resources', 'agent watch'],
  run: async (invocation) => (await import('../commands/agent/desktop.js')).runDesktop(invocation),
});

/** `a2c agent resources` */
export const resourcesCommand = defineCommand({
  path: 'agent resources',
  summary: 'List the resources of one MCP server of a Computer',
  args: [COMPUTER, { name: 'MCP_SERVER', help: 'the name of the MCP server, as `agent config` shows it' }],
  flags: RESOURCES_FLAGS,
  examples: ['a2c agent resources laptop notes --all'],
  seeAlso: ['agent config', 'agent documents', 'agent desktop'],
  run: async (invocation) => (await import('../commands/agent/queries.js')).runResources(invocation),
});

/** `a2c agent documents` */
export const documentsCommand = defineCommand({
  path: 'agent documents',
  summary: 'List the documents of a Computer: MCP server, URI, file type, pages, title',
  args: [COMPUTER],
  flags: DOCUMENT_LIST_FLAGS,
  examples: ['a2c agent documents laptop', 'a2c agent documents laptop --mcp-server notes --json'],
  seeAlso: ['agent dpe', 'documents.md'],
  run: async (invocation) => (await import('../commands/agent/documents.js')).runDocuments(invocation),
});

/** `a2c agent dpe` */
export const dpeCommand = defineCommand({
  path: 'agent dpe',
  summary: 'Ask where a document can be fetched, fetch it, or read it as Markdown',
  description: [
    'The content comes from where the Computer says that it is, not through the Server. A file that is written is ' +
      'there whole or not at all.',
  ],
  args: [
    { name: 'COMPUTER', help: 'the Computer that has the document' },
    { name: 'URI', help: 'the document: dpe://host/doc-ref' },
  ],
  flags: DPE_FLAGS,
  examples: [
    'a2c agent dpe laptop dpe://com.example.docs/report',
    'a2c agent dpe laptop dpe://com.example.docs/report --markdown',
    'a2c agent dpe laptop dpe://com.example.docs/report --output report.json',
  ],
  seeAlso: ['agent documents', 'documents.md'],
  run: async (invocation) => (await import('../commands/agent/dpe.js')).runDpe(invocation),
});

/** `a2c agent room` */
export const roomCommand = defineCommand({
  path: 'agent room',
  summary: 'List who is in the office',
  args: [],
  flags: AGENT_FLAGS,
  examples: ['a2c agent room --office demo'],
  seeAlso: ['agent watch', 'agent wait'],
  run: async (invocation) => (await import('../commands/agent/queries.js')).runRoom(invocation),
});

/** `a2c agent watch` */
export const watchCommand = defineCommand({
  path: 'agent watch',
  summary: 'Print what happens in the office, as it happens',
  description: ['Goes on until it is interrupted; after a drop of the connection it joins again.'],
  args: [],
  flags: AGENT_FLAGS,
  examples: ['a2c agent watch --office demo --json'],
  seeAlso: ['agent wait', 'agent desktop'],
  run: async (invocation) => (await import('../commands/agent/events.js')).runWatch(invocation),
});

/** `a2c agent wait` */
export const waitCommand = defineCommand({
  path: 'agent wait',
  summary: 'Wait until a Computer, or one of its tools, is there',
  description: ['At most `--timeout` seconds; exit code 1 says that they are over.'],
  args: [
    { name: 'COMPUTER', help: 'the Computer to wait for' },
    { name: 'TOOL', help: 'the tool to wait for', optional: true },
  ],
  flags: AGENT_FLAGS,
  examples: ['a2c agent wait laptop --timeout 30', 'a2c agent wait laptop read_file'],
  seeAlso: ['agent watch', 'agent room'],
  run: async (invocation) => (await import('../commands/agent/events.js')).runWait(invocation),
});
