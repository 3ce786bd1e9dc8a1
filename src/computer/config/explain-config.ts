import { statSync } from 'node:fs';
import { isJsonObject, type JsonObject, type McpServerInput } from '../../protocol/index.js';
import { environmentName, readFromEnvironment } from '../inputs/environment-name.js';
import { argumentsOf, circleOf } from '../inputs/input-definitions.js';
import { hasPlaceholder, type Reference } from '../inputs/placeholders.js';
import { referencesWithin } from '../inputs/render-value.js';
import { findCommand } from '../mcp/find-command.js';
import type { ConfigWarning } from './config-warning.js';
import { fieldPath } from './field-path.js';
import { literalSecretsOf } from './literal-secrets.js';
import { maskServerConfig } from './mask-config.js';
import { didYouMean } from './nearest-name.js';
import type { ComputerConfig } from './parse-config.js';
import type { ConfiguredServer } from './read-server.js';

/** What a configuration says about one MCP server. Nothing in it is a secret. */
export interface ServerExplanation {
  readonly name: string;
  readonly type: 'stdio' | 'sse' | 'streamable';
  /** SSE is tried where streamable HTTP does not work. */
  readonly sseFallback: boolean;
  readonly disabled: boolean;
  /** The program and its arguments, or the address; literals that may be secrets are masked. */
  readonly target: string;
  /** The file that its command starts; `null`: not found; absent where that depends on a value, or nothing is started. */
  readonly program?: string | null;
  /** The inputs that stand in its parameters, by id. */
  readonly inputs: readonly string[];
  /** The variables of the Computer's environment that stand in its parameters. */
  readonly variables: readonly { readonly name: string; readonly isSet: boolean }[];
  readonly forbiddenTools: readonly string[];
  /** Which tools run without asking: of all of them, and of single ones that differ. */
  readonly autoApply: { readonly everyTool: boolean; readonly tools: Readonly<Record<string, boolean>> };
  readonly hasVrl: boolean;
}

/** What a configuration says about one input, and where its value would come from. */
export interface InputExplanation {
  readonly id: string;
  readonly type: McpServerInput['type'];
  /** The variable that is looked at first. */
  readonly variable: string;
  /** Where its value comes from here and now; `nobody`: from a person, and nothing else. */
  readonly source: 'environment' | 'command' | 'person-or-default' | 'person';
  /** The servers that need it, also through the definition of another input. */
  readonly servers: readonly string[];
}

/** What {@link explainConfig} finds. */
export interface ConfigExplanation {
  readonly servers: readonly ServerExplanation[];
  readonly inputs: readonly InputExplanation[];
  /** What reading warned of, and what would go wrong at a start. */
  readonly warnings: readonly ConfigWarning[];
}

/** What {@link explainConfig} looks at. */
export interface ExplainOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
}

/**
 * What a configuration means on this machine: what its servers start, which inputs they need and where their values would
 * come from, and what would go wrong. Nothing is started, and no value is shown.
 */
export function explainConfig(config: ComputerConfig, options: ExplainOptions): ConfigExplanation {
  const servers = [...config.servers.values()].map((server) => explainServer(server, options));
  const users = usersOf(config);
  const inputs = [...config.inputs.values()].map((input): InputExplanation => ({
    id: input.id,
    type: input.type,
    variable: environmentName(input.id),
    source: sourceOf(input, options),
    servers: users.get(input.id) ?? [],
  }));
  const found = [...config.servers.values()].flatMap((server) => serverFindings(server, config, options));
  return {
    servers,
    inputs,
    warnings: [...(config.warnings ?? []), ...found, ...inputFindings(config, users)],
  };
}

function explainServer({ config, sseFallback }: ConfiguredServer, options: ExplainOptions): ServerExplanation {
  const { server_parameters: shown } = maskServerConfig(config);
  const { name, type, disabled, forbidden_tools: forbidden, vrl } = config;
  const references = referencesWithin(config.server_parameters);
  return {
    name,
    type,
    sseFallback,
    disabled,
    target: targetOf(shown),
    ...programOf(config, options),
    inputs: namesOf(references, 'input'),
    variables: namesOf(references, 'env').map((variable) => ({
      name: variable,
      isSet: Object.hasOwn(options.env, variable) && options.env[variable] !== undefined,
    })),
    forbiddenTools: forbidden,
    autoApply: autoApplyOf(config),
    hasVrl: typeof vrl === 'string',
  };
}

function targetOf({ command, args, url }: JsonObject): string {
  const words = [command ?? url, ...(Array.isArray(args) ? (args as unknown[]) : [])];
  return words.filter((word) => typeof word === 'string').join(' ');
}

function namesOf(references: readonly Reference[], kind: Reference['kind']): string[] {
  return [...new Set(references.flatMap((one) => (one.kind === kind ? [one.name] : [])))];
}

function programOf(
  config: ConfiguredServer['config'],
  { platform, env: own }: ExplainOptions,
): { program?: string | null } {
  if (config.type !== 'stdio') return {};
  const { command, cwd, env } = config.server_parameters;
  const path = Object.entries(env ?? {}).filter(([name]) => name.toUpperCase() === 'PATH');
  if ([command, cwd ?? '', ...path.map(([, value]) => value)].some(hasPlaceholder)) return {};
  const search = { env: { ...own, ...Object.fromEntries(path) }, cwd: cwd ?? undefined };
  return { program: findCommand(command, platform === undefined ? search : { ...search, platform }) ?? null };
}

function autoApplyOf(config: ConfiguredServer['config']): ServerExplanation['autoApply'] {
  const everyTool = metaOf(config.default_tool_meta)['auto_apply'] === true;
  const tools = Object.entries(metaOf(config.tool_meta)).flatMap(([tool, meta]): [string, boolean][] => {
    const { auto_apply: own } = metaOf(meta);
    return typeof own === 'boolean' && own !== everyTool ? [[tool, own]] : [];
  });
  return { everyTool, tools: Object.fromEntries(tools) };
}

function metaOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

function sourceOf(input: McpServerInput, { env }: ExplainOptions): InputExplanation['source'] {
  if (readFromEnvironment(input.id, env) !== undefined) return 'environment';
  if (input.type === 'command') return 'command';
  return input.default == null ? 'person' : 'person-or-default';
}

/** The parts of a definition in which others may stand. */
function partsOf(input: McpServerInput): unknown {
  return input.type === 'command' ? [input.command, argumentsOf(input.args)] : input.default;
}

/** The servers that need each input. */
function usersOf({ servers, inputs }: ComputerConfig): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  for (const [server, { config }] of servers) {
    const reached = new Set<string>();
    const toLookAt = namesOf(referencesWithin(config.server_parameters), 'input');
    for (let id = toLookAt.pop(); id !== undefined; id = toLookAt.pop()) {
      if (reached.has(id)) continue;
      reached.add(id);
      users.set(id, [...(users.get(id) ?? []), server]);
      const input = inputs.get(id);
      if (input !== undefined) toLookAt.push(...namesOf(referencesWithin(partsOf(input)), 'input'));
    }
  }
  return users;
}

function serverFindings(server: ConfiguredServer, config: ComputerConfig, options: ExplainOptions): ConfigWarning[] {
  const { name, server_parameters: parameters } = server.config;
  const finding = (problem: string, ...path: PropertyKey[]): ConfigWarning => ({
    field: fieldPath('servers', name, ...path),
    server: name,
    problem,
  });
  const { inputs, variables, program } = explainServer(server, options);
  return [
    ...inputs.filter((id) => !config.inputs.has(id)).map((id) => finding(undefinedInput(id, config))),
    ...variables
      .filter(({ isSet }) => !isSet)
      .map((one) => finding(`\${env:${one.name}} is not set in the environment`)),
    ...(program === null ? [finding('the program is not found; install it, or write its whole path', 'command')] : []),
    ...(isUnusableUrl(parameters) ? [finding('expected an http: or https: URL', 'url')] : []),
    ...missingPlaces(parameters).map(({ field, problem }) => finding(problem, field)),
    ...literalSecretsOf(parameters).map(({ field, name: holder }) =>
      finding(`the value of "${holder}" may be a secret: make it an input and write \${input:ID}`, field),
    ),
  ];
}

function undefinedInput(id: string, { inputs }: ComputerConfig): string {
  return `\${input:${id}} has no definition in "inputs"${didYouMean(id, [...inputs.keys()])}`;
}

function isUnusableUrl({ url }: JsonObject): boolean {
  return typeof url === 'string' && !hasPlaceholder(url) && !(URL.canParse(url) && /^https?:/i.test(url));
}

function missingPlaces({ cwd, envFile }: JsonObject): { readonly field: string; readonly problem: string }[] {
  const isMissing = (place: unknown, isRight: (stats: { isDirectory(): boolean }) => boolean): boolean => {
    if (typeof place !== 'string' || hasPlaceholder(place)) return false;
    const found = statSync(place, { throwIfNoEntry: false });
    return found === undefined || !isRight(found);
  };
  return [
    ...(isMissing(cwd, (found) => found.isDirectory()) ? [{ field: 'cwd', problem: 'there is no such folder' }] : []),
    ...(isMissing(envFile, (found) => !found.isDirectory())
      ? [{ field: 'envFile', problem: 'there is no such file' }]
      : []),
  ];
}

function inputFindings(config: ComputerConfig, users: ReadonlyMap<string, readonly string[]>): ConfigWarning[] {
  return [...config.inputs.values()].flatMap((input, index) => {
    const finding = (problem: string): ConfigWarning => ({ field: fieldPath('inputs', index), problem });
    const named = namesOf(referencesWithin(partsOf(input)), 'input');
    const circle = circleOf(input.id, config.inputs, () => false);
    return [
      ...(users.has(input.id) ? [] : [finding(`no server uses the input "${input.id}"`)]),
      ...named.filter((id) => !config.inputs.has(id)).map((id) => finding(undefinedInput(id, config))),
      ...(circle === undefined ? [] : [finding(`the input "${input.id}" needs its own value: ${circle.join(' → ')}`)]),
      ...(hasLiteralPassword(input)
        ? [finding(`the default of the password "${input.id}" stands in the file for everybody who reads it`)]
        : []),
    ];
  });
}

function hasLiteralPassword(input: McpServerInput): boolean {
  if (input.type !== 'promptString' || input.password !== true) return false;
  return typeof input.default === 'string' && input.default !== '' && !hasPlaceholder(input.default);
}
