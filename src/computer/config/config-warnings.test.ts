import { describe, expect, it } from 'vitest';
import { mergeConfigs, parseConfig, readConfig, readServerEntry } from './parse-config.js';

const warned = (value: unknown): (string | undefined)[][] =>
  (readConfig(value).warnings ?? []).map(({ field, problem }) => [field, problem]);

const inEntry = (entry: object, section = 'servers'): (string | undefined)[][] => warned({ [section]: { a: entry } });

describe('the warnings of a configuration', () => {
  it.each<[object, string, string]>([
    [
      { url: 'http://h', oauth: { client_idd: 'secret' } },
      'servers.a.oauth.client_idd',
      '"client_idd" is not a known field; did you mean "client_id"?',
    ],
    [{ command: 'x', agrs: ['secret'] }, 'servers.a.agrs', '"agrs" is not a known field; did you mean "args"?'],
    [
      { command: 'x', forbiddenTools: [] },
      'servers.a.forbiddenTools',
      '"forbiddenTools" is not a known field; did you mean "forbidden_tools"?',
    ],
    [{ command: 'x', 'my note': 'secret' }, 'servers.a["my note"]', '"my note" is not a known field; it has no effect'],
    [
      { server_parameters: { command: 'x', environment: {} } },
      'servers.a.server_parameters.environment',
      '"environment" is not a known field; did you mean "env"?',
    ],
    [
      { server_parameters: { command: 'x', disabled: true } },
      'servers.a.server_parameters.disabled',
      '"disabled" is not read here; move it out of "server_parameters"',
    ],
    [
      { server_parameters: { command: 'x' }, env: { A: 'secret' } },
      'servers.a.env',
      '"env" is not read here; move it into "server_parameters"',
    ],
    [{ command: 'x', headers: {} }, 'servers.a.headers', '"headers" is not used by a server of type "stdio"'],
    [
      { url: 'http://h', envFile: '.env' },
      'servers.a.envFile',
      '"envFile" is not used by a server of type "streamable"',
    ],
    [
      { type: 'sse', url: 'http://h', terminate_on_close: true },
      'servers.a.terminate_on_close',
      '"terminate_on_close" is not used by a server of type "sse"',
    ],
    [
      { command: 'x', default_tool_meta: { autoApply: true } },
      'servers.a.default_tool_meta.autoApply',
      '"autoApply" means nothing here; did you mean "auto_apply"?',
    ],
    [
      { command: 'x', tool_meta: { 'a/b': { aliass: 'y', mine: 1 } } },
      'servers.a.tool_meta["a/b"].aliass',
      '"aliass" means nothing here; did you mean "alias"?',
    ],
    [
      { command: 'x', sandboxEnabled: true },
      'servers.a.sandboxEnabled',
      '"sandboxEnabled" is not used: this Computer does not confine MCP servers',
    ],
    [
      { command: 'x', args: ['--root', '${workspaceFolder}/data'] },
      'servers.a.args',
      '"args" holds ${workspaceFolder}, which only VS Code fills in; write its value, or use ${env:NAME} or ${input:ID}',
    ],
    [
      { command: 'x', env: { A: '${config:secret}' } },
      'servers.a.env',
      '"env" holds ${config:…}, which only VS Code fills in; write its value, or use ${env:NAME} or ${input:ID}',
    ],
  ])('%j', (entry, field, problem) => {
    expect(inEntry(entry)).toEqual([[field, problem]]);
  });

  it('say nothing of what is right, nor of what VS Code keeps for itself', () => {
    const fine = {
      type: 'stdio',
      command: 'x',
      args: ['${input:i}', '${HOME}'],
      env: { A: '${env:A}' },
      envFile: '${workspaceFolder}/.env',
      dev: { watch: '**/*.ts', debug: { type: 'node' } },
      gallery: true,
      version: '1.0.0',
      sandboxEnabled: false,
      tool_meta: { t: { auto_apply: null, alias: 'b', tags: [], ret_object_mapper: {}, icon: 'mine' } },
    };
    expect(inEntry(fine)).toEqual([]);
    const { config } = readServerEntry('a', fine);
    for (const field of ['dev', 'gallery', 'version']) expect(config).not.toHaveProperty(field);
    expect(warned({ $schema: 'x', inputs: [], servers: {}, mcpServers: {} })).toEqual([]);
  });

  it('keep a field that is not known, as the protocol asks', () => {
    const { config, warnings } = readServerEntry('a', { command: 'x', later: { a: 1 } });
    expect(config).toMatchObject({ later: { a: 1 } });
    expect(warnings).toEqual(['"later" is not a known field; it has no effect']);
  });

  it('name what the mcpServers form leaves out', () => {
    expect(inEntry({ command: 'x', autoApprove: [], timeout: 60_000, commands: [] }, 'mcpServers')).toEqual([
      ['mcpServers.a.autoApprove', '"autoApprove" is not used by this Computer'],
      ['mcpServers.a.timeout', '"timeout" is not used by this Computer'],
      ['mcpServers.a.commands', '"commands" is not used by this Computer; did you mean "command"?'],
    ]);
  });

  it('name fields of the document and of inputs', () => {
    const value = {
      input: [],
      theme: 'secret',
      shortcuts: 1,
      sandbox: {},
      servers: {},
      inputs: [
        { id: 'a', type: 'promptString', pasword: true },
        { id: 'b', type: 'pickString', options: ['o'], default: 'p', note: 'x' },
      ],
    };
    expect(warned(value)).toEqual([
      ['input', '"input" is not a known field; did you mean "inputs"?'],
      ['sandbox', '"sandbox" is not used: this Computer does not confine MCP servers'],
      ['', 'not used by this Computer: "theme", "shortcuts"'],
      ['inputs[0].pasword', '"pasword" is not a known field of a promptString input; did you mean "password"?'],
      ['inputs[1].note', '"note" is not a known field of a pickString input; it has no effect'],
      ['inputs[1].default', '"default" is not one of the "options" and cannot become the value'],
    ]);
  });

  it('name file and server, and go when another file replaces the server', () => {
    const one = parseConfig('{"x":1,"servers":{"a":{"command":"x","agrs":[]}}}', { file: 'one.json' });
    const two = parseConfig('{"servers":{"a":{"command":"y"}}}', { file: 'two.json' });
    expect(one.warnings).toMatchObject([
      { file: 'one.json', field: '' },
      { file: 'one.json', field: 'servers.a.agrs', server: 'a' },
    ]);
    expect(one.servers.get('a')?.warnings).toHaveLength(1);
    expect(mergeConfigs([one, two]).warnings).toMatchObject([{ file: 'one.json', field: '' }]);
    expect(mergeConfigs([two, one]).warnings).toHaveLength(2);
  });
});

describe('the errors of a configuration', () => {
  it.each<[unknown, string]>([
    [{ servers: { a: { comand: 'x' } } }, '; did you mean "command" by "comand"?'],
    [{ servers: { a: { server_parameters: { serverUrl: 'http://h' } } } }, '; did you mean "url" by "serverUrl"?'],
    [
      { servers: { a: { type: 'htpp', url: 'http://h' } } },
      'servers.a.type: expected "stdio", "sse" or "streamable" (also "http"); did you mean "http"?',
    ],
    [{ servers: { a: { transport: 'stdoi', command: 'x' } } }, 'servers.a.transport: expected "stdio"'],
    [{ server: { a: { command: 'x' } } }, 'only "server"; did you mean "servers"?'],
    [
      { inputs: [{ id: 'a', type: 'promptstring' }] },
      'inputs[0].type: expected "promptString", "pickString" or "command"; did you mean "promptString"?',
    ],
    [
      { inputs: [{ id: 'a', type: 'promptString', password: 'true' }] },
      'inputs[0].password: expected true or false, got a string; write true or false without quotes',
    ],
    [{ inputs: ['a'] }, 'inputs[0]: '],
    [
      { servers: { a: { command: 'x', args: 'y' } } },
      'servers.a.args: expected a list of strings, got a string; put it in [ ]',
    ],
    [
      { servers: { a: { command: 'x', args: [1] } } },
      'servers.a.args[0]: expected a string, got a number; put it in quotes',
    ],
    [
      { servers: { a: { command: ['x', 'y'] } } },
      'servers.a.command: expected a string, got a list; what follows the program belongs in "args"',
    ],
    [
      { servers: { a: { command: 'x', env: ['A=1'] } } },
      'servers.a.env: expected an object of strings, got a list; write { "NAME": "value" }',
    ],
    [{ servers: { a: { command: 'x', disabled: 'yes' } } }, 'servers.a.disabled: expected true or false, got a string'],
    [{ servers: { a: { command: 'x', enabled: 'no' } } }, 'servers.a.enabled: expected true or false, got a string'],
    [{ servers: { a: { type: 'stdio' } } }, 'servers.a.command: expected a string, which is missing'],
    [
      { servers: { a: { command: 'x', default_tool_meta: { auto_apply: 'true' } } } },
      'servers.a.default_tool_meta.auto_apply: expected true or false, got a string',
    ],
    [
      { servers: { a: { command: 'x', tool_meta: { t: { tags: 'x' } } } } },
      'servers.a.tool_meta.t.tags: expected a list of strings, got a string; put it in [ ]',
    ],
    [
      { servers: { a: { command: 'x', tool_meta: { t: { alias: 1 } } } } },
      'servers.a.tool_meta.t.alias: expected a string, got a number',
    ],
    [
      { servers: { a: { command: 'x', tool_meta: { t: true } } } },
      'servers.a.tool_meta.t: expected an object, got a boolean',
    ],
  ])('%j', (value, problem) => {
    expect(() => readConfig(value)).toThrow(problem);
  });
});

describe("VS Code's form", () => {
  it('is read as it stands', () => {
    const text = `{
      // .vscode/mcp.json
      "inputs": [{ "type": "promptString", "id": "key", "description": "API key", "password": true }],
      "servers": {
        "local": { "type": "stdio", "command": "npx", "args": ["-y", "x"], "env": { "K": "\${input:key}" }, "cwd": "/x" },
        "remote": { "type": "http", "url": "https://h/mcp", "headers": { "Authorization": "Bearer \${input:key}" } },
        "older": { "type": "sse", "url": "https://h/sse" },
      },
    }`;
    const { inputs, servers, warnings } = parseConfig(text);
    expect([...inputs.keys()]).toEqual(['key']);
    expect([...servers.values()].map(({ config, sseFallback }) => [config.name, config.type, sseFallback])).toEqual([
      ['local', 'stdio', false],
      ['remote', 'streamable', true],
      ['older', 'sse', false],
    ]);
    expect(warnings).toEqual([]);
  });
});
