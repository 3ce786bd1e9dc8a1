import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import type { HostContext } from './host-context.js';
import { findFiles } from './host-files.js';
import type { Host, HostFile } from './hosts.js';
import type { InputPool } from './input-pool.js';
import { readDocument } from './read-document.js';
import { entriesOf } from './styles.js';
import { translateServer, type Translated } from './translate-server.js';

/** What a file of another host gave. */
export interface FoundFile {
  readonly host: Host;
  readonly file: string;
  readonly servers: readonly Translated[];
  /** Why the file cannot be read. */
  readonly problem?: string;
}

/** What looking for servers takes. */
export interface Search {
  readonly hosts: readonly Host[];
  readonly context: HostContext;
  readonly pool: InputPool;
}

/** Reads every configuration of these hosts that is there, in the order of the table. Those of a project come last. */
export async function findServers({ hosts, context, pool }: Search): Promise<FoundFile[]> {
  const candidates = hosts.flatMap((host) =>
    host.files.flatMap((hostFile) => findFiles(hostFile.path, context).map((file) => ({ host, hostFile, file }))),
  );
  // In the home folder itself, a file may be that of the user and that of the project.
  const files = new Map(candidates.toReversed().map((candidate) => [candidate.file, candidate]));
  const found: FoundFile[] = [];
  for (const { host, hostFile, file } of [...files.values()].toReversed()) {
    const read = await readFound(file, hostFile, { host, context, pool });
    if (read !== undefined) found.push(read);
  }
  return found;
}

/** @returns `undefined` for a file without a word about MCP servers. */
async function readFound(
  file: string,
  { path, servers: sections, inputs }: HostFile,
  search: { readonly host: Host; readonly context: HostContext; readonly pool: InputPool },
): Promise<FoundFile | undefined> {
  const { host, context } = search;
  const document = await readDocument(file);
  if ('problem' in document) return { host, file, servers: [], problem: document.problem };
  const taken: (readonly string[])[] = [];
  const servers: Translated[] = [];
  for (const section of sections) {
    const isOuter = taken.some((inner) => section.every((key, index) => inner[index] === key));
    const value = isOuter ? undefined : valueAt(document.value, section, context);
    if (value === undefined) continue;
    taken.push(section);
    const inProject = path.startsWith('{project}') || section.includes('{project}');
    const origin = { ...search, file, inProject, inputs: inputsOf(valueAt(document.value, inputs, context)) };
    servers.push(...entriesOf(value).map(([name, entry]) => translateServer(name, entry, origin)));
  }
  return servers.length === 0 ? undefined : { host, file, servers };
}

function valueAt(document: unknown, path: readonly string[] | undefined, { project }: HostContext): unknown {
  return path?.reduce<unknown>((value, step) => {
    const key = step === '{project}' ? project : step;
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  }, document);
}

function inputsOf(list: unknown): ReadonlyMap<string, JsonObject> {
  const items = Array.isArray(list) ? (list as unknown[]) : [];
  return new Map(
    items.flatMap((item): [string, JsonObject][] =>
      isJsonObject(item) && typeof item['id'] === 'string' ? [[item['id'], item]] : [],
    ),
  );
}
