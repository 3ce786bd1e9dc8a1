import { isDeepStrictEqual } from 'node:util';
import { environmentName, type ConfigEdit } from '../../computer/index.js';
import { isJsonObject, type JsonObject, type McpServerInput } from '../../protocol/index.js';
import type { FoundFile } from './find-servers.js';
import type { Host } from './hosts.js';
import type { InputPool } from './input-pool.js';

/**
 * What happens to a server that was found. `same`: another host has it too; `present`: the file has it already.
 */
export interface PlannedServer {
  readonly host: Host;
  readonly file: string;
  /** What it is called there. */
  readonly name: string;
  readonly outcome: 'new' | 'renamed' | 'same' | 'present' | 'skipped';
  /** What it is called here; absent when it is skipped. */
  readonly as?: string;
  /** Its entry here, without secrets; absent when it is skipped. */
  readonly entry?: JsonObject;
  /** The inputs that it uses, by id. */
  readonly inputs: readonly string[];
  /** What its user should know, or why it is skipped. */
  readonly notes: readonly string[];
}

/** An input that the import makes. */
interface PlannedInput {
  readonly definition: McpServerInput;
  /** The variable of the environment that can supply it. */
  readonly variable: string;
  /** The servers that use it. */
  readonly servers: readonly string[];
}

/** What an import would do. */
export interface ImportPlan {
  readonly servers: readonly PlannedServer[];
  readonly inputs: readonly PlannedInput[];
  readonly edits: readonly ConfigEdit[];
}

/**
 * Decides how what was found goes into a file: what is there already is not touched; a server of another content that has
 * the name of one gets a number behind it.
 *
 * @param document - what the file holds now.
 */
export function planImport(found: readonly FoundFile[], document: unknown, pool: InputPool): ImportPlan {
  const names = new Names(document);
  const servers = found.flatMap(({ host, file, servers: all }) =>
    all.map((server): PlannedServer => {
      const { name } = server;
      if ('skipped' in server) return { host, file, name, outcome: 'skipped', inputs: [], notes: [server.skipped] };
      const { entry, notes } = server;
      const { as, there } = names.place(name, entry);
      if (there !== undefined) return { host, file, name, as, ...there, inputs: [], notes: [] };
      const outcome = as === name ? 'new' : 'renamed';
      return { host, file, name, outcome, as, entry, inputs: inputIdsOf(entry), notes };
    }),
  );
  const inputs = plannedInputs(servers, pool);
  return { servers, inputs, edits: editsOf(servers, inputs, document) };
}

/** The names of servers that are taken, and by what. */
class Names {
  readonly #inFile: ReadonlyMap<string, unknown>;
  readonly #added = new Map<string, JsonObject>();

  constructor(document: unknown) {
    const sections = isJsonObject(document) ? [document['mcpServers'], document['servers']] : [];
    this.#inFile = new Map(sections.flatMap((section) => (isJsonObject(section) ? Object.entries(section) : [])));
  }

  /** The name for an entry, and what is there under it that says the same. */
  place(
    name: string,
    entry: JsonObject,
  ): { readonly as: string; readonly there?: Pick<PlannedServer, 'outcome' | 'entry'> } {
    for (let number = 1; ; number += 1) {
      const as = number === 1 ? name : `${name}-${number}`;
      const added = this.#added.get(as);
      const present = this.#inFile.get(as);
      if (isDeepStrictEqual(added, entry)) return { as, there: { outcome: 'same', entry } };
      // The file does not tell the values of its inputs: two that differ by their ids only count as the same.
      if (isJsonObject(present) && isDeepStrictEqual(blank(present), blank(entry))) {
        return { as, there: { outcome: 'present', entry: present } };
      }
      if (added !== undefined || this.#inFile.has(as)) continue;
      this.#added.set(as, entry);
      return { as };
    }
  }
}

function blank(entry: JsonObject): unknown {
  return JSON.parse(JSON.stringify(entry).replace(/\$\{input:[^}]*\}/g, '${input:}'));
}

function inputIdsOf(entry: JsonObject): string[] {
  const ids = Array.from(JSON.stringify(entry).matchAll(/\$\{input:([^}]+)\}/g), ([, id = '']) => id);
  return [...new Set(ids)];
}

function plannedInputs(servers: readonly PlannedServer[], pool: InputPool): PlannedInput[] {
  const users = new Map<string, string[]>();
  for (const { as, inputs } of servers) {
    for (const id of as === undefined ? [] : inputs) users.set(id, [...(users.get(id) ?? []), as ?? '']);
  }
  return [...users].flatMap(([id, names]) => {
    const definition = pool.definition(id);
    return definition === undefined ? [] : [{ definition, variable: environmentName(id), servers: names }];
  });
}

function editsOf(servers: readonly PlannedServer[], inputs: readonly PlannedInput[], document: unknown): ConfigEdit[] {
  const present = isJsonObject(document) && Array.isArray(document['inputs']) ? document['inputs'].length : 0;
  return [
    ...inputs.map(({ definition }, index) => ({ path: ['inputs', present + index], value: definition })),
    ...servers.flatMap(({ outcome, as = '', entry }) =>
      outcome === 'new' || outcome === 'renamed' ? [{ path: ['servers', as], value: entry }] : [],
    ),
  ];
}
