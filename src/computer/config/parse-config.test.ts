import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.js';
import { mergeConfigs, parseConfig, readConfig } from './parse-config.js';

function errorOf(text: string): ConfigError {
  try {
    parseConfig(text, { file: 'a.json' });
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('no error');
}

describe('parseConfig', () => {
  it('reads a file with byte-order mark, CRLF, comments and trailing commas [F-H-lenient]', () => {
    const text = '\uFEFF{\r\n// a comment\r\n"servers": { "a": { "command": "x", /* b */ "args": ["y",], }, },\r\n}';
    const { config } = parseConfig(text).servers.get('a') ?? {};
    expect(config).toMatchObject({
      name: 'a',
      type: 'stdio',
      disabled: false,
      forbidden_tools: [],
      tool_meta: {},
      server_parameters: { command: 'x', args: ['y'], env: null, cwd: null, encoding: 'utf-8' },
    });
  });

  it('keeps the order of the file, later files winning by name and id', () => {
    const one = parseConfig(
      '{"servers":{"b":{"command":"1"},"a":{"command":"1"}},"inputs":[{"id":"i","type":"promptString"}]}',
    );
    const two = parseConfig(
      '{"mcpServers":{"a":{"url":"http://h"},"c":{"command":"2"}},"inputs":[{"id":"i","type":"promptString","default":"d"}]}',
    );
    const merged = mergeConfigs([one, two]);
    expect([...merged.servers.keys()]).toEqual(['b', 'a', 'c']);
    expect(merged.servers.get('a')?.config.type).toBe('streamable');
    expect(merged.inputs.get('i')).toMatchObject({ default: 'd' });
  });

  it('keeps the order of the text also for names that look like numbers', () => {
    const text = '{"servers":{"10":{"command":"x"},"b":{"command":"x"},"2":{"command":"x"},"-1":{"command":"x"}}}';
    expect([...parseConfig(text).servers.keys()]).toEqual(['10', 'b', '2', '-1']);
    const foreign = '{"mcpServers":{"z":{"command":"x"},"1":{"command":"x"},"0":{"command":"x"}}}';
    const merged = mergeConfigs([parseConfig(text), parseConfig(foreign)]);
    expect([...merged.servers.keys()]).toEqual(['10', 'b', '2', '-1', 'z', '1', '0']);
  });

  it('keeps the order of the text for names of any kind', () => {
    const names = fc.uniqueArray(fc.oneof(fc.nat({ max: 20 }).map(String), fc.string({ minLength: 1 })));
    fc.assert(
      fc.property(
        names.filter((all) => !all.includes('__proto__')),
        (all) => {
          const members = all.map((name) => `${JSON.stringify(name)}:{"command":"x"}`);
          expect([...parseConfig(`{"servers":{${members.join(',')}}}`).servers.keys()]).toEqual(all);
        },
      ),
    );
  });

  it.each([
    [{ command: 'x' }, 'stdio', false],
    [{ url: 'http://h' }, 'streamable', true],
    [{ url: 'http://h', type: 'streamable' }, 'streamable', false],
    [{ url: 'http://h', type: 'http' }, 'streamable', true],
    [{ url: 'http://h', type: 'streamable-http' }, 'streamable', false],
    [{ url: 'http://h', transport: 'sse' }, 'sse', false],
    [{ command: 'x', url: 'http://h', type: 'stdio' }, 'stdio', false],
  ])('reads the mcpServers entry %j as %s', (entry, type, sseFallback) => {
    const server = readConfig({ mcpServers: { a: entry } }).servers.get('a');
    expect(server?.config.type).toBe(type);
    expect(server?.sseFallback).toBe(sseFallback);
  });

  it('takes the type from server_parameters, and the flat form as well as the nested one', () => {
    const nested = readConfig({ servers: { a: { server_parameters: { url: 'http://h', timeout: 'PT9S' } } } });
    const flat = readConfig({ servers: { a: { url: 'http://h', timeout: 'PT9S' } } });
    expect(nested.servers.get('a')).toEqual(flat.servers.get('a'));
    expect(flat.servers.get('a')?.config.server_parameters).toMatchObject({
      timeout: 'PT9S',
      sse_read_timeout: 'PT5M',
    });
  });

  it('counts null as absent, and "enabled": false as disabled', () => {
    const { config } =
      readConfig({ servers: { a: { command: 'x', args: null, disabled: null } } }).servers.get('a') ?? {};
    expect(config).toMatchObject({ disabled: false, server_parameters: { args: [] } });
    expect(readConfig({ mcpServers: { a: { command: 'x', enabled: false } } }).servers.get('a')?.config.disabled).toBe(
      true,
    );
  });

  it('leaves out what other hosts write and names it', () => {
    const server = readConfig({ mcpServers: { a: { command: 'x', autoApprove: ['t'], timeout: 60000 } } }).servers.get(
      'a',
    );
    expect(server?.config).not.toHaveProperty('autoApprove');
    expect(server?.warnings).toEqual([
      '"autoApprove" is not used by this Computer',
      '"timeout" is not used by this Computer',
    ]);
  });

  it('takes any name but __proto__ [F-H-proto]', () => {
    const names = ['constructor', 'a/b', '..', '名字', ' ', 'x'.repeat(200), 'toString'];
    const text = JSON.stringify({ servers: Object.fromEntries(names.map((name) => [name, { command: 'x' }])) });
    expect([...parseConfig(text).servers.keys()]).toEqual(names);
  });

  it.each([
    ['', '', 'a.json: the file is empty'],
    ['{"servers": {', '', 'a.json: not valid JSON at line 1, column 14'],
    ['[]', '', 'expected an object with "servers"'],
    ['{"server":{}}', '', 'neither "servers" nor "mcpServers", only "server"'],
    ['{"servers":[]}', 'servers', 'expected an object keyed by server name'],
    ['{"servers":{"a":1}}', 'servers.a', 'expected an object'],
    ['{"servers":{"a":{}}}', 'servers.a', 'needs "command"'],
    ['{"servers":{"a b":{"command":"secret","url":"secret"}}}', 'servers["a b"]', 'both "command" and "url"'],
    ['{"servers":{"a":{"command":["secret"]}}}', 'servers.a.command', 'expected a string'],
    [
      '{"servers":{"a":{"server_parameters":{"command":7}}}}',
      'servers.a.server_parameters.command',
      'expected a string',
    ],
    ['{"servers":{"a":{"command":"x","env":{"PORT":8080}}}}', 'servers.a.env.PORT', 'expected a string'],
    ['{"servers":{"a":{"command":"x","name":"secret"}}}', 'servers.a.name', 'differs from the key'],
    ['{"servers":{"a":{"type":"secret","command":"x"}}}', 'servers.a.type', 'expected "stdio"'],
    ['{"servers":{"a":{"url":"h","timeout":"secret"}}}', 'servers.a.timeout', 'expected seconds'],
    ['{"servers":{"__proto__":{"command":"x"}}}', 'servers.__proto__', 'cannot be a key'],
    ['{"servers":{"a":{"command":"x","env":{"__proto__":"y"}}}}', 'servers.a.env.__proto__', 'cannot be a key'],
    ['{"servers":{"a":{"command":"x"},"a":{"command":"y"}}}', 'servers.a', 'given twice'],
    ['{"servers":{"a":{"command":"x"}},"mcpServers":{"a":{"command":"y"}}}', 'mcpServers.a', 'remove one'],
    ['{"inputs":{}}', 'inputs', 'expected a list'],
    ['{"inputs":[{"id":"secret","type":"x"}]}', 'inputs[0].type', 'expected "promptString"'],
    ['{"inputs":[{"id":"","type":"promptString"}]}', 'inputs[0].id', 'must not be empty'],
    ['{"inputs":[{"id":"a-b","type":"promptString"},{"id":"A_b","type":"promptString"}]}', 'inputs', 'A2C_SMCP_A_B'],
    ['{"inputs":[{"id":"a","type":"promptString"},{"id":"a","type":"promptString"}]}', 'inputs[1].id', 'another input'],
  ])('refuses %s [R-7.1-name-key]', (text, field, problem) => {
    const error = errorOf(text);
    expect(error.field).toBe(field);
    expect(error.file).toBe('a.json');
    expect(error.message).toContain(problem);
    expect(error.message).not.toContain('secret');
  });

  it('never throws anything but a ConfigError', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.jsonValue().map((v) => JSON.stringify({ servers: v })),
        ),
        (text) => {
          try {
            parseConfig(text);
          } catch (error) {
            expect(error).toBeInstanceOf(ConfigError);
          }
        },
      ),
    );
  });

  it('refuses what nests without end', () => {
    expect(errorOf('['.repeat(100_000)).message).toContain('a.json');
    const cycle: Record<string, unknown> = { command: 'x' };
    cycle['env'] = cycle;
    expect(() => readConfig({ servers: { a: cycle } })).toThrow('nested too deep');
  });
});
