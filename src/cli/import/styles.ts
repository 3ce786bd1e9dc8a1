import { isJsonObject, type JsonObject } from '../../protocol/index.js';

/** How a host writes an entry. */
export type Style = 'common' | 'gemini' | 'codex' | 'zed' | 'continue' | 'opencode' | 'goose';

/** An entry in the form that most hosts share, or why it is none of an MCP server. */
export type CommonEntry = { readonly entry: JsonObject } | { readonly skip: string };

const TO_COMMON: Readonly<Record<Style, (entry: JsonObject) => CommonEntry>> = {
  common: (entry) => ({ entry }),
  // A bare "url" is SSE there.
  gemini: (entry) => ({ entry: typeof entry['url'] === 'string' ? { type: 'sse', ...entry } : entry }),
  codex: fromCodex,
  zed: fromZed,
  continue: fromContinue,
  opencode: fromOpencode,
  goose: fromGoose,
};

/** An entry of a host in the form that most hosts share. */
export function toCommon(style: Style, entry: unknown): CommonEntry {
  return isJsonObject(entry) ? TO_COMMON[style](entry) : { skip: 'it is no object' };
}

/** The servers of a section by name; some hosts have a list with names in it. */
export function entriesOf(section: unknown): (readonly [name: string, entry: unknown])[] {
  if (!Array.isArray(section)) return isJsonObject(section) ? Object.entries(section) : [];
  return (section as unknown[]).map((entry, index) => {
    const name = isJsonObject(entry) ? entry['name'] : undefined;
    return [typeof name === 'string' && name !== '' ? name : `server-${index + 1}`, entry];
  });
}

function without(object: JsonObject, ...fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

/** Names of variables as placeholders for them: `{ "Authorization": "TOKEN" }` → `${env:TOKEN}`. */
function fromEnvironment(names: unknown): JsonObject {
  if (Array.isArray(names)) return fromEnvironment(Object.fromEntries(names.map((name) => [name, name])));
  if (!isJsonObject(names)) return {};
  return Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => (typeof name === 'string' ? [[key, `\${env:${name}}`]] : [])),
  );
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function fromCodex(entry: JsonObject): CommonEntry {
  const { bearer_token_env_var: bearer } = entry;
  const headers = {
    ...objectOf(entry['http_headers']),
    ...fromEnvironment(entry['env_http_headers']),
    ...(typeof bearer === 'string' ? { Authorization: `Bearer \${env:${bearer}}` } : {}),
  };
  const env = { ...fromEnvironment(entry['env_vars']), ...objectOf(entry['env']) };
  const rest = without(
    entry,
    'bearer_token_env_var',
    'http_headers',
    'env_http_headers',
    'env_vars',
    'env',
    'disabled_tools',
  );
  return {
    entry: {
      ...rest,
      ...(Object.keys(headers).length > 0 && { headers }),
      ...(Object.keys(env).length > 0 && { env }),
      ...('disabled_tools' in entry && { disabledTools: entry['disabled_tools'] }),
      ...('enabled_tools' in entry && { includeTools: entry['enabled_tools'] }),
    },
  };
}

function fromZed(entry: JsonObject): CommonEntry {
  const { command } = entry;
  if (command === undefined && entry['url'] === undefined) return { skip: 'an extension of Zed starts it' };
  const rest = without(entry, 'source', 'settings');
  if (!isJsonObject(command)) return { entry: rest };
  return { entry: { ...without(rest, 'command'), ...without(command, 'path'), command: command['path'] } };
}

function fromContinue(entry: JsonObject): CommonEntry {
  const { requestOptions } = entry;
  if (!isJsonObject(requestOptions)) return { entry };
  const { headers } = requestOptions;
  return { entry: { ...without(entry, 'requestOptions'), ...(headers !== undefined && { headers }) } };
}

function fromOpencode(entry: JsonObject): CommonEntry {
  if (!('command' in entry) && !('url' in entry)) return { skip: 'it only changes a server that is defined elsewhere' };
  const { command, environment } = entry;
  const rest = without(entry, 'type', 'environment', ...(Array.isArray(command) ? ['command'] : []));
  const [program, ...args] = Array.isArray(command) ? (command as unknown[]) : [];
  return {
    entry: {
      ...rest,
      ...(Array.isArray(command) && { command: program, args }),
      ...(environment !== undefined && { env: environment }),
    },
  };
}

const GOOSE_TYPES: ReadonlyMap<unknown, string> = new Map([
  ['stdio', 'stdio'],
  ['sse', 'sse'],
  ['streamable_http', 'http'],
]);

function fromGoose(entry: JsonObject): CommonEntry {
  const type = GOOSE_TYPES.get(entry['type']);
  if (type === undefined) return { skip: 'Goose has it built in' };
  const { cmd, uri, envs, env_keys: keys } = entry;
  // The values of these keys are in Goose's own keyring.
  const env = { ...fromEnvironment(keys), ...objectOf(envs) };
  return {
    entry: {
      ...without(entry, 'cmd', 'uri', 'envs', 'env_keys', 'type', 'bundled', 'display_name'),
      type,
      ...(cmd !== undefined && { command: cmd }),
      ...(uri !== undefined && { url: uri }),
      ...(Object.keys(env).length > 0 && { env }),
    },
  };
}
