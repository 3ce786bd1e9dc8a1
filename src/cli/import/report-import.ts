import { printable } from '../terminal/printable.js';
import { renderTable } from '../terminal/render-table.js';
import type { Terminal } from '../terminal/terminal.js';
import type { FoundFile } from './find-servers.js';
import type { Host } from './hosts.js';
import type { ImportPlan, PlannedServer } from './plan-import.js';

/** What an import found and would do. */
export interface ImportReport {
  /** Where it would be written. */
  readonly file: string;
  readonly hosts: readonly Host[];
  readonly found: readonly FoundFile[];
  readonly plan: ImportPlan;
}

/** All of it for machines. */
export function importAsJson({ file, found, plan }: ImportReport, written: boolean): object {
  return {
    file,
    written,
    servers: plan.servers.map(({ host, ...server }) => ({ host: host.id, ...server })),
    inputs: plan.inputs.map(({ definition, variable, servers }) => ({ ...definition, variable, servers })),
    unreadable: found.flatMap(({ host, file: broken, problem }) =>
      problem === undefined ? [] : [{ host: host.id, file: broken, problem }],
    ),
  };
}

/** All of it for a person. */
export function printImport(report: ImportReport, terminal: Terminal): void {
  const { found, plan, hosts, file } = report;
  printServers(plan.servers, terminal);
  printNotes(plan.servers, terminal);
  for (const { host, file: broken, problem } of found) {
    if (problem === undefined) continue;
    terminal.paragraph(`${terminal.style('yellow', 'skipped:')} ${printable(`${broken} (${host.name}) ${problem}`)}`);
  }
  printInputs(plan, terminal);
  if (found.length === 0) {
    terminal.paragraph(`No MCP servers of ${hosts.length === 1 ? (hosts[0]?.name ?? '') : 'other hosts'} were found.`);
    if (hosts.length > 1) terminal.paragraph(`Looked for ${hosts.map(({ name }) => name).join(', ')}.`);
  } else if (plan.edits.length === 0) terminal.paragraph(`Nothing is to be written to ${printable(file)}.`);
}

const OUTCOMES: Readonly<Record<PlannedServer['outcome'], (server: PlannedServer) => string>> = {
  new: () => 'new',
  renamed: ({ as = '' }) => `new, as ${as}`,
  same: ({ as = '' }) => `the same as ${as}`,
  present: ({ as = '', name }) => (as === name ? 'there already' : `there already, as ${as}`),
  skipped: ({ notes }) => `skipped: ${notes.join('; ')}`,
};

function printServers(servers: readonly PlannedServer[], terminal: Terminal): void {
  if (servers.length === 0) return;
  const rows = servers.map((server) => [
    server.host.name,
    server.name,
    transportOf(server),
    OUTCOMES[server.outcome](server),
    targetOf(server),
  ]);
  const table = [['HOST', 'SERVER', 'TRANSPORT', 'OUTCOME', 'STARTS OR REACHES'], ...rows];
  for (const line of renderTable(table, terminal.width)) terminal.line(line);
}

function transportOf({ entry }: PlannedServer): string {
  if (entry === undefined) return '-';
  const { type, command } = entry;
  if (command !== undefined) return 'stdio';
  return typeof type === 'string' ? type : 'http';
}

function targetOf({ entry }: PlannedServer): string {
  if (entry === undefined) return '-';
  const { command, args, url } = entry;
  const words = [command ?? url, ...(Array.isArray(args) ? (args as unknown[]) : [])];
  return words.filter((word) => typeof word === 'string').join(' ');
}

function printNotes(servers: readonly PlannedServer[], terminal: Terminal): void {
  const withNotes = servers.filter(({ outcome, notes }) => outcome !== 'skipped' && notes.length > 0);
  if (withNotes.length === 0) return;
  terminal.line();
  for (const { name, host, notes } of withNotes) {
    terminal.paragraph(`${printable(name)} (${host.name}): ${printable(notes.join('; '))}`);
  }
}

function printInputs({ inputs }: ImportPlan, terminal: Terminal): void {
  if (inputs.length === 0) return;
  terminal.line();
  terminal.paragraph('These values are not copied. Set the variable, or answer when the Computer asks:');
  const rows = inputs.map(({ definition, variable, servers }) => [
    definition.id,
    variable,
    servers.join(', '),
    definition.description,
  ]);
  for (const line of renderTable([['INPUT', 'VARIABLE', 'FOR', 'WHAT'], ...rows], terminal.width)) terminal.line(line);
}
