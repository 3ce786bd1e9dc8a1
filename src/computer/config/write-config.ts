import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import type { ComputerConfig } from './parse-config.js';
import { readServer, type ConfiguredServer } from './read-server.js';

/** A configuration as a file has it. Protocol §7. */
export interface WrittenConfig {
  readonly inputs: readonly JsonObject[];
  /** By name; an object puts names such as `10` and `2` first, whatever their order. */
  readonly servers: Readonly<Record<string, JsonObject>>;
}

/**
 * A configuration as a file would have it: unresolved, secrets in it in clear, what has a default left out. What
 * `readConfig` makes of it is the same configuration, but for the order of names such as `10`, which
 * {@link configText} keeps.
 */
export function writeConfig({ inputs, servers }: ComputerConfig): WrittenConfig {
  return {
    inputs: [...inputs.values()].map((input) => structuredClone(input) as JsonObject),
    servers: Object.fromEntries([...servers].map(([name, server]) => [name, writeServer(server)])),
  };
}

/** The text of a file that has this configuration; `parseConfig` makes the same configuration of it. */
export function configText(config: ComputerConfig): string {
  const { inputs, servers } = writeConfig(config);
  const entries = [...config.servers.keys()].map(
    (name) => `    ${JSON.stringify(name)}: ${indented(servers[name], '    ')}`,
  );
  const body = entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n  }`;
  return `{\n  "inputs": ${indented(inputs, '  ')},\n  "servers": ${body}\n}\n`;
}

function writeServer({ config, sseFallback, roots }: ConfiguredServer): JsonObject {
  const {
    name,
    type,
    server_parameters: parameters,
    ...rest
  } = structuredClone(config) as JsonObject & {
    name: string;
    server_parameters: JsonObject;
  };
  const key = type === 'stdio' ? 'command' : 'url';
  // What a reader makes of an entry that has nothing but what it needs.
  const { config: plain } = readServer(name, { type, [key]: 'x' }, { section: 'servers' }).server;
  return {
    // The one spelling that lets SSE be tried too.
    type: sseFallback ? 'http' : type,
    server_parameters: withoutDefaults(parameters, plain.server_parameters),
    ...withoutDefaults(rest, plain),
    ...(roots === undefined ? undefined : { roots: roots.map((root) => ({ ...root })) }),
  };
}

function withoutDefaults(fields: JsonObject, plain: JsonObject): JsonObject {
  const own = (field: string): boolean => Object.hasOwn(plain, field);
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) =>
        !(own(field) && field !== 'command' && field !== 'url' && isDeepStrictEqual(value, plain[field])),
    ),
  );
}

function indented(value: unknown, indent: string): string {
  return JSON.stringify(isJsonObject(value) || Array.isArray(value) ? value : null, null, 2).replaceAll(
    '\n',
    `\n${indent}`,
  );
}
