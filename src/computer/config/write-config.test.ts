import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import { parseConfig, readConfig, type ComputerConfig } from './parse-config.js';
import { configText, writeConfig } from './write-config.js';

const word = fc.string({
  unit: fc.constantFrom('a', 'B', '_', '-', '7', ' ', '"', '\\', '\n', '名', '$'),
  minLength: 1,
  maxLength: 6,
});
const text = fc.oneof(word, fc.constant('${input:token}'), fc.constant('Bearer ${input:token} ${env:HOME}'));
const texts = fc.dictionary(word, text, { maxKeys: 3 });
const meta = fc.record(
  {
    auto_apply: fc.boolean(),
    alias: word,
    tags: fc.array(word, { maxLength: 2 }),
    extra: fc.constantFrom<unknown>(0, [null, { deep: [] }], { a: { b: null } }),
  },
  { requiredKeys: [] },
);
const base = {
  disabled: fc.boolean(),
  forbidden_tools: fc.array(word, { maxLength: 2 }),
  tool_meta: fc.dictionary(word, meta, { maxKeys: 2 }),
  default_tool_meta: meta,
  vrl: fc.constantFrom('', '.x = 1\n'),
  'x-own': fc.constantFrom<unknown>(1, { deep: [true] }),
  roots: fc.array(fc.constantFrom<unknown>('file:///data', { uri: 'file:///b', name: 'B' }), { maxLength: 2 }),
};
const duration = fc.constantFrom<unknown>(5, 'PT5M', 'PT30S', 0.5);
const stdio = {
  ...base,
  command: text.filter((value) => value.trim() !== ''),
  args: fc.array(text, { maxLength: 3 }),
  env: texts,
  cwd: text,
  encoding: fc.constantFrom('utf-8', 'latin1'),
  envFile: fc.constantFrom('/etc/a.env', '~/b.env'),
};
const web = {
  ...base,
  url: fc.constantFrom('https://x.example/mcp', 'https://u:${input:token}@x.example/'),
  type: fc.constantFrom('sse', 'streamable', 'http', 'streamable-http'),
  headers: texts,
  timeout: duration,
  sse_read_timeout: duration,
};
const server: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record(stdio, { requiredKeys: ['command'] }),
  fc.record(web, { requiredKeys: ['url'] }),
);
const input = fc.oneof(
  fc.record(
    { type: fc.constant('promptString'), description: word, default: text, password: fc.boolean() },
    { requiredKeys: ['type', 'description'] },
  ),
  fc.record({
    type: fc.constant('pickString'),
    description: word,
    options: fc.array(word, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    type: fc.constant('command'),
    description: word,
    command: fc.constant('printf'),
    args: fc.oneof(fc.array(text), texts),
  }),
);
const names = fc.uniqueArray(fc.oneof(word, fc.constantFrom('10', '2', 'constructor')), { maxLength: 4 });
const configuration = fc
  .tuple(names, fc.array(server, { minLength: 4, maxLength: 4 }), fc.array(input, { maxLength: 3 }))
  .map(([keys, servers, inputs]) => {
    const entries = keys.map((key, index) => `${JSON.stringify(key)}: ${JSON.stringify(servers[index])}`);
    const definitions = inputs.map((one, index) => ({ id: ['token', 'b', 'c'][index], ...one }));
    return parseConfig(`{ "servers": { ${entries.join(', ')} }, "inputs": ${JSON.stringify(definitions)} }`);
  });

/** What counts of a configuration; what was to be said about its text has been said. */
function essence({ inputs, servers }: ComputerConfig): unknown {
  const plain = [...servers].map(([name, { config, sseFallback, roots }]) => ({ name, config, sseFallback, roots }));
  return { inputs: [...inputs], servers: plain };
}

describe('configText', () => {
  it('is read as the configuration that it was made from, with servers in order', () => {
    fc.assert(
      fc.property(configuration, (config) => {
        expect(essence(parseConfig(configText(config)))).toEqual(essence(config));
      }),
      { numRuns: 200 },
    );
  });

  it('is written as a person would', () => {
    const config = readConfig({
      servers: { files: { command: 'npx', args: ['x'], disabled: true, vrl: null }, web: { url: 'https://x.example' } },
      inputs: [{ type: 'promptString', id: 'token', description: 'T' }],
    });
    expect(configText(config)).toBe(`{
  "inputs": [
    {
      "id": "token",
      "description": "T",
      "type": "promptString"
    }
  ],
  "servers": {
    "files": {
      "type": "stdio",
      "server_parameters": {
        "command": "npx",
        "args": [
          "x"
        ]
      },
      "disabled": true
    },
    "web": {
      "type": "http",
      "server_parameters": {
        "url": "https://x.example"
      }
    }
  }
}
`);
  });
});

describe('writeConfig', () => {
  it('is read as the same servers and inputs', () => {
    fc.assert(
      fc.property(configuration, (config) => {
        const again = readConfig(writeConfig(config));
        expect(again.inputs).toEqual(config.inputs);
        const servers = (one: ComputerConfig): unknown =>
          Object.fromEntries(
            [...one.servers].map(([name, { config: read, sseFallback, roots }]) => [
              name,
              { read, sseFallback, roots },
            ]),
          );
        expect(servers(again)).toEqual(servers(config));
      }),
      { numRuns: 200 },
    );
  });

  it('gives a copy', () => {
    const config = readConfig({ servers: { a: { command: 'x', tool_meta: { t: { tags: ['one'] } } } } });
    const written = writeConfig(config) as unknown as { servers: { a: { tool_meta: { t: { tags: string[] } } } } };
    written.servers.a.tool_meta.t.tags.push('two');
    expect(config.servers.get('a')?.config.tool_meta['t']?.tags).toEqual(['one']);
  });
});
