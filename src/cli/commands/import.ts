import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Invocation } from '../command.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { CommandError, UsageError } from '../failure.js';
import type { FoundFile } from '../import/find-servers.js';
import type { Host } from '../import/hosts.js';
import type { ImportPlan } from '../import/plan-import.js';
import { keyboardOf } from '../terminal/keyboard.js';
import { defaultConfigFile, homeFolder } from '../places.js';
import { shellWord } from '../terminal/shell-word.js';
import type { IMPORT_FLAGS } from '../flags/setup-flags.js';

/** `a2c import` */
export async function runImport(invocation: Invocation<typeof IMPORT_FLAGS>): Promise<ExitCode> {
  const { args, flags, terminal } = invocation;
  const { HOSTS } = await import('../import/hosts.js');
  const hosts = chosen(args, HOSTS);
  const file = flags.output ?? defaultConfigFile();
  await checkProject(flags.project);
  const { found, plan } = await look(hosts, file, flags.project);
  const { importAsJson, printImport } = await import('../import/report-import.js');
  const isNothing = plan.edits.length === 0;
  const report = { file, found, plan, hosts };
  if (!flags.json) printImport(report, terminal);
  const isWritten = !flags.list && !isNothing && (await agreed(file, plan, invocation));
  if (isWritten) await write(file, plan);
  if (flags.json) terminal.json(importAsJson(report, isWritten));
  else if (isWritten) printWritten(file, plan, invocation);
  return EXIT_CODES.ok;
}

/** A mistyped folder would look like one without servers. */
async function checkProject(project: string | undefined): Promise<void> {
  if (project === undefined) return;
  const found = await stat(project).catch(() => undefined);
  if (!found?.isDirectory()) throw new UsageError(`--project: there is no folder ${project}`);
}

function chosen(names: readonly (string | undefined)[], all: readonly Host[]): readonly Host[] {
  const wanted = names.filter((name) => name !== undefined);
  const unknown = wanted.find((name) => !all.some(({ id }) => id === name));
  if (unknown !== undefined) {
    throw new UsageError(`no host is known as "${unknown}"; there are ${all.map(({ id }) => id).join(', ')}`);
  }
  return wanted.length === 0 ? all : all.filter(({ id }) => wanted.includes(id));
}

async function look(
  hosts: readonly Host[],
  file: string,
  project: string | undefined,
): Promise<{ readonly found: readonly FoundFile[]; readonly plan: ImportPlan }> {
  const { readConfig, readJson } = await import('../../computer/index.js');
  const { findServers } = await import('../import/find-servers.js');
  const { InputPool } = await import('../import/input-pool.js');
  const { planImport } = await import('../import/plan-import.js');
  const present = await readPresent(file);
  const document = present === undefined ? {} : readJson(present, file).value;
  // A file that cannot be used does not get better by what is added.
  const pool = new InputPool(readConfig(document, { file }).inputs.keys());
  const context = {
    home: homeFolder(),
    platform: process.platform,
    env: process.env,
    project: resolve(project ?? '.'),
  };
  const found = await findServers({ hosts, context, pool });
  return { found, plan: planImport(found, document, pool) };
}

/** What the file holds now, if there is one. */
async function readPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new UsageError(`cannot read ${file}: ${message}`);
  }
}

async function agreed(
  file: string,
  plan: ImportPlan,
  { flags, terminal, signal }: Invocation<typeof IMPORT_FLAGS>,
): Promise<boolean> {
  if (flags.yes) return true;
  const keyboard = keyboardOf({ headless: flags.json }, terminal);
  if (keyboard === undefined) throw new UsageError('nothing is written without --yes; --list only shows');
  const servers = plan.servers.filter(({ outcome }) => outcome === 'new' || outcome === 'renamed').length;
  const question = `Write ${servers} ${servers === 1 ? 'server' : 'servers'} to ${file}? [y/N] `;
  const answer = await keyboard.ask({ about: '', question }, signal);
  if (/^\s*y(es)?\s*$/i.test(answer ?? '')) return true;
  terminal.note('nothing is written');
  return false;
}

async function write(file: string, { edits }: ImportPlan): Promise<void> {
  const { editConfigFile } = await import('../../computer/index.js');
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CommandError(`Cannot write ${file}: ${(error as Error).message}`);
  }
  await editConfigFile(file, edits, { create: true });
}

function printWritten(file: string, { servers }: ImportPlan, { terminal }: Invocation<typeof IMPORT_FLAGS>): void {
  const count = servers.filter(({ outcome }) => outcome === 'new' || outcome === 'renamed').length;
  terminal.line();
  terminal.line(`wrote ${file}: ${count} ${count === 1 ? 'server' : 'servers'}`);
  terminal.line();
  terminal.line('Next:');
  terminal.line(`  a2c config check ${shellWord(file)}`);
  terminal.line(`  a2c computer run ${shellWord(file)}`);
}
