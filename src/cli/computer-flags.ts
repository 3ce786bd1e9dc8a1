import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { AccessRule, AccessRules, ComputerOptions } from '../computer/index.js';
import { DEFAULT_PATH } from '../protocol/index.js';
import { DOCUMENTS_FLAGS } from './documents-flag.js';
import { UsageError } from './failure.js';
import { choice, list, officeName, readToken, text, toggle, TOKEN_FLAGS, type FlagValues } from './flags.js';
import { LOGIN_FLAGS } from './login-flags.js';
import { NETWORK_FLAGS, networkOptions } from './network-flags.js';
import { auditFile, defaultConfigFile } from './places.js';

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

type ComputerFlags = FlagValues<typeof COMPUTER_FLAGS>;

/** The configuration files of a command line: those it names, else the one in the standard place, if it is there. */
export function configFilesOf(named: string | undefined, flags: Pick<ComputerFlags, 'config'>): string[] {
  const given = [...(named === undefined ? [] : [named]), ...flags.config];
  if (given.length > 0) return given;
  const usual = defaultConfigFile();
  return existsSync(usual) ? [usual] : [];
}

/** What the flags alone say of a Computer. @throws UsageError. */
export function computerOptions(flags: ComputerFlags): ComputerOptions {
  const token = readToken(flags);
  const access = accessOf(flags);
  return {
    name: flags.name ?? hostname(),
    path: flags.path,
    retryFirstConnect: flags.retry,
    ...networkOptions(flags),
    roots: flags.root.map(existing),
    validateArguments: flags.validateArguments,
    ...(flags.server === undefined ? {} : { url: flags.server }),
    ...(token === undefined ? {} : { token }),
    ...(access === undefined ? {} : { access }),
    ...auditOf(flags),
  };
}

function accessOf({ allow, deny }: ComputerFlags): AccessRules | undefined {
  if (allow.length === 0 && deny.length === 0) return undefined;
  return { allow: allow.map((rule) => ruleOf('--allow', rule)), deny: deny.map((rule) => ruleOf('--deny', rule)) };
}

function ruleOf(flag: string, written: string): AccessRule {
  const at = written.indexOf(':');
  const [agent, tool] = at < 0 ? [written, undefined] : [written.slice(0, at), written.slice(at + 1)];
  if (agent === '' || tool === '') throw new UsageError(`${flag}: expected AGENT or AGENT:TOOL, got "${written}"`);
  return tool === undefined ? { agent } : { agent, tool };
}

function auditOf({ audit, auditFile: file, auditArguments }: ComputerFlags): Pick<ComputerOptions, 'audit'> {
  if (!audit && file === undefined && !auditArguments) return {};
  return { audit: { file: file ?? auditFile(), arguments: auditArguments } };
}

function existing(root: string): string {
  if (!/^(file:|~)/i.test(root) && !existsSync(root)) throw new UsageError(`--root: there is no ${root}`);
  return root;
}
