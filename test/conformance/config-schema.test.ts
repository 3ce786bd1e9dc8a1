import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import fc from 'fast-check';
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  DOCUMENT,
  ENTRY,
  FOREIGN_PARAMETERS,
  HOST_ONLY,
  INPUTS_BY_TYPE,
  PARAMETERS,
  PARAMETERS_BY_TYPE,
  TOOL_META,
  TYPES,
} from '../../src/computer/config/known-fields.js';
import { OAUTH_FIELDS } from '../../src/computer/login/index.js';
import { ConfigError, parseConfig, readConfig } from '../../src/computer/index.js';
import {
  mcpServerConfigSchema,
  mcpServerInputSchema,
  parseDuration,
  sseServerConfigSchema,
  stdioServerConfigSchema,
  streamableServerConfigSchema,
} from '../../src/protocol/index.js';

interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const root = join(import.meta.dirname, '..', '..');
const schema = JSON.parse(readFileSync(join(root, 'schemas/computer-config.schema.json'), 'utf8')) as JsonSchema;
const validate = new AjvJsonSchemaValidator().getValidator(schema);

function part(name: string): JsonSchema {
  const found = schema.$defs?.[name];
  if (found === undefined) throw new Error(`no $defs/${name}`);
  return found;
}

/** What people read, and what narrows a value further than its type, is the file's own. */
const OWN = ['description', 'examples', 'pattern', 'minimum', 'minItems', 'propertyNames'];

/** The rest of a schema, as it would stand in one made by zod. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([keyword]) => !OWN.includes(keyword));
  return Object.fromEntries(kept.map(([keyword, inner]) => [keyword, bare(inner)]));
}

function without<T>(object: Readonly<Record<string, T>>, fields: readonly string[]): Record<string, T> {
  return Object.fromEntries(Object.entries(object).filter(([field]) => !fields.includes(field)));
}

function zodProperties(source: z.ZodType): Readonly<Record<string, JsonSchema>> {
  const { properties = {} } = z.toJSONSchema(source, { io: 'input', unrepresentable: 'any' }) as unknown as JsonSchema;
  return properties;
}

const SERVERS = [
  ['stdio', 'stdioParameters', stdioServerConfigSchema],
  ['sse', 'sseParameters', sseServerConfigSchema],
  ['streamable', 'streamableParameters', streamableServerConfigSchema],
] as const;

describe('schemas/computer-config.schema.json', () => {
  it.each(SERVERS)('has the parameters of %s as the Computer reads them [R-7.1-defaults]', (type, name, source) => {
    const { properties = {}, required } = part(name);
    expect(Object.keys(properties).sort()).toEqual([...PARAMETERS_BY_TYPE[type]].sort());
    // VS Code's and ours, not the protocol's.
    const ofTheProtocol = without(properties, ['envFile', 'oauth']);
    const parameters = zodProperties(source)['server_parameters'];
    expect(bare(ofTheProtocol)).toEqual(bare(parameters?.properties));
    expect(required).toEqual(parameters?.required);
  });

  it('has the common fields as the Computer reads them', () => {
    const common = without(zodProperties(stdioServerConfigSchema), ['type', 'server_parameters']);
    const { properties = {} } = part('server');
    const written = JSON.parse(JSON.stringify(properties), (key, value: unknown) =>
      key === '$ref' ? undefined : value,
    ) as Record<string, JsonSchema>;
    for (const [field, expected] of Object.entries(common)) expect(bare(written[field]), field).toEqual(bare(expected));
    const known = [...new Set([...ENTRY, ...PARAMETERS, ...HOST_ONLY])];
    expect(Object.keys(properties).sort()).toEqual(known.sort());
    const foreign = [...new Set([...ENTRY, ...FOREIGN_PARAMETERS])];
    expect(Object.keys(part('foreignServer').properties ?? {}).sort()).toEqual(foreign.sort());
    expect(properties['type']).toMatchObject({ enum: [...TYPES.keys()] });
    expect(mcpServerConfigSchema.options).toHaveLength(SERVERS.length);
  });

  it('has document, inputs and tool metadata as the Computer reads them', () => {
    expect(Object.keys(schema.properties ?? {}).sort()).toEqual([...DOCUMENT].sort());
    expect(Object.keys(part('toolMeta').properties ?? {}).sort()).toEqual([...TOOL_META].sort());
    const types = Object.keys(INPUTS_BY_TYPE);
    expect(part('input').properties?.['type']).toMatchObject({ enum: types });
    expect(mcpServerInputSchema.options).toHaveLength(types.length);
    for (const [index, [type, fields]] of Object.entries(INPUTS_BY_TYPE).entries()) {
      const { properties = {} } = part(`${type}Input`);
      expect(bare(properties)).toEqual(bare(zodProperties(mcpServerInputSchema.options[index] ?? z.never())));
      expect(Object.keys(properties).sort()).toEqual([...fields].sort());
    }
  });

  it('has the fields of a login as the Computer reads them', () => {
    const [, object] = part('oauth')['anyOf'] as JsonSchema[];
    expect(Object.keys(object?.properties ?? {}).sort()).toEqual([...OAUTH_FIELDS].sort());
  });

  it('describes every field', () => {
    const silent: string[] = [];
    const look = (value: unknown, path: string): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [key, inner] of Object.entries(value)) {
        const here = `${path}/${key}`;
        if (/\/properties\/(?!type\b)[^/]+$/.test(here) && !/\/(if|then|else|not)\//.test(here)) {
          if (typeof (inner as JsonSchema)['description'] !== 'string') silent.push(here);
        }
        look(inner, here);
      }
    };
    look(schema, '');
    expect(silent).toEqual([]);
  });

  it('takes the durations that the Computer takes', () => {
    const pattern = new RegExp(String(part('sseParameters').properties?.['timeout']?.['pattern']));
    const letters = fc.string({ unit: fc.constantFrom('P', 'T', 'D', 'H', 'M', 'S', '1', '30', '.5', ' ') });
    fc.assert(
      fc.property(letters, (text) => {
        expect(pattern.test(text)).toBe(parseDuration(text) !== undefined);
      }),
      { examples: [['PT30S'], ['PT5M'], ['P1DT1H'], ['P1D'], ['P'], ['PT'], ['5'], ['.5'], ['1.5'], ['']] },
    );
  });

  const page = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
  const examples = [...page.matchAll(/```jsonc?\n([\s\S]*?)```/g)].map(([, text = '']) => text);

  it.each(examples)('takes the example of the documentation, as the Computer does without a word: %s', (text) => {
    expect(validate(parseJsonc(text))).toMatchObject({ valid: true });
    expect(parseConfig(text).warnings).toEqual([]);
  });

  it.each<object>([
    {},
    { $schema: './x.json', servers: { a: { command: 'x' } } },
    { servers: { a: { type: 'http', url: 'http://h' }, b: { type: 'stdio', command: 'x', envFile: '.env', dev: {} } } },
    { servers: { a: { type: 'sse', server_parameters: { url: 'http://h', timeout: 'PT9S' } } } },
    { servers: { a: { server_parameters: { command: 'x', env: null } }, constructor: { command: 'x' } } },
    { mcpServers: { a: { command: 'x', autoApprove: ['t'], timeout: 60_000 } } },
    { servers: { a: { command: 'x', tool_meta: { t: { alias: 'b', mine: 1 } } } } },
    { servers: { a: { command: 'x', roots: ['.', '~/x', 'file:///y', 'c:\\x', { uri: 'file:///z', name: 'Z' }] } } },
    { mcpServers: { a: { url: 'http://h', roots: [] } } },
    { inputs: [{ id: 'a', type: 'command', command: 'x', args: { '--a': 'b' } }] },
    { inputs: [{ id: 'a', type: 'command', command: 'x y | z', args: ['${input:b}'], shell: true, timeout: 'PT9S' }] },
    { inputs: [{ id: 'a', type: 'command', command: '${env:X}', args: ['${input:b}'], shell: false, timeout: 9 }] },
    { servers: { a: { command: 'x', args: ['${env:A}'], cwd: '${env:HOME}/b' } } },
  ])('takes what the Computer takes: %j', (value) => {
    expect(validate(value)).toMatchObject({ valid: true });
    expect(() => readConfig(value)).not.toThrow();
  });

  it.each<unknown>([
    [],
    { server: {} },
    { servers: [] },
    { servers: { a: 1 } },
    { servers: { a: {} } },
    { servers: { '': { command: 'x' } } },
    { servers: { a: { comand: 'x' } } },
    { servers: { a: { command: 'x', agrs: [] } } },
    { servers: { a: { command: '' } } },
    { servers: { a: { command: 'x', args: 'y' } } },
    { servers: { a: { command: 'x', env: { PORT: 8080 } } } },
    { servers: { a: { command: 'x', envFile: '' } } },
    { servers: { a: { command: 'x', disabled: 'yes' } } },
    { servers: { a: { command: 'x', tool_meta: { t: { auto_apply: 'yes' } } } } },
    { servers: { a: { command: 'x', default_tool_meta: true } } },
    { servers: { a: { command: 'x', roots: '.' } } },
    { servers: { a: { command: 'x', roots: [' '] } } },
    { servers: { a: { command: 'x', roots: ['http://h/x'] } } },
    { servers: { a: { command: 'x', roots: ['file:x'] } } },
    { servers: { a: { command: 'x', roots: [{ name: 'x' }] } } },
    { servers: { a: { server_parameters: { command: 'x', roots: [] } } } },
    { servers: { a: { type: 'htpp', url: 'http://h' } } },
    { servers: { a: { type: 'stdio', url: 'http://h' } } },
    { servers: { a: { type: 'http', command: 'x' } } },
    { servers: { a: { url: 'http://h', timeout: 'soon' } } },
    { servers: { a: { url: 'http://h', timeout: -1 } } },
    { servers: { a: { command: 'x', server_parameters: { command: 'x' } } } },
    { servers: { a: { args: ['x'], server_parameters: { command: 'x' } } } },
    { servers: { a: { type: 'stdio', server_parameters: { url: 'http://h' } } } },
    { servers: { a: { server_parameters: { command: 'x', agrs: [] } } } },
    { mcpServers: { a: { autoApprove: [] } } },
    { mcpServers: { a: { command: 7 } } },
    { inputs: {} },
    { inputs: [{ id: 'a' }] },
    { inputs: [{ id: 'a', type: 'prompt' }] },
    { inputs: [{ type: 'promptString' }] },
    { inputs: [{ id: 'a', type: 'pickString' }] },
    { inputs: [{ id: 'a', type: 'promptString', pasword: true }] },
    { inputs: [{ id: 'a', type: 'pickString', options: [] }] },
    { inputs: [{ id: 'a', type: 'command', command: 'x', args: 'y' }] },
    { inputs: [{ id: 'a', type: 'command', command: 'x', timeout: 'soon' }] },
    { inputs: [{ id: 'a', type: 'command', command: 'x', timeout: -1 }] },
    { inputs: [{ id: 'a', type: 'command', command: 'x', shell: 'bash' }] },
    { inputs: [{ id: 'a', type: 'command', command: 'x ${env:A}', shell: true }] },
  ])('marks what the Computer refuses or warns of: %j', (value) => {
    expect(validate(value)).toMatchObject({ valid: false });
    expect(complaintsOf(value)).toBeGreaterThan(0);
  });
});

function complaintsOf(value: unknown): number {
  try {
    return readConfig(value).warnings?.length ?? 0;
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return 1;
  }
}
