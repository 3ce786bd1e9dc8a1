import { isJsonObject, mcpServerConfigSchema, type JsonObject, type McpServerConfig } from '../../protocol/index.js';
import { ConfigError } from './config-error.js';
import { fieldPath } from './field-path.js';

/** One MCP server of a configuration, read and judged. */
export interface ConfiguredServer {
  /** Unresolved, with its defaults filled in. */
  readonly config: McpServerConfig;
  /** The type was not written: streamable HTTP is tried first, then SSE, as MCP describes. Protocol §7.1. */
  readonly sseFallback: boolean;
  /** What was read but will not be used, as sentences without values. */
  readonly warnings: readonly string[];
}

/** Where an entry stands. */
export interface EntryPlace {
  readonly file?: string | undefined;
  /** `mcpServers` is the form of other MCP hosts: fields that this Computer does not know are left out. */
  readonly section: 'servers' | 'mcpServers';
}

const PARAMETERS = [
  'command',
  'args',
  'env',
  'cwd',
  'encoding',
  'encoding_error_handler',
  'url',
  'headers',
  'timeout',
  'sse_read_timeout',
  'terminate_on_close',
];
/** In files of other hosts `timeout` is sometimes milliseconds: guessing wrong would make it a day or an instant. */
const FOREIGN_PARAMETERS = ['command', 'args', 'env', 'cwd', 'url', 'headers'];
const BASE = ['disabled', 'forbidden_tools', 'tool_meta', 'default_tool_meta', 'vrl'];

const TYPES: ReadonlyMap<string, McpServerConfig['type']> = new Map([
  ['stdio', 'stdio'],
  ['sse', 'sse'],
  ['streamable', 'streamable'],
  ['http', 'streamable'],
  ['streamable-http', 'streamable'],
  ['streamable_http', 'streamable'],
  ['streamableHttp', 'streamable'],
]);

/**
 * Reads one server's entry: this project's own form, the same with `server_parameters` written flat, or the
 * `mcpServers` form of other MCP hosts. What has a default may be left out. Protocol §7.1.
 *
 * @param name - the key under which the entry stands: the server's name.
 * @throws ConfigError naming the field.
 */
export function readServer(name: string, entry: unknown, place: EntryPlace): ConfiguredServer {
  const fail: Fail = (problem, ...path) => {
    throw new ConfigError(problem, { field: fieldPath(place.section, name, ...path), file: place.file });
  };
  const given = judgeEntry(name, entry, fail);
  const flat = !('server_parameters' in given);
  const parameters = flat ? pick(given, parametersOf(place)) : given['server_parameters'];
  if (!isJsonObject(parameters)) return fail('expected an object', 'server_parameters');
  const { type, sseFallback } = typeOf(given, parameters, fail);
  const rest = [...(flat ? PARAMETERS : []), 'transport', 'enabled'];
  const parsed = mcpServerConfigSchema.safeParse({
    ...(place.section === 'mcpServers' ? pick(given, BASE) : without(given, rest)),
    ...ifDisabled(given),
    name,
    type,
    server_parameters: withoutNulls(parameters),
  });
  if (parsed.success) return { config: parsed.data, sseFallback, warnings: warningsFor(given, place) };
  const [issue] = parsed.error.issues;
  const path = issue?.path ?? [];
  return fail(issue?.message ?? 'invalid', ...(flat && path[0] === 'server_parameters' ? path.slice(1) : path));
}

/** Some hosts write `"enabled": false` instead. */
function ifDisabled(given: JsonObject): JsonObject {
  return given['enabled'] === false ? { disabled: true } : {};
}

type Fail = (problem: string, ...path: PropertyKey[]) => never;

function parametersOf(place: EntryPlace): readonly string[] {
  return place.section === 'mcpServers' ? FOREIGN_PARAMETERS : PARAMETERS;
}

function judgeEntry(name: string, entry: unknown, fail: Fail): JsonObject {
  if (name === '' || name === '__proto__') fail('this cannot be the name of a server; choose another one');
  if (!isJsonObject(entry)) return fail('expected an object with "command" or "url"');
  const given = withoutNulls(entry);
  if ('name' in given && given['name'] !== name) fail('differs from the key it stands under; remove it', 'name');
  const misplaced = 'server_parameters' in given ? ['command', 'url'].find((field) => field in given) : undefined;
  if (misplaced !== undefined) fail('move this into "server_parameters", which is there too', misplaced);
  return given;
}

function typeOf(
  given: JsonObject,
  parameters: JsonObject,
  fail: Fail,
): { readonly type: McpServerConfig['type']; readonly sseFallback: boolean } {
  const written = given['type'] ?? given['transport'];
  if (written !== undefined) {
    const type = typeof written === 'string' ? TYPES.get(written) : undefined;
    return { type: type ?? fail('expected "stdio", "sse" or "streamable" (also "http")', 'type'), sseFallback: false };
  }
  const hasCommand = parameters['command'] != null;
  const hasUrl = parameters['url'] != null;
  if (hasCommand && hasUrl) fail('has both "command" and "url"; remove one, or say which counts with "type"');
  if (!hasCommand && !hasUrl) fail('needs "command" (a program to start) or "url" (a server to connect to)');
  return hasCommand ? { type: 'stdio', sseFallback: false } : { type: 'streamable', sseFallback: true };
}

function warningsFor(given: JsonObject, place: EntryPlace): string[] {
  const known = new Set([...parametersOf(place), ...BASE, 'name', 'type', 'transport', 'enabled', 'server_parameters']);
  if (place.section === 'servers') {
    return 'envFile' in given ? ['"envFile" is not read; write its variables into "env"'] : [];
  }
  return Object.keys(given)
    .filter((field) => !known.has(field))
    .map((field) => `"${field}" is not used by this Computer`);
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));
}

function pick(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => fields.includes(field)));
}

function without(object: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}
