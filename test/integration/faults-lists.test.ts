import { describe, expect, it, vi } from 'vitest';
import type { Diagnostic } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { nextEvent, Office, type OfficeSetup } from '../fixtures/computer/office.js';
import { faulty } from '../fixtures/mcp-servers/faulty.js';

/** An office, and every diagnostic from the first on. */
interface Opened extends AsyncDisposable {
  readonly office: Office;
  readonly diagnostics: Diagnostic[];
}

async function openWith(setup: OfficeSetup): Promise<Opened> {
  const office = await Office.open({ servers: {} });
  const diagnostics: Diagnostic[] = [];
  office.computer.on('diagnostic', (diagnostic) => void diagnostics.push(diagnostic));
  for (const [name, server] of Object.entries(setup.servers ?? {})) await office.computer.addServer(name, server);
  return { office, diagnostics, [Symbol.asyncDispose]: () => office[Symbol.asyncDispose]() };
}

async function toolsOf(office: Office): Promise<JsonObject[]> {
  const { tools } = await office.ask('client:get_tools');
  return tools as JsonObject[];
}

const problemsOf = (diagnostics: readonly Diagnostic[], item: string): string[] =>
  diagnostics.filter((diagnostic) => diagnostic.item === item).map(({ problem }) => problem);

describe('A list of tools', () => {
  it('keeps every tool that has a name, whatever else is wrong with it or with others [F-E-broken-tool]', async () => {
    const object = { type: 'object' };
    const toolList = [
      { name: 'good', inputSchema: object },
      { name: 'dangling', inputSchema: object, outputSchema: { $ref: '#/$defs/nowhere' } },
      { name: 'null schema', inputSchema: null },
      { name: 'no schema' },
      { name: 'anyOf', inputSchema: { anyOf: [object, { type: 'null' }] } },
      { name: 'draft 4', inputSchema: { type: 'object', properties: { a: { minimum: 0, exclusiveMinimum: true } } } },
      { name: 'text schema', inputSchema: 'none' },
      { name: 'not an object', inputSchema: { type: 'string' }, outputSchema: { type: 'array' } },
      { name: 'odd fields', description: 7, title: null, annotations: 'x', _meta: [1], icons: 3, execution: false },
      { name: 'cycle', inputSchema: { $ref: '#' } },
      null,
      [],
      'a text',
      { inputSchema: object },
      { name: 7 },
      { name: '' },
      { name: 'last', inputSchema: object },
    ];
    await using opened = await openWith({ servers: { a: faulty({ toolList }) } });
    const { office, diagnostics } = opened;
    const names = toolList.map((tool) => (tool as { name?: unknown } | null)?.name);
    const good = names.filter((name) => typeof name === 'string' && name !== '');
    const tools = await toolsOf(office);
    expect(tools.map(({ name }) => name)).toEqual(good);
    expect(tools.find(({ name }) => name === 'anyOf')).toMatchObject({ params_schema: { anyOf: [object, {}] } });
    expect(diagnostics.map(({ item, problem }) => [item, problem])).toEqual([
      ['#11', 'left out: it is not an object'],
      ['#12', 'left out: it is not an object'],
      ['#13', 'left out: it is not an object'],
      ['#14', 'left out: its name is not a string'],
      ['#15', 'left out: its name is not a string'],
      ['#16', 'left out: its name is empty'],
    ]);
    for (const tool of good) expect(await office.callJson(String(tool), { tool })).toEqual({ tool });
  });

  it('passes schemas on byte for byte [F-E-schemas]', async () => {
    const inputSchema =
      '{"type":"object","$schema":"http://json-schema.org/draft-04/schema#","properties":{"__proto__":{"type":"string"},"10":{},"2":{"format":"made-up"},"b":{"$ref":"#/$defs/x"},"a":{"anyOf":[{"type":"null"},{"const":null}],"default":1e21}},"required":["b"],"additionalProperties":{"not":{}},"$defs":{"x":{"type":["string","null"],"pattern":"^\\\\p{L}$","enum":["é","路",""]}},"anyOf":[{}],"x-vendor":{"keep":[]}}';
    const outputSchema = '{"oneOf":[{"$ref":"#/$defs/nowhere"},true],"unevaluatedProperties":false,"type":"object"}';
    const parse = (text: string): JsonObject => JSON.parse(text) as JsonObject;
    // Through JSON.parse, numbers such as `10` come before other keys: what the program writes is what must arrive.
    const toolList = [{ name: 't', inputSchema: parse(inputSchema), outputSchema: parse(outputSchema) }] as const;
    await using opened = await openWith({ servers: { a: faulty({ toolList }) } });
    const { office } = opened;
    const [tool] = await toolsOf(office);
    expect(JSON.stringify(tool?.['params_schema'])).toBe(JSON.stringify(toolList[0].inputSchema));
    expect(JSON.stringify(tool?.['return_schema'])).toBe(outputSchema);
  });

  it('ends at a cursor that repeats, with a warning, the new tools of that page kept once [F-E-repeated-cursor]', async () => {
    const setup = faulty({ only: ['echo', 'pid'], extraTools: 5, pageSize: 3, sameCursor: 'again' });
    await using opened = await openWith({ servers: { a: setup } });
    const { office, diagnostics } = opened;
    expect(office.computer.tools().map(({ name }) => name)).toEqual(['echo', 'pid', 'tool-0']);
    expect(problemsOf(diagnostics, '(list)')).toEqual([expect.stringContaining('cursor')]);
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
  });

  it('that never ends is cut at 1,000 pages, with a warning [F-E-paging]', async () => {
    const setup = faulty({ only: ['requests'], extraTools: 50, pageSize: 2, endless: true });
    await using opened = await openWith({ servers: { a: setup } });
    const { office, diagnostics } = opened;
    expect(office.computer.tools()).toHaveLength(51);
    expect(problemsOf(diagnostics, '(list)')).toEqual(['the list has more than 1000 pages']);
    const requests = (await office.callJson('requests')) as string[];
    expect(requests.filter((method) => method === 'tools/list')).toHaveLength(1_000);
  });

  it('names each tool once: a name that comes twice, or that another server has, is a diagnostic [F-E-equal-names] [F-E-deduplicated]', async () => {
    const toolList = ['same', 'same', 'own-1', 'aliased'].map((name, index) => ({ name, description: `${index}` }));
    const other = ['own-1', 'own-2'].map((name) => ({ name, description: 'other' }));
    await using opened = await openWith({
      servers: {
        a: faulty({ toolList }, { tool_meta: { aliased: { alias: 'same' } } }),
        b: faulty({ toolList: other }),
      },
    });
    const { office, diagnostics } = opened;
    const tools = await toolsOf(office);
    expect(tools.map(({ name, description }) => [name, description])).toEqual([
      ['same', '0'],
      ['own-1', '2'],
      ['own-2', 'other'],
    ]);
    expect(problemsOf(diagnostics, 'same')).toEqual([expect.stringContaining('twice')]);
    expect(problemsOf(diagnostics, 'aliased')).toEqual([expect.stringContaining('alias')]);
    expect(problemsOf(diagnostics, 'own-1')).toEqual([expect.stringMatching(/server "a".*alias/)]);
  });

  it('routes an alias to the name that the server knows, with exactly the arguments [F-E-one-router]', async () => {
    const toolList = [{ name: 'constructor' }, { name: '原名' }];
    const meta = { tool_meta: { 原名: { alias: 'alias', auto_apply: true }, constructor: { alias: '别名' } } };
    await using opened = await openWith({ servers: { a: faulty({ toolList }, meta) } });
    const { office } = opened;
    const params = JSON.parse(
      '{"z":1,"__proto__":{"a":[null,1e21,"\\u0000"]},"a":{"constructor":0},"":""}',
    ) as JsonObject;
    for (const alias of ['alias', '别名']) {
      expect(JSON.stringify(await office.callJson(alias, params))).toBe(JSON.stringify(params));
    }
    for (const own of ['原名', 'constructor']) {
      expect(await office.call(own)).toMatchObject({ isError: true, meta: { error_code: 4001 } });
    }
  });

  it('warns of names in the configuration that no tool has [F-H-unknown-tool]', async () => {
    const extra = { forbidden_tools: ['echo', 'ehco'], tool_meta: { toString: { alias: 'x' } } };
    await using opened = await openWith({ servers: { a: faulty({ only: ['echo', 'pid'] }, extra) } });
    const { office, diagnostics } = opened;
    expect(diagnostics.map(({ item, problem }) => [item, problem])).toEqual([
      ['ehco', 'forbidden_tools names a tool that the server does not list'],
      ['toString', 'tool_meta names a tool that the server does not list'],
    ]);
    expect((await toolsOf(office)).map(({ name }) => name)).toEqual(['pid']);
  });

  it('may be empty in the configuration, which is not the same as absent [F-H-empty-or-absent]', async () => {
    const servers = {
      empty: faulty({ toolList: [{ name: 'one' }] }, { forbidden_tools: [], default_tool_meta: {} }),
      absent: faulty({ toolList: [{ name: 'two' }] }, { forbidden_tools: undefined, default_tool_meta: null }),
    };
    await using opened = await openWith({ servers });
    const { office } = opened;
    const config = (await office.ask('client:get_config')) as { servers: Record<string, JsonObject> };
    expect(config.servers['empty']).toMatchObject({ forbidden_tools: [], default_tool_meta: {} });
    expect(config.servers['absent']).toMatchObject({ forbidden_tools: [], default_tool_meta: null });
    // An empty outcome is no metadata, Protocol §7.3.
    for (const { meta } of await toolsOf(office)) expect(meta).toEqual({});
  });
});

describe('A list of resources', () => {
  const broken = [
    { uri: 'window://w/1', name: 'p', annotations: { priority: 5 } },
    { uri: 'window://w/2', name: 'n', annotations: null },
    { uri: 'window://w/3', name: 'a', annotations: { audience: ['agent'] } },
    { uri: 'window://w/4', name: 'l', annotations: { lastModified: '2026-01-15 08:30' } },
    { uri: 'window://w/5', name: 'm', mimeType: null },
    { uri: 'window://w/6', size: 'big', _meta: 7, icons: null },
    null,
    { name: 'no uri' },
    { uri: 9 },
  ];
  const opaque = ['users/me', 'memo:x', 'x_y://a', 'file:///a', 'window://h/c%2Fd', 'window://h/路径', 'A B\t#?%zz'];

  it('keeps every resource that has a URI, broken metadata and all [F-E-broken-resource]', async () => {
    await using opened = await openWith({ servers: { a: faulty({ resources: broken }) } });
    const { office } = opened;
    const page = await office.ask('client:get_resources', { mcp_server: 'a' });
    const shown = broken.map((item) => (item !== null && 'mimeType' in item ? { ...item, mime_type: null } : item));
    expect(page['resources']).toEqual(shown);
    const { desktops } = await office.ask('client:get_desktop');
    expect([...(desktops as string[])].sort()).toEqual(
      [1, 2, 3, 4, 5, 6].map((n) => `window://w/${n}\n\ntext of window://w/${n}`),
    );
  });

  it('has opaque URIs, which come through, are read and are subscribed as they are [F-E-opaque-uris]', async () => {
    const resources = opaque.map((uri) => ({ uri, name: uri }));
    await using opened = await openWith({ servers: { a: faulty({ only: ['requests'], resources }) } });
    const { office } = opened;
    const page = await office.ask('client:get_resources', { mcp_server: 'a' });
    expect((page['resources'] as JsonObject[]).map(({ uri }) => uri)).toEqual(opaque);
    const { desktops } = await office.ask('client:get_desktop');
    const windows = ['window://h/c%2Fd', 'window://h/路径'];
    expect(desktops).toEqual(windows.map((uri) => `${uri}\n\ntext of ${uri}`));
    await vi.waitFor(async () => {
      expect(await office.callJson('requests')).toEqual(
        expect.arrayContaining(windows.flatMap((uri) => [`resources/read ${uri}`, `resources/subscribe ${uri}`])),
      );
    });
    for (const other of ['window://h/c/d', 'window://h/c%2fd', 'window://H/c%2Fd', 'window://h/%E8%B7%AF%E5%BE%84']) {
      expect(await office.ask('client:get_desktop', { window: other })).toMatchObject({ desktops: [] });
    }
  });

  it('shows a window once that is listed twice, and passes pages on as they are [F-E-deduplicated] [F-E-repeated-cursor]', async () => {
    const resources = ['window://w/1', 'window://w/2', 'window://w/1'].map((uri, n) => ({ uri, name: `${n}` }));
    await using opened = await openWith({
      servers: { a: faulty({ resources }), b: faulty({ resources, pageSize: 3, sameCursor: 'c' }) },
    });
    const { office } = opened;
    const { desktops } = await office.ask('client:get_desktop');
    expect(desktops).toHaveLength(4);
    for (const cursor of [undefined, 'c']) {
      const page = await office.ask('client:get_resources', { mcp_server: 'b', cursor });
      expect(page).toMatchObject({ resources, next_cursor: 'c' });
    }
  });
});

describe('A list that cannot be read again', () => {
  it('leaves the tools as they were, and shows the server as degraded [F-I-soft-failure]', async () => {
    await using opened = await openWith({ servers: { a: faulty({ only: ['echo', 'storm'], goodLists: 1 }) } });
    const { office } = opened;
    const unwell = nextEvent(office.computer, 'serverState', ({ state }) => state === 'degraded');
    // The answer comes after what was told of the start.
    await office.call('echo');
    const before = office.notices.length;
    await office.call('storm', { times: 1, add: 1 });
    const [{ reason, tools }] = await unwell;
    expect(reason).toContain('the list is broken');
    expect(tools).toBe(2);
    expect((await toolsOf(office)).map(({ name }) => name)).toEqual(['echo', 'storm']);
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
    expect(office.notices.slice(before).filter((notice) => notice.startsWith('update_tool_list'))).toEqual([]);
  });
});
