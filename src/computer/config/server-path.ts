import { isJsonObject } from '../../protocol/index.js';

/** Where a file may keep its servers: this project's own and VS Code's form, that of other hosts, VS Code's settings. */
const SECTIONS: readonly (readonly string[])[] = [['servers'], ['mcpServers'], ['mcp', 'servers']];

/**
 * Where the entry of a server stands in a configuration file, whatever form the file has: `servers`, `mcpServers`, or
 * `mcp.servers` of VS Code's settings.
 *
 * @param document - what the file holds, as in {@link ConfigEdits}.
 * @returns `undefined` when no server of that name is in it.
 */
export function pathOfServer(document: unknown, name: string): readonly string[] | undefined {
  const section = SECTIONS.find((path) => {
    const entries = valueAt(document, path);
    return isJsonObject(entries) && Object.hasOwn(entries, name);
  });
  return section === undefined ? undefined : [...section, name];
}

function valueAt(document: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );
}
