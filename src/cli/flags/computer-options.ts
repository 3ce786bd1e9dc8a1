import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { AccessRule, AccessRules, ComputerOptions } from '../../computer/index.js';
import type { COMPUTER_FLAGS } from './computer-flags.js';
import { UsageError } from '../failure.js';
import { readToken, type FlagValues } from './flags.js';
import { networkOptions } from './network-flags.js';
import { auditFile, defaultConfigFile } from '../places.js';

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
