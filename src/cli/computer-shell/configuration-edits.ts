import { isDeepStrictEqual } from 'node:util';
import type { Computer, ComputerConfig, ConfigEdit } from '../../computer/index.js';
import { isJsonObject, type JsonObject } from '../../protocol/index.js';

/** What has to change in one file, by what the file holds. */
type EditsOf = (document: unknown) => ConfigEdit[];

/** What the files say together, and what is wanted. */
interface Change {
  readonly before: ComputerConfig;
  readonly wanted: ComputerConfig;
  /** The wanted servers, as a file would have them. */
  readonly written: Readonly<Record<string, JsonObject>>;
  readonly pathOfServer: (document: unknown, name: string) => readonly string[] | undefined;
  readonly readConfig: (value: unknown) => ComputerConfig;
}

/** One of the files. */
interface OwnFile {
  readonly own: ComputerConfig;
  /** The files that win over this one; the last file has none, and gets what is new. */
  readonly later: readonly ComputerConfig[];
}

/**
 * What has to change in configuration files so that they say together what the Computer has now. What they say already
 * stays as it was written, and where.
 *
 * @param files - later ones win.
 * @returns for each file the changes.
 */
export async function configurationEdits(computer: Computer, files: readonly string[]): Promise<EditsOf[]> {
  const { mergeConfigs, pathOfServer, readConfig, readConfigFiles } = await import('../../computer/index.js');
  const configs = await Promise.all(files.map((file) => readConfigFiles([file])));
  const now = computer.configuration();
  const change: Change = {
    before: mergeConfigs(configs),
    wanted: readConfig(now),
    written: now.servers,
    pathOfServer,
    readConfig,
  };
  return configs.map((own, index) => {
    const file = { own, later: configs.slice(index + 1) };
    return (document) => [...serverEdits(document, file, change), ...inputEdits(file, change)];
  });
}

function serverEdits(document: unknown, { own, later }: OwnFile, change: Change): ConfigEdit[] {
  const { before, wanted, written, pathOfServer } = change;
  const changed = [...wanted.servers.keys()].filter(
    (name) => !isDeepStrictEqual(meaningOf(before, name), meaningOf(wanted, name)),
  );
  return [
    ...changed.flatMap((name): ConfigEdit[] => {
      const isHere = before.servers.has(name) ? own.servers.has(name) : later.length === 0;
      if (!isHere || later.some(({ servers }) => servers.has(name))) return [];
      const path = pathOfServer(document, name) ?? ['servers', name];
      return [{ path, value: inFormOf(valueAt(document, path), written[name] ?? {}, { name, change }) }];
    }),
    ...[...own.servers.keys()].flatMap((name): ConfigEdit[] => {
      const path = wanted.servers.has(name) ? undefined : pathOfServer(document, name);
      return path === undefined ? [] : [{ path, value: undefined }];
    }),
  ];
}

function meaningOf({ servers }: ComputerConfig, name: string): unknown {
  const server = servers.get(name);
  return server && { config: server.config, sseFallback: server.sseFallback, roots: server.roots };
}

/** An entry in the form that other hosts read stays in it. */
function inFormOf(
  present: unknown,
  value: JsonObject,
  { name, change }: { readonly name: string; readonly change: Change },
): JsonObject {
  if (!isJsonObject(present) || Object.hasOwn(present, 'server_parameters')) return value;
  const { type, server_parameters: parameters, ...rest } = value;
  const flat = { ...(isJsonObject(parameters) ? parameters : {}), ...rest };
  const isSame = (entry: JsonObject): boolean =>
    isDeepStrictEqual(
      meaningOf(change.readConfig({ servers: { [name]: entry } }), name),
      meaningOf(change.wanted, name),
    );
  const forms = Object.hasOwn(present, 'type') ? [{ type, ...flat }] : [flat, { type, ...flat }];
  return forms.find(isSame) ?? value;
}

function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), document);
}

/** From the end of the list, so that places before it stay what they are. */
function inputEdits({ own, later }: OwnFile, { before, wanted }: Change): ConfigEdit[] {
  const places = [...own.inputs.keys()].map((id, index) => ({ id, path: ['inputs', index] }));
  const changed = places.flatMap(({ id, path }): ConfigEdit[] => {
    if (!wanted.inputs.has(id)) return [{ path, value: undefined }];
    const isSaid = isDeepStrictEqual(before.inputs.get(id), wanted.inputs.get(id));
    return isSaid || later.some(({ inputs }) => inputs.has(id)) ? [] : [{ path, value: wanted.inputs.get(id) }];
  });
  const added = later.length > 0 ? [] : [...wanted.inputs.keys()].filter((id) => !before.inputs.has(id));
  return [
    ...added.map((id, index) => ({ path: ['inputs', places.length + index], value: wanted.inputs.get(id) })),
    ...changed.reverse(),
  ];
}
