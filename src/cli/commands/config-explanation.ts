import type { ConfigExplanation, ConfigWarning, InputExplanation, ServerExplanation } from '../../computer/index.js';
import { printable } from '../terminal/printable.js';
import { renderTable } from '../terminal/render-table.js';
import type { Terminal } from '../terminal/terminal.js';

/** What a check of configuration files found. */
export interface CheckedConfig extends ConfigExplanation {
  readonly files: readonly string[];
  readonly errors: readonly ConfigWarning[];
}

/** Prints what a configuration means, for a person. */
export function printConfigExplanation(config: CheckedConfig, terminal: Terminal): void {
  const { servers, inputs, warnings, errors } = config;
  printServers(servers, terminal);
  printInputs(inputs, terminal);
  for (const [style, title, findings] of [
    ['yellow', 'warning', warnings],
    ['red', 'error', errors],
  ] as const) {
    for (const finding of findings) {
      for (const line of sentenceOf(finding).split('\n')) {
        terminal.paragraph(`${terminal.style(style, `${title}:`)} ${printable(line)}`);
      }
    }
  }
  const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
  const parts = [count(servers.length, 'server'), count(inputs.length, 'input'), count(warnings.length, 'warning')];
  const verdict = errors.length > 0 ? `${count(errors.length, 'error')}, ` : '';
  terminal.line(`${verdict}${parts.join(', ')}`);
}

function sentenceOf({ file, field, problem }: ConfigWarning): string {
  return [file, field, problem].filter((part) => part !== undefined && part !== '').join(': ');
}

function printServers(servers: readonly ServerExplanation[], terminal: Terminal): void {
  if (servers.length === 0) return;
  const rows = servers.map((server) => [
    server.name,
    transportOf(server),
    programOf(server),
    approvalOf(server),
    server.forbiddenTools.join(', ') || '-',
    server.target,
  ]);
  const table = [['SERVER', 'TRANSPORT', 'PROGRAM', 'RUNS WITHOUT ASKING', 'FORBIDDEN', 'STARTS OR REACHES'], ...rows];
  for (const line of renderTable(table, terminal.width)) terminal.line(line);
  terminal.line();
}

function transportOf({ type, sseFallback, disabled }: ServerExplanation): string {
  const name = type === 'streamable' ? `http${sseFallback ? ', else sse' : ''}` : type;
  return disabled ? `${name} (disabled)` : name;
}

function programOf({ type, program }: ServerExplanation): string {
  if (type !== 'stdio') return '-';
  return program === undefined ? 'depends on a value' : (program ?? 'not found');
}

function approvalOf({ autoApply: { everyTool, tools } }: ServerExplanation): string {
  const names = Object.keys(tools).join(', ');
  if (everyTool) return names === '' ? 'every tool' : `every tool but ${names}`;
  return names === '' ? 'none' : names;
}

const SOURCES: Readonly<Record<InputExplanation['source'], string>> = {
  environment: 'set in the environment',
  command: 'its program, when a server needs it',
  'person-or-default': 'you on a terminal, else its default',
  person: 'you on a terminal; nobody with --headless',
};

function printInputs(inputs: readonly InputExplanation[], terminal: Terminal): void {
  if (inputs.length === 0) return;
  const rows = inputs.map(({ id, variable, source, servers }) => [
    id,
    servers.join(', ') || '-',
    variable,
    SOURCES[source],
  ]);
  const table = [['INPUT', 'FOR', 'VARIABLE', 'VALUE COMES FROM'], ...rows];
  for (const line of renderTable(table, terminal.width)) terminal.line(line);
  terminal.line();
}
