import { isJsonObject, mcpServerConfigSchema, type JsonObject, type McpServerConfig } from '../../protocol/index.js';
import { hasPlaceholder } from '../inputs/placeholders.js';
import { readOAuth } from '../login/oauth-settings.js';
import type { Root } from '../mcp/server-requests.js';
import { ConfigError } from './config-error.js';
import { wrongToolMeta } from './check-tool-meta.js';
import type { ConfigWarning } from './config-warning.js';
import { envFilePath } from './env-file.js';
import { fieldPath } from './field-path.js';
import { BASE, ENTRY, FOREIGN_PARAMETERS, HOST_ONLY, PARAMETERS, TYPES } from './known-fields.js';
import { withMendHint } from './mend-hint.js';
import { didYouMean, nearestName } from './nearest-name.js';
import { readRoots } from './read-roots.js';
import { serverWarnings } from './server-warnings.js';

/** One MCP server of a configuration, read and judged. */
export interface ConfiguredServer {
  /** Unresolved, with its defaults filled in. */
  readonly config: McpServerConfig;
  /** The type was not written, or is VS Code's `http`: streamable HTTP is tried first, then SSE. Protocol §7.1. */
  readonly sseFallback: boolean;
  /** What it is told of as its roots; absent: those of the Computer. */
  readonly roots?: readonly Root[];
  /** What was read but will not do what it seems to, as sentences that name the field and no value. */
  readonly warnings: readonly string[];
}

/** Where an entry stands. */
export interface EntryPlace {
  readonly file?: string | undefined;
  /** `mcpServers` is the form of other MCP hosts: fields that this Computer does not know are left out. */
  readonly section: 'servers' | 'mcpServers';
}

/** An entry and what is to be said about it. */
export interface ReadServer {
  readonly server: ConfiguredServer;
  /** The same as the server's own warnings, with their places. */
  readonly warnings: readonly ConfigWarning[];
}

type Fail = (problem: string, ...path: PropertyKey[]) => never;

/**
 * Reads one server's entry: this project's own form, the same with `server_parameters` written flat, which is VS Code's
 * form too, or the `mcpServers` form of other MCP hosts. What has a default may be left out. Protocol §7.1.
 *
 * @param name - the key under which the entry stands: the server's name.
 * @throws ConfigError naming the field.
 */
export function readServer(name: string, entry: unknown, place: EntryPlace): ReadServer {
  const { section, file } = place;
  const fail: Fail = (problem, ...path) => {
    throw new ConfigError(problem, { field: fieldPath(section, name, ...path), file });
  };
  const given = judgeEntry(name, entry, fail);
  const flat = !('server_parameters' in given);
  const foreign = section === 'mcpServers';
  const parameters = flat ? pick(given, foreign ? FOREIGN_PARAMETERS : PARAMETERS) : given['server_parameters'];
  if (!isJsonObject(parameters)) return fail('expected an object', 'server_parameters');
  const { type, sseFallback } = typeOf(given, parameters, fail);
  const raw = {
    ...(foreign ? pick(given, BASE) : without(given, [...(flat ? PARAMETERS : []), ...READ_HERE, ...HOST_ONLY])),
    ...ifDisabled(given, fail),
    name,
    type,
    server_parameters: withEnvFilePath(withoutNulls(parameters), { file, type, flat, fail }),
  };
  judgeOAuth(raw.server_parameters, type, (problem, ...path) =>
    fail(problem, ...(flat ? [] : ['server_parameters']), ...path),
  );
  const config = judge(raw, flat, fail);
  const warnings = serverWarnings({ given, parameters, type, flat, foreign });
  return {
    server: { config, sseFallback, ...rootsOf(given, file, fail), warnings: warnings.map(({ problem }) => problem) },
    warnings: warnings.map(({ path, problem }) => ({
      field: fieldPath(section, name, ...path),
      file,
      server: name,
      problem,
    })),
  };
}

/** Other spellings of `type` and `disabled`, and what stands beside the configuration that Agents see. */
const READ_HERE = ['transport', 'enabled', 'roots'];

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
  const field = 'type' in given ? 'type' : 'transport';
  const written = given[field];
  if (written !== undefined) {
    const type = typeof written === 'string' ? TYPES.get(written) : undefined;
    const hint = didYouMean(written, [...TYPES.keys()]);
    return {
      type: type ?? fail(`expected "stdio", "sse" or "streamable" (also "http")${hint}`, field),
      // VS Code's `http` means this; whoever writes the transport's full name means that one alone.
      sseFallback: written === 'http',
    };
  }
  const hasCommand = parameters['command'] != null;
  const hasUrl = parameters['url'] != null;
  if (hasCommand && hasUrl) fail('has both "command" and "url"; remove one, or say which counts with "type"');
  if (!hasCommand && !hasUrl) {
    fail(
      `needs "command" (a program to start) or "url" (a server to connect to)${misspelt({ ...given, ...parameters })}`,
    );
  }
  return hasCommand ? { type: 'stdio', sseFallback: false } : { type: 'streamable', sseFallback: true };
}

/** Names the field that was probably meant to be `command` or `url`. */
function misspelt(fields: JsonObject): string {
  for (const field of Object.keys(fields)) {
    const meant = ENTRY.includes(field) ? undefined : nearestName(field, ['command', 'url']);
    if (meant !== undefined) return `; did you mean "${meant}" by "${field}"?`;
  }
  return '';
}

/** Some hosts write `"enabled": false` instead. */
function ifDisabled(given: JsonObject, fail: Fail): JsonObject {
  const { enabled } = given;
  if (enabled !== undefined && typeof enabled !== 'boolean') {
    fail(withMendHint('expected true or false', given, ['enabled']), 'enabled');
  }
  return enabled === false ? { disabled: true } : {};
}

function rootsOf({ roots }: JsonObject, file: string | undefined, fail: Fail): Pick<ConfiguredServer, 'roots'> {
  if (roots === undefined) return {};
  return { roots: readRoots(roots, { file, fail: (problem, ...path) => fail(problem, 'roots', ...path) }) };
}

interface EnvFileReading {
  readonly file: string | undefined;
  readonly type: McpServerConfig['type'];
  readonly flat: boolean;
  readonly fail: Fail;
}

/** The file is read at each start; where it is, only the place of the configuration file tells. */
function withEnvFilePath(parameters: JsonObject, { file, type, flat, fail }: EnvFileReading): JsonObject {
  const { envFile } = parameters;
  if (type !== 'stdio' || envFile === undefined) return parameters;
  if (typeof envFile !== 'string' || envFile === '') {
    return fail('expected the path of a file with lines NAME=value', ...(flat ? [] : ['server_parameters']), 'envFile');
  }
  return { ...parameters, envFile: envFilePath(envFile, file) };
}

/** Texts with placeholders are judged at the start, when they are filled in. */
function judgeOAuth(parameters: JsonObject, type: McpServerConfig['type'], fail: Fail): void {
  const read = type === 'stdio' ? undefined : readOAuth(parameters, hasPlaceholder);
  if (read !== undefined && 'wrong' in read) fail(read.wrong.problem, 'oauth', ...read.wrong.path);
}

function judge(raw: JsonObject, flat: boolean, fail: Fail): McpServerConfig {
  const parsed = mcpServerConfigSchema.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    const problem = withMendHint(issue?.message ?? 'invalid', raw, path);
    return fail(problem, ...(flat && path[0] === 'server_parameters' ? path.slice(1) : path));
  }
  const wrong = wrongToolMeta(parsed.data);
  if (wrong !== undefined) fail(wrong.problem, ...wrong.path);
  return parsed.data;
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
