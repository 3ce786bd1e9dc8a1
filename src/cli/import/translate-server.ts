import {
  ConfigError,
  literalSecretsOf,
  readConfig,
  replaceLiteralSecrets,
  type LiteralSecret,
} from '../../computer/index.js';
import { isJsonObject, type JsonObject, type McpServerInput } from '../../protocol/index.js';
import { pathsLike, type HostContext } from './host-context.js';
import type { Host } from './hosts.js';
import type { InputPool } from './input-pool.js';
import { toCommon } from './styles.js';
import { translateVariables, type VariableUse } from './variables.js';

/** Where an entry was found. */
export interface Origin {
  readonly host: Host;
  readonly file: string;
  /** It belongs to a project: its programs run there. */
  readonly inProject: boolean;
  /** The inputs that the file defines, by id. */
  readonly inputs: ReadonlyMap<string, JsonObject>;
  readonly context: HostContext;
  readonly pool: InputPool;
}

/** An entry in our own form, without a secret in it, or why it is not taken. */
export type Translated =
  | { readonly name: string; readonly entry: JsonObject; readonly notes: readonly string[] }
  | { readonly name: string; readonly skipped: string };

const TYPES: Readonly<Record<string, string>> = {
  stdio: 'stdio',
  local: 'stdio',
  sse: 'sse',
  http: 'http',
  'streamable-http': 'http',
  streamable_http: 'http',
  streamableHttp: 'http',
};
/** Of these a person wants to know nothing. */
const SILENT = [
  'name',
  'description',
  'id',
  'icon',
  'source',
  'gallery',
  'version',
  'dev',
  '$schema',
  'enabled',
  'disabled',
  'type',
  'transport',
  'transportType',
];
const TAKEN = [
  'command',
  'args',
  'env',
  'cwd',
  'envFile',
  'url',
  'serverUrl',
  'httpUrl',
  'headers',
  'oauth',
  'disabledTools',
  'excludeTools',
];
const APPROVALS = ['autoApprove', 'alwaysAllow', 'trust', 'default_tools_approval_mode'];
const CHOICES = ['includeTools', 'enabled_tools', 'tools', 'available_tools'];

/** Translates one entry of another host. */
export function translateServer(name: string, raw: unknown, origin: Origin): Translated {
  const common = toCommon(origin.host.style, raw);
  if ('skip' in common) return { name, skipped: common.skip };
  const notes = new Set<string>();
  try {
    const given = withoutNulls(common.entry);
    const parameters = withoutSecrets(name, withVariables(parametersOf(given, origin, notes), origin, notes), origin);
    const entry = { ...typeOf(given), ...parameters, ...switchesOf(given) };
    readConfig({ servers: { [name]: entry } });
    noteOthers(given, notes);
    return { name, entry, notes: [...notes] };
  } catch (error) {
    if (error instanceof NotTakenError) return { name, skipped: error.message };
    if (error instanceof ConfigError) return { name, skipped: error.message.replace(/^servers\b.*?: (?=\S)/, '') };
    throw error;
  }
}

/** Why an entry cannot be taken. */
class NotTakenError extends Error {
  override readonly name = 'NotTakenError';
}

function withoutNulls(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== undefined));
}

function typeOf(given: JsonObject): JsonObject {
  if (given['httpUrl'] !== undefined) return { type: 'http' };
  const written = given['type'] ?? given['transport'] ?? given['transportType'];
  if (written === undefined) return {};
  const type = typeof written === 'string' && Object.hasOwn(TYPES, written) ? TYPES[written] : undefined;
  if (type === undefined) throw new NotTakenError('its transport is none of stdio, sse and http');
  // What goes without saying is not said.
  return type === 'stdio' ? {} : { type };
}

function parametersOf(given: JsonObject, { inProject, context }: Origin, notes: Set<string>): JsonObject {
  const url = given['httpUrl'] ?? given['serverUrl'] ?? given['url'];
  const { command, args, env, cwd, envFile, headers, oauth } = given;
  if (url !== undefined && command === undefined) return withoutNulls({ url, headers: texts(headers), oauth });
  if (typeof command !== 'string' || command === '') throw new NotTakenError('it has neither "command" nor "url"');
  const within = (path: unknown): unknown =>
    inProject && typeof path === 'string' && !/^[~$]/.test(path)
      ? pathsLike(context).resolve(context.project, path)
      : path;
  return withoutNulls({
    ...programOf(command, args, notes),
    env: texts(env),
    cwd: cwd === undefined && inProject ? context.project : within(cwd),
    envFile: within(envFile),
  });
}

/** Some hosts take a whole line as the command. */
function programOf(command: string, args: unknown, notes: Set<string>): JsonObject {
  const list = args === undefined ? [] : args;
  if (!Array.isArray(list) || list.some((arg) => typeof arg === 'object')) {
    throw new NotTakenError('its "args" are no list of texts');
  }
  const words = command.trim().split(/\s+/);
  if (words.length === 1 || list.length > 0 || /[/\\"']/.test(words[0] ?? '')) {
    return list.length === 0 ? { command } : { command, args: list.map(String) };
  }
  if (/["'|&;<>`$(]/.test(command)) throw new NotTakenError('its "command" is a line for a shell');
  notes.add('the words of "command" became "args"');
  const [program = '', ...rest] = words;
  return { command: program, args: rest };
}

/** Numbers and switches are written bare by some hosts. */
function texts(object: unknown): JsonObject | undefined {
  if (!isJsonObject(object)) return undefined;
  const entries = Object.entries(withoutNulls(object)).map(([key, value]): [string, unknown] => [
    key,
    typeof value === 'number' || typeof value === 'boolean' ? String(value) : value,
  ]);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function switchesOf(given: JsonObject): JsonObject {
  const forbidden = given['disabledTools'] ?? given['excludeTools'];
  return {
    ...((given['disabled'] === true || given['enabled'] === false) && { disabled: true }),
    ...(Array.isArray(forbidden) && forbidden.length > 0 && { forbidden_tools: forbidden as unknown[] }),
  };
}

function noteOthers(given: JsonObject, notes: Set<string>): void {
  const others = Object.keys(given).filter((field) => ![...SILENT, ...TAKEN].includes(field));
  const isSet = (field: string): boolean => {
    const value = given[field];
    return value !== false && !(Array.isArray(value) && (value.length === 0 || value[0] === '*'));
  };
  if (others.some((field) => APPROVALS.includes(field) && isSet(field))) {
    notes.add('what may run without asking is yours to say again, with "auto_apply"');
  }
  if (others.some((field) => CHOICES.includes(field) && isSet(field))) {
    notes.add('every tool is taken: forbid others with "forbidden_tools"');
  }
  const rest = others.filter((field) => ![...APPROVALS, ...CHOICES].includes(field) && /^[\w-]{1,40}$/.test(field));
  if (rest.length > 0) notes.add(`not taken: ${rest.slice(0, 5).join(', ')}${rest.length > 5 ? ' …' : ''}`);
}

function withVariables(parameters: JsonObject, origin: Origin, notes: Set<string>): JsonObject {
  const { host, pool, context, file, inputs } = origin;
  const use: VariableUse = {
    context,
    note: (sentence) => notes.add(sentence),
    inputFor: (name, description, isSecret) =>
      pool.idFor({
        key: JSON.stringify(['named', file, name]),
        name,
        definition: (id) => ({ id, type: 'promptString', description, ...(isSecret && { password: true }) }),
      }),
    inputOf: (id) =>
      pool.idFor({
        key: JSON.stringify(['input', file, id]),
        name: id,
        definition: (fresh) => definitionOf(fresh, inputs.get(id), (sentence) => notes.add(sentence)),
      }),
  };
  return mapTexts(parameters, (text) => translateVariables(text, host.variables, use)) as JsonObject;
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]));
}

/** An input of VS Code. A default may be a secret: of what is asked for hidden it is left out. */
function definitionOf(id: string, given: JsonObject | undefined, note: (sentence: string) => void): McpServerInput {
  const { type, description, options, password, default: literal } = given ?? {};
  const about = typeof description === 'string' ? description : id;
  const isPlain = typeof literal === 'string' && literalSecretsOf({ env: { [id]: literal } }).length === 0;
  const usual = isPlain ? { default: literal } : {};
  if (type === 'pickString' && Array.isArray(options)) {
    return { id, type, description: about, options: options as string[], ...usual };
  }
  if (type === 'command') note(`the input "${id}" is computed there: it is asked for`);
  if (type === 'promptString' && password !== true) return { id, type, description: about, ...usual };
  return { id, type: 'promptString', description: about, password: true };
}

function withoutSecrets(server: string, parameters: JsonObject, { pool, host }: Origin): JsonObject {
  const toInput = ({ value, field, name: holder }: LiteralSecret): string => {
    // One that stands on its own has no name.
    const name = holder === field ? 'key' : holder;
    const id = pool.idFor({
      key: JSON.stringify(['secret', value]),
      name: field === 'env' && !GENERIC.test(name) ? name : `${server}-${name}`,
      definition: (fresh) => ({
        id: fresh,
        type: 'promptString',
        description: `${name} of ${server}, as in the configuration of ${host.name}`,
        password: true,
      }),
    });
    return `\${input:${id}}`;
  };
  const { command } = parameters;
  if (typeof command === 'string' && literalSecretsOf({ args: command.split(/\s+/) }).length > 0) {
    throw new NotTakenError('its "command" holds a secret: put it into "env" there');
  }
  return replaceLiteralSecrets(parameters, toInput);
}

/** Names that say nothing without that of the server. */
const GENERIC = /^(api[_-]?)?(key|token|secret|password|pass|auth|url)$/i;
