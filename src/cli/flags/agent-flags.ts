import { DEFAULT_PATH, MAX_TIMEOUT_SECONDS } from '../../protocol/basics.js';
import { list, officeName, text, toggle, TOKEN_FLAGS, wholeNumber } from './flags.js';
import { NETWORK_FLAGS } from './network-flags.js';

/** The flags of every `a2c agent` command. */
export const AGENT_FLAGS = {
  server: text('URL', 'where the Server is', { env: 'A2C_SERVER' }),
  office: officeName('ID', 'the office to join', { env: 'A2C_OFFICE' }),
  name: officeName('NAME', 'the name of this Agent; "agent-" and a random part by default'),
  ...TOKEN_FLAGS,
  path: text('PATH', 'the HTTP path of Socket.IO', { fallback: DEFAULT_PATH }),
  ...NETWORK_FLAGS,
  timeout: wholeNumber('SECONDS', 'how long it may take', { min: 1, max: MAX_TIMEOUT_SECONDS, fallback: 60 }),
  json: toggle('print the answer as it came, as one line of JSON'),
} as const;

/** The flags of `a2c agent repl`. */
export const REPL_FLAGS = { ...AGENT_FLAGS, json: toggle('print results and events as lines of JSON') } as const;

/** The flags of `a2c agent call`. */
export const CALL_FLAGS = {
  ...AGENT_FLAGS,
  output: text('DIR', 'write images, sounds and binary resources into files there, and print their paths'),
} as const;

/** The flags of `a2c agent resources`. */
export const RESOURCES_FLAGS = {
  ...AGENT_FLAGS,
  all: toggle('every page; otherwise the first'),
  cursor: text('CURSOR', 'a later page'),
} as const;

/** The flags of `a2c agent desktop`. */
export const DESKTOP_FLAGS = {
  ...AGENT_FLAGS,
  size: wholeNumber('N', 'at most so many windows; all when left out', { min: -1_000_000, max: 1_000_000 }),
  window: text('URI', 'only this window'),
  watch: toggle('show it again at each change, until interrupted'),
} as const;

/** The flags of `a2c agent documents`. */
export const DOCUMENT_LIST_FLAGS = {
  ...AGENT_FLAGS,
  mcpServer: list('NAME', 'only the documents of this MCP server'),
} as const;

/** The flags of `a2c agent dpe`. */
export const DPE_FLAGS = {
  ...AGENT_FLAGS,
  fetch: toggle('fetch the document and print its content as it is, at most 4 GB'),
  markdown: toggle('fetch the document and its pages and print them as Markdown'),
  output: text('FILE', 'write the content there instead, once all of it has come; without --markdown as it is'),
  force: toggle('replace FILE'),
} as const;
