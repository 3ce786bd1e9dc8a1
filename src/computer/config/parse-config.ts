import { isJsonObject, type McpServerInput } from '../../protocol/index.js';
import { ConfigError } from './config-error.js';
import type { ConfigWarning } from './config-warning.js';
import { documentWarnings, inputWarnings } from './document-warnings.js';
import { fieldPath } from './field-path.js';
import { DOCUMENT } from './known-fields.js';
import { didYouMean } from './nearest-name.js';
import { readInputs, refuseEqualEnvironmentNames } from './read-input.js';
import { readJson, refuseProto, type KeysOf } from './read-json.js';
import { readServer, type ConfiguredServer } from './read-server.js';

/** A Computer's configuration, read and judged, unresolved. Protocol §7. */
export interface ComputerConfig {
  /** By id, in the order of the configuration. */
  readonly inputs: ReadonlyMap<string, McpServerInput>;
  /** By name, in the order of the configuration, which decides conflicts. */
  readonly servers: ReadonlyMap<string, ConfiguredServer>;
  /** What was read but will not do what it seems to, in the order of the text; absent: nothing. */
  readonly warnings?: readonly ConfigWarning[];
}

/** A configuration given as a value: what a file holds after parsing. */
export interface ComputerConfigInput {
  /** See Protocol §7.2. */
  readonly inputs?: unknown;
  /** By name; each in the form of Protocol §7.1, where everything with a default may be left out. */
  readonly servers?: unknown;
  /** The form of other MCP hosts. */
  readonly mcpServers?: unknown;
}

/** No inputs and no servers. */
export const EMPTY_CONFIG: ComputerConfig = { inputs: new Map(), servers: new Map() };

/**
 * Reads the text of a configuration file: `{ "inputs": […], "servers": { NAME: {…} } }`, or the `mcpServers` form of
 * other MCP hosts, or both. Byte-order mark, CRLF, comments and trailing commas are fine. Protocol §7.
 *
 * @param options - `file`: how errors name the file.
 * @throws ConfigError naming file and field, never a value.
 */
export function parseConfig(text: string, options: { readonly file?: string } = {}): ComputerConfig {
  const { value, keysOf } = readJson(text, options.file);
  return readParsed(value, keysOf, options.file);
}

/**
 * Reads a configuration that is a value already. Servers are in the order of its keys, in which JavaScript puts names
 * such as `10` and `2` first.
 *
 * @throws ConfigError naming the field.
 */
export function readConfig(value: unknown, options: { readonly file?: string } = {}): ComputerConfig {
  return readParsed(value, Object.keys, options.file);
}

function readParsed(value: unknown, keysOf: KeysOf, file: string | undefined): ComputerConfig {
  if (!isJsonObject(value)) throw new ConfigError('expected an object with "servers"', { field: '', file });
  refuseProto(value, []);
  refuseUnknownOnly(value, file);
  const servers = new Map<string, ConfiguredServer>();
  const warnings = [...documentWarnings(value), ...inputWarnings(value['inputs'])];
  for (const section of ['servers', 'mcpServers'] as const) {
    const entries = value[section] ?? {};
    if (!isJsonObject(entries))
      throw new ConfigError('expected an object keyed by server name', { field: section, file });
    for (const name of keysOf(entries)) {
      if (servers.has(name)) {
        throw new ConfigError('stands in "servers" too; remove one of the two', {
          field: fieldPath(section, name),
          file,
        });
      }
      const read = readServer(name, entries[name], { section, file });
      servers.set(name, read.server);
      warnings.push(...read.warnings);
    }
  }
  const inputs = readInputs(value['inputs'], file);
  refuseEqualEnvironmentNames(inputs, file);
  return { inputs, servers, warnings: warnings.map((warning) => ({ ...warning, file })) };
}

/**
 * Merges several configurations, in order: a later server replaces an earlier one of the same name, a later input one
 * of the same id. Protocol §7.2.
 *
 * @throws ConfigError when two inputs of the outcome read one environment variable.
 */
export function mergeConfigs(configs: readonly ComputerConfig[]): ComputerConfig {
  const inputs = new Map(configs.flatMap((config) => [...config.inputs]));
  refuseEqualEnvironmentNames(inputs);
  const warnings = configs.flatMap((config, index) => {
    const later = configs.slice(index + 1);
    // What is said about an entry that another file replaces is of no interest.
    const isReplaced = (server: string): boolean => later.some(({ servers }) => servers.has(server));
    return (config.warnings ?? []).filter(({ server }) => server === undefined || !isReplaced(server));
  });
  return { inputs, servers: new Map(configs.flatMap((config) => [...config.servers])), warnings };
}

/**
 * Reads one server's entry given as a value.
 *
 * @throws ConfigError naming the field.
 */
export function readServerEntry(name: string, entry: unknown): ConfiguredServer {
  refuseProto(entry, ['servers', name]);
  return readServer(name, entry, { section: 'servers' }).server;
}

/** A file with other fields only is meant for another program, or has a typing error: better said than ignored. */
function refuseUnknownOnly(value: Record<string, unknown>, file: string | undefined): void {
  const fields = Object.keys(value).filter((field) => field !== '$schema');
  if (fields.length === 0 || fields.some((field) => DOCUMENT.includes(field))) return;
  const shown = fields.slice(0, 3).map((field) => JSON.stringify(field.slice(0, 40)));
  const hint = fields.map((field) => didYouMean(field, DOCUMENT)).find((found) => found !== '') ?? '';
  throw new ConfigError(`has neither "servers" nor "mcpServers", only ${shown.join(', ')}${hint}`, { field: '', file });
}
