import { DEFAULT_PATH } from '../../protocol/basics.js';
import { DOCUMENTS_FLAGS } from './documents-flag.js';
import { choice, list, officeName, text, toggle, TOKEN_FLAGS, wholeNumber } from './flags.js';
import { LOGIN_FLAGS } from './login-flags.js';
import { NETWORK_FLAGS } from './network-flags.js';

/** The flags of `a2c computer run`. */
export const COMPUTER_FLAGS = {
  config: list('FILE', 'a configuration file; later ones win'),
  name: officeName('NAME', 'the name of this Computer; the host name by default'),
  server: text('URL', 'where the Server is; without it the Computer only hosts', { env: 'A2C_SERVER' }),
  office: officeName('ID', 'the office to join', { env: 'A2C_OFFICE' }),
  ...TOKEN_FLAGS,
  path: text('PATH', 'the HTTP path of Socket.IO', { fallback: DEFAULT_PATH }),
  ...NETWORK_FLAGS,
  retry: toggle('keep trying when the Server cannot be reached at first'),
  approve: choice(['ask', 'always', 'never'], 'what happens to a call of a tool without auto_apply', {
    fallback: 'ask',
  }),
  allow: list('AGENT[:TOOL]', 'only such calls are let through; * stands for anything'),
  deny: list('AGENT[:TOOL]', 'such calls are refused; wins over --allow'),
  audit: toggle('keep a record of every call: who, which tool, what came of it'),
  auditFile: text('FILE', 'where the record is kept; a folder of your own state by default', { env: 'A2C_AUDIT_FILE' }),
  auditArguments: toggle('note the beginning of the arguments too, without known secrets'),
  login: toggle('open a browser for an MCP server that needs a login'),
  ...LOGIN_FLAGS,
  validateArguments: toggle('check the arguments of calls against the schemas of the tools'),
  root: list('PATH', 'a folder or file that MCP servers are told of as theirs'),
  headless: toggle('never ask and read no commands; the default when stdin is not a terminal'),
  shell: toggle('read commands from stdin also where it is no terminal: one a line, help lists them'),
  ...DOCUMENTS_FLAGS,
  json: toggle('print what happens as lines of JSON'),
} as const;

/** The flags of `a2c computer logout`. */
export const COMPUTER_LOGOUT_FLAGS = {
  config: list('FILE', 'a configuration file; later ones win'),
  ...LOGIN_FLAGS,
  proxy: NETWORK_FLAGS.proxy,
  ca: NETWORK_FLAGS.ca,
  json: toggle('print what happens as lines of JSON'),
} as const;

/** The flags of `a2c computer login`. */
export const COMPUTER_LOGIN_FLAGS = {
  ...COMPUTER_LOGOUT_FLAGS,
  timeout: wholeNumber('SECONDS', 'how long the login may take', { min: 1, max: 3_600, fallback: 300 }),
} as const;
