import { resolve } from 'node:path';
import { findCommand, type Computer, type ComputerConfig } from '../../../computer/index.js';
import { isJsonObject, type JsonObject, type McpServerConfig } from '../../../protocol/index.js';
import { fail, ok, orElse, skipped, warn, type Check, type Finding } from '../check.js';
import type { DoctorContext, LoadedConfig } from '../context.js';
import { nearestFolder } from '../files.js';
import { probe } from '../http-probe.js';

const NO_CONFIG = skipped('there is no configuration');

/** Runs a check for each MCP server of the configuration that would be started. What it finds holds no secret. */
async function forEachServer(
  context: DoctorContext,
  look: (server: McpServerConfig, loaded: LoadedConfig) => Promise<readonly Finding[]>,
  otherwise: Finding,
): Promise<readonly Finding[]> {
  const loaded = await loadedOf(context);
  if (loaded === undefined) return [NO_CONFIG];
  const findings = await Promise.all(loaded.servers.map((server) => look(server, loaded)));
  return loaded.computer.redact(orElse(findings.flat(), otherwise));
}

/** A configuration that cannot be read has been told of by its own check. */
async function loadedOf(context: DoctorContext): Promise<LoadedConfig | undefined> {
  return context.loaded().catch(() => undefined);
}

/** A field of the parameters with its inputs filled in; `undefined` where one has no value, which another check tells. */
async function fieldOf(name: string, server: McpServerConfig, { computer }: LoadedConfig): Promise<unknown> {
  return computer.render((server.server_parameters as JsonObject)[name]).catch(() => undefined);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** How a program comes onto a machine. */
const INSTALL: readonly (readonly [command: RegExp, how: string])[] = [
  [/^(npx|npm|node)$/, 'it comes with Node.js; a service has another PATH than your terminal'],
  [/^(uvx|uv)$/, 'install uv: https://docs.astral.sh/uv/'],
  [/^(docker|podman)$/, 'install it, or let the service find it'],
  [/^python$/, 'many systems have only python3'],
  [/^(bunx?|deno)$/, 'install it, or use npx'],
];

/** Whether the programs of MCP servers are there. */
export const commandsCheck: Check = {
  id: 'commands',
  title: 'commands',
  run: async (context) => {
    const look = (server: McpServerConfig, loaded: LoadedConfig) => lookForCommand(server, loaded, context);
    const findings = await forEachServer(context, look, skipped('none is started here'));
    const searched = skipped(`PATH is ${context.machine.env['PATH'] ?? 'empty'}`);
    return findings.some(({ verdict }) => verdict === 'fail') ? [...findings, searched] : findings;
  },
};

async function lookForCommand(
  server: McpServerConfig,
  loaded: LoadedConfig,
  { machine }: DoctorContext,
): Promise<readonly Finding[]> {
  if (server.type !== 'stdio') return [];
  const command = textOf(await fieldOf('command', server, loaded));
  if (command === undefined) return [];
  const cwd = resolve(textOf(await fieldOf('cwd', server, loaded)) ?? '.');
  if ((await nearestFolder(cwd)) !== cwd) return [fail(`${server.name}: there is no folder ${cwd}`, 'mend its cwd')];
  const env = { ...machine.env, ...(await pathOf(server, loaded)) };
  const file = findCommand(command, { env, cwd, platform: machine.platform });
  return [file === undefined ? notFound(server.name, command) : ok(`${server.name}: ${file}`)];
}

/** What the configuration says of where programs are looked for. */
async function pathOf(server: McpServerConfig, { computer }: LoadedConfig): Promise<Record<string, string>> {
  const { env } = server.server_parameters as JsonObject;
  const entries = Object.entries(isJsonObject(env) ? env : {}).filter(([name]) => /^path(ext)?$/i.test(name));
  const values = await Promise.all(
    entries.map(async ([name, value]) => [name, textOf(await computer.render(value).catch(() => undefined))] as const),
  );
  return Object.fromEntries(values.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function notFound(server: string, command: string): Finding {
  const where = /[\\/]/.test(command) ? '' : ' on PATH';
  const how = INSTALL.find(([pattern]) => pattern.test(command))?.[1];
  return fail(`${server}: there is no program ${command}${where}`, how ?? 'install it, or write its whole path');
}

const PLACEHOLDER = /\$\{(?:input|env):[^}]+\}/g;

/** Inputs that nobody could be asked for: those a Computer without a terminal starts its servers with. */
export const inputsCheck: Check = {
  id: 'inputs',
  title: 'inputs',
  run: (context) =>
    forEachServer(
      context,
      async (server, { computer, config }) => {
        const placeholders = new Set(JSON.stringify(server.server_parameters).match(PLACEHOLDER) ?? []);
        const problems = await Promise.all([...placeholders].map((text) => whyNoValue(text, computer, config)));
        return problems
          .filter((problem) => problem !== undefined)
          .map(({ why, todo }) => warn(`${server.name}: ${why}`, todo));
      },
      ok('each has a value without asking anybody'),
    ),
};

interface NoValue {
  readonly why: string;
  readonly todo: string;
}

async function whyNoValue(
  placeholder: string,
  computer: Computer,
  { inputs }: ComputerConfig,
): Promise<NoValue | undefined> {
  try {
    await computer.render(placeholder);
    return undefined;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const id = /^\$\{input:(.+)\}$/.exec(placeholder)?.[1];
    if (id === undefined) return { why, todo: 'its server does not start before; nobody is asked for a variable' };
    if (!inputs.has(id)) return { why, todo: 'its server does not start before that is mended' };
    return { why, todo: 'on a terminal a person is asked; a service needs it' };
  }
}

/** Whether MCP servers over HTTP answer at all. They are not logged in to, and get no credentials. */
export const httpServersCheck: Check = {
  id: 'http-servers',
  title: 'HTTP servers',
  run: (context, signal) =>
    forEachServer(
      context,
      async (server, loaded) => {
        if (server.type === 'stdio') return [];
        const url = textOf(await fieldOf('url', server, loaded));
        if (url === undefined) return [];
        if (!URL.canParse(url)) return [fail(`${server.name}: its url is none`, 'mend its url')];
        return [await reached(server.name, new URL(url), { context, signal })];
      },
      skipped('there is none'),
    ),
};

async function reached(
  name: string,
  url: URL,
  { context, signal }: { readonly context: DoctorContext; readonly signal: AbortSignal },
): Promise<Finding> {
  // What identifies this client is for the Server only.
  const { settings } = context.network();
  const network = { ...settings, tlsFor: () => settings.tlsFor('others') };
  const plain = new URL(url.pathname, url.origin);
  try {
    const { status, tookMs } = await probe('OPTIONS', plain, { network, signal, now: context.machine.now });
    if (status >= 500) return warn(`${name}: ${url.host} answers HTTP status ${status}`, 'it is there, but not well');
    return ok(`${name}: ${url.host} answers within ${tookMs} ms`);
  } catch (error) {
    if (signal.aborted) return fail(`${name}: ${url.host} does not answer`, 'does it run, and is a proxy needed?');
    return fail(`${name}: ${url.host}: ${(error as Error).message}`, 'does it run, and is a proxy or --ca needed?');
  }
}
