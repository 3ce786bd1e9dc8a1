import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/protocol/index.js';
import { parseConfig, type ComputerConfig } from '../../src/computer/index.js';
import { floodServer, packageServer, rawServer, type Program } from '../support/mcp-servers.js';
import type { Chance } from './random.js';

/** One kind of server, and what the load can call there. */
interface Member {
  readonly entry: JsonObject;
  /** Tools that answer with their arguments as JSON. */
  readonly echo?: string;
  /** Other tools that can be called, with arguments for each. */
  readonly calls?: readonly (readonly [tool: string, args: JsonObject])[];
  /** A tool that gives the names of all tools of the server, and what the names of those begin with that come and go. */
  readonly names?: { readonly tool: string; readonly prefix: string };
  /** It never runs, whatever one does. */
  readonly dead?: boolean;
}

/** Everything that the Computer hosts in a soak. */
export interface Fleet extends Disposable {
  readonly members: Readonly<Record<string, Member>>;
  /** The configuration with everything in it. */
  whole(): ComputerConfig;
  /** A configuration that differs from that at random. */
  variant(chance: Chance): ComputerConfig;
  /** The entry of one server, changed at random or not. */
  entry(name: string, chance: Chance): JsonObject;
}

/** What the tools of the hand-written servers are good for in a soak. */
const RAW_CALLS: readonly (readonly [tool: string, args: JsonObject])[] = [
  ['slow', { ms: 150 }],
  ['slow', { ms: 1_500 }],
  ['hang', {}],
  ['progress', { steps: 50 }],
  ['big', { bytes: 200_000 }],
  ['big', { bytes: 1_500_000 }],
  ['storm', { times: 200, add: 1 }],
  ['storm', { times: 200, add: -1 }],
  ['storm', { times: 50, kind: 'resources' }],
  ['noisy', {}],
  ['null-result', {}],
  ['string-id', {}],
  ['error', {}],
  ['die', { code: 7 }],
  ['kill-self', {}],
];
const RAW_TOOLS = ['echo', 'names', ...new Set(RAW_CALLS.map(([tool]) => tool))];

/** A hand-written server whose tools have names of their own. */
function raw(name: string, options: JsonObject = {}): Member {
  const prefix = `${name}-extra-`;
  const program = rawServer({ only: RAW_TOOLS, extraName: prefix, ...options });
  const alias = (tool: string): string => `${name}-${tool}`;
  const toolMeta = Object.fromEntries(RAW_TOOLS.map((tool) => [tool, { alias: alias(tool) }]));
  return {
    entry: entryOf(program, { tool_meta: toolMeta }),
    echo: alias('echo'),
    names: { tool: alias('names'), prefix },
    calls: RAW_CALLS.map(([tool, args]) => [alias(tool), args]),
  };
}

function entryOf({ command, args }: Program, extra: JsonObject = {}): JsonObject {
  return { command, args: [...args], default_tool_meta: { auto_apply: true }, ...extra };
}

function httpMember(url: string, prefix: string): Member {
  const tools = ['echo', 'slow', 'hang', 'storm', 'names'];
  const toolMeta = Object.fromEntries(tools.map((tool) => [`http-${tool}`, { alias: `${prefix}-${tool}` }]));
  return {
    entry: { type: 'http', url, default_tool_meta: { auto_apply: true }, tool_meta: toolMeta },
    echo: `${prefix}-echo`,
    names: { tool: `${prefix}-names`, prefix: `${new URL(url).port}-extra-` },
    calls: [
      [`${prefix}-slow`, { ms: 200 }],
      [`${prefix}-hang`, {}],
      [`${prefix}-storm`, { times: 50 }],
    ],
  };
}

function packages(folder: string): Record<string, Member> {
  const everything = packageServer('@modelcontextprotocol/server-everything', 'stdio');
  const files = packageServer('@modelcontextprotocol/server-filesystem', folder);
  const memory = packageServer('@modelcontextprotocol/server-memory');
  const env = { MEMORY_FILE_PATH: join(folder, 'memory.json') };
  return {
    everything: { entry: entryOf(everything), calls: [['get-sum', { a: 2, b: 40 }]] },
    memory: { entry: entryOf(memory, { env }), calls: [['read_graph', {}]] },
    files: { entry: entryOf(files), calls: [['list_directory', { path: folder }]] },
  };
}

function membersOf(folder: string, urls: readonly string[]): Record<string, Member> {
  const http = urls.map((url, index) => [`http-${index}`, httpMember(url, `http-${index}`)] as const);
  return {
    calm: raw('calm'),
    loud: raw('loud', { banner: true, stderrBytes: 200_000 }),
    stubborn: raw('stubborn', { stubborn: true }),
    parent: raw('parent', { grandchild: 1_800 }),
    broken: raw('broken', { brokenItems: true, pageSize: 4 }),
    sluggish: raw('sluggish', { initDelay: 700, lateTool: true }),
    chatty: raw('chatty', { changeInList: true }),
    flood: { entry: entryOf(floodServer({ bytesPerSecond: 200_000 })) },
    dying: { entry: entryOf(rawServer({ dieAtOnce: 3 })), dead: true },
    missing: { entry: { command: 'a2c-there-is-no-such-program', args: [] }, dead: true },
    ...packages(folder),
    ...Object.fromEntries(http),
  };
}

/** A server's entry, changed at random in one of the ways that matter, or in none. */
function changed(entry: JsonObject, chance: Chance): JsonObject {
  const roll = chance.next();
  if (roll < 0.2 && entry['url'] === undefined) {
    const env = { ...(entry['env'] as JsonObject | undefined), SOAK_GENERATION: String(chance.integer(1, 9)) };
    return { ...entry, env };
  }
  if (roll < 0.3) return { ...entry, disabled: true };
  if (roll < 0.4) return { ...entry, forbidden_tools: [chance.pick(RAW_TOOLS)] };
  return entry;
}

/**
 * Makes the fleet.
 *
 * @param urls - of the HTTP servers.
 * @param env - added to the environment of every child.
 */
export function makeFleet(urls: readonly string[], env: Readonly<Record<string, string>>): Fleet {
  const folder = mkdtempSync(join(tmpdir(), 'a2c-soak-'));
  writeFileSync(join(folder, 'memory.json'), '');
  const members = membersOf(folder, urls);
  const read = (entries: readonly (readonly [string, JsonObject])[]): ComputerConfig =>
    parseConfig(JSON.stringify({ servers: Object.fromEntries(entries.map(([name, entry]) => [name, marked(entry)])) }));
  const marked = (entry: JsonObject): JsonObject =>
    entry['url'] === undefined ? { ...entry, env: { ...env, ...(entry['env'] as JsonObject | undefined) } } : entry;
  const entries = Object.entries(members).map(([name, { entry }]) => [name, entry] as const);
  return {
    members,
    whole: () => read(entries),
    entry: (name, chance) => marked(changed(members[name]?.entry ?? {}, chance)),
    variant: (chance) => {
      const kept = entries.filter(() => !chance.happens(0.12));
      const turned = chance.happens(0.3) ? kept.toReversed() : kept;
      return read(turned.map(([name, entry]) => [name, changed(entry, chance)] as const));
    },
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
