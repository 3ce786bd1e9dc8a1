import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FileDpeResolver, type Diagnostic, type DpeResolver } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { Office, officeServer, packageServer } from '../fixtures/computer/office.js';

const DOCUMENT = 'dpe://com.docs/report';
const resources = [
  {
    uri: DOCUMENT,
    name: 'r',
    mimeType: 'application/json',
    annotations: { lastModified: '2026-01-15 08:30' },
    'x-new': 1,
  },
  { uri: DOCUMENT, name: 'again', annotations: { priority: 5 } },
  { uri: 'users/me', name: 'no scheme', mimeType: null },
  { uri: 'window://h/c%2Fd', name: 'w', annotations: null },
  { uri: 'window://shared.host/1', name: 's' },
];
const contents = {
  [DOCUMENT]: [{ uri: DOCUMENT, mimeType: 'application/json', text: '{"pages":[]}' }],
  'dpe://com.docs/empty': [],
};

describe('What a Computer answers beside tool calls', () => {
  let office: Office;
  let folder = '';
  const diagnostics: Diagnostic[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'computer-requests-'));
    office = await Office.open({
      inputs: [
        { id: 'key', type: 'promptString', description: 'd', password: true, default: 'canary-default' },
        { id: 'never', type: 'promptString' },
      ],
      servers: {
        docs: officeServer(
          { resources, contents, pageSize: 3, templates: [{ uriTemplate: 'dpe://com.template/{id}', name: 't' }] },
          { tool_meta: { echo: { auto_apply: false, tags: ['x'], ret_object_mapper: { a: 'b.c' }, mine: [1] } } },
        ),
        other: officeServer({
          only: [],
          resources: [
            { uri: 'dpe://shared.host/x', name: 'x' },
            { uri: DOCUMENT, name: 'r' },
          ],
        }),
        bare: officeServer({ only: [], capabilities: { tools: {} } }),
        broken: officeServer({ only: [], listFails: true }),
        waiting: { command: 'x', env: { K: '${input:never}' } },
        off: { command: 'x', args: ['--api-key', 'canary-arg', '--mode=${input:key}'], disabled: true, vrl: '. = 1' },
        files: packageServer('@modelcontextprotocol/server-filesystem', folder),
      },
    });
    office.computer.on('diagnostic', (diagnostic) => void diagnostics.push(diagnostic));
  });
  afterAll(async () => {
    await office[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  it('client:get_tools lists every tool with its metadata as JSON text [R-3.1-get_tools] [R-4.1-tool-shape] [R-4.1-flat-meta]', async () => {
    const { tools, req_id } = (await office.ask('client:get_tools', { req_id: 'x' })) as {
      tools: JsonObject[];
      req_id: string;
    };
    expect(req_id).toBe('x');
    const echo = tools.find(({ name }) => name === 'echo') as { meta: JsonObject };
    expect(echo).toEqual({
      name: 'echo',
      description: '',
      params_schema: { type: 'object' },
      return_schema: null,
      meta: { a2c_tool_meta: expect.any(String) as string },
    });
    expect(JSON.parse(String(echo.meta['a2c_tool_meta']))).toEqual({
      auto_apply: false,
      tags: ['x'],
      ret_object_mapper: { a: 'b.c' },
      mine: [1],
    });
    expect(tools.map(({ name }) => name)).toContain('read_text_file');
  });

  it('client:get_config shows the unresolved configuration with secrets masked [R-3.1-get_config] [R-7.1-masking] [R-7.1-defaults] [F-G-unresolved]', async () => {
    const { servers, inputs } = (await office.ask('client:get_config')) as {
      servers: JsonObject;
      inputs: JsonObject[];
    };
    expect(Object.keys(servers)).toEqual(['docs', 'other', 'bare', 'broken', 'waiting', 'off', 'files']);
    expect(servers['off']).toEqual({
      name: 'off',
      type: 'stdio',
      disabled: true,
      forbidden_tools: [],
      tool_meta: {},
      default_tool_meta: null,
      vrl: '. = 1',
      server_parameters: {
        command: 'x',
        args: ['--api-key', '******', '--mode=${input:key}'],
        env: null,
        cwd: null,
        encoding: 'utf-8',
        encoding_error_handler: 'strict',
      },
    });
    expect(servers['waiting']).toMatchObject({ server_parameters: { env: { K: '${input:never}' } } });
    expect(inputs[0]).toMatchObject({ id: 'key', password: true, default: '******' });
  });

  it('keeps a server without its input from starting, and only that one, and says how to mend it [R-7.2-failure]', () => {
    const states = new Map(office.computer.servers().map((status) => [status.server, status]));
    expect(states.get('waiting')).toMatchObject({ state: 'needs-input' });
    expect(states.get('waiting')?.reason).toContain('A2C_SMCP_NEVER');
    expect(states.get('docs')?.state).toBe('running');
  });

  it('client:get_resources passes pages on as they are, mime_type beside mimeType [R-8.2-transparent] [R-3.1-get_resources]', async () => {
    const first = await office.ask('client:get_resources', { mcp_server: 'docs', req_id: 'p1' });
    const [one, two, three] = resources;
    expect(first).toEqual({
      resources: [{ ...one, mime_type: 'application/json' }, two, { ...three, mime_type: null }],
      next_cursor: '3',
      req_id: 'p1',
    });
    const second = await office.ask('client:get_resources', { mcp_server: 'docs', cursor: '3', req_id: 'p2' });
    expect(second).toEqual({ resources: resources.slice(3), req_id: 'p2' });
  });

  it('client:get_resources passes broken items on where JSON allows', async () => {
    const listed = [
      null,
      'text',
      { name: 'no uri' },
      { uri: 7 },
      { uri: 'window://w/1', name: 'w' },
      { uri: 'window://w/1' },
    ];
    await office.computer.addServer('odd', officeServer({ only: [], resources: listed }));
    const answer = await office.ask('client:get_resources', { mcp_server: 'odd', req_id: 'o' });
    expect(answer).toEqual({ resources: listed, req_id: 'o' });
    const { desktops } = await office.ask('client:get_desktop', { window: 'window://w/1' });
    expect(desktops).toEqual(['window://w/1\n\ntext of window://w/1']);
    await office.computer.removeServer('odd');
  });

  it.each([
    ['nobody', { code: 404, mcp_server_name: 'nobody' }],
    ['bare', { code: 4015, mcp_server_name: 'bare', capability: 'resources' }],
    ['off', { code: 500, mcp_server_name: 'off', state: 'disabled' }],
    ['broken', { code: 500, mcp_server_name: 'broken' }],
  ])(
    'client:get_resources of %s answers %j [R-5.2-resources-404] [R-5.2-resources-4015] [R-5.2-resources-down]',
    async (server, error) => {
      const answer = await office.ask('client:get_resources', { mcp_server: server });
      expect(answer).toMatchObject(error);
      expect(answer['message']).toContain(server);
    },
  );

  it('answers get_tools, get_config and get_resources above the packet limit with 500, size and limit [R-5.2-answer-limit]', async () => {
    const many = Array.from({ length: 200 }, (_, index) => `a-rather-long-tool-name-${index}`);
    const listed = many.map((name) => ({ uri: `x:${name}`, name }));
    await using small = await Office.open({
      maxPacketBytes: 5_000,
      servers: { a: officeServer({ moreTools: many, resources: listed }) },
    });
    for (const event of ['client:get_tools', 'client:get_config', 'client:get_resources'] as const) {
      const answer = await small.ask(event, { mcp_server: 'a' });
      expect(answer).toMatchObject({ code: 500, size: expect.any(Number) as number, limit: 5_000 });
    }
    expect(small.computer.connected).toBe(true);
  });

  const ask = (uri: string, payload: JsonObject = {}): Promise<JsonObject> =>
    office.ask('client:get_dpe', { uri, ...payload });

  it('client:get_dpe says 4012, 4011 and 4013 in this order [R-8.3-invalid-uri] [R-8.3-no-resolver] [R-8.3-upstream]', async () => {
    expect(await ask('dpe://com.docs')).toMatchObject({ code: 4012, uri: 'dpe://com.docs' });
    expect(await ask(`${DOCUMENT}#x`)).toMatchObject({ code: 4012 });
    expect(await ask('dpe://unknown/x')).toMatchObject({ code: 4011, uri: 'dpe://unknown/x' });
    const off = office.computer.registerDpeResolver({ resolve: () => Promise.reject(new Error('no')) });
    expect(await ask('dpe://unknown/x')).toMatchObject({ code: 4013, category: 'unknown_host' });
    expect(await ask('dpe://com.docs/empty')).toMatchObject({ code: 4013, category: 'invalid_content' });
    expect(await ask(DOCUMENT)).toMatchObject({ code: 4013, category: 'resolver_error' });
    off();
    expect(await ask(DOCUMENT)).toMatchObject({ code: 4011 });
  });

  it('client:get_dpe answers with a file that holds the document as it was read [R-8.3-never-content] [R-3.1-get_dpe]', async () => {
    await using resolver = new FileDpeResolver();
    office.computer.registerDpeResolver(resolver);
    const answer = await ask(`${DOCUMENT}?old=1`, { req_id: 'd1' });
    expect(answer).toMatchObject({ mime_type: 'application/json', size: 12, req_id: 'd1' });
    expect(await readFile(fileURLToPath(String(answer['uri'])), 'utf8')).toBe('{"pages":[]}');
    const other = await ask('dpe://com.template/7');
    expect(await readFile(fileURLToPath(String(other['uri'])), 'utf8')).toBe('text of dpe://com.template/7');
    office.computer.unregisterDpeResolver();
  });

  it('client:get_dpe heeds its timeout, and asks the server configured first when two have the host [R-8.3-routing] [R-8.3-resolver]', async () => {
    const hanging: DpeResolver = { resolve: () => new Promise(() => undefined) };
    office.computer.registerDpeResolver(hanging);
    expect(await ask(DOCUMENT, { timeout: 1 })).toMatchObject({ code: 4013, category: 'resolver_error' });
    let seen: string[] = [];
    office.computer.registerDpeResolver({
      resolve: (_uri, _contents, { mcpServerName, resource }) => {
        seen = [mcpServerName, String(resource?.['x-new'])];
        return Promise.resolve({ uri: 'memory:1' });
      },
    });
    expect(await ask(DOCUMENT)).toMatchObject({ uri: 'memory:1' });
    expect(seen).toEqual(['docs', '1']);
    expect(JSON.stringify(diagnostics)).toMatch(/com\.docs.*first registered/);
    await office.computer.stopServer('docs');
    expect(await ask(DOCUMENT)).toMatchObject({ code: 4013, category: 'upstream_unavailable' });
    await office.computer.startServer('docs');
  });

  it('client:get_dpe counts what cannot be sent as an invalid return of the resolver', async () => {
    for (const _meta of [{ big: 'x'.repeat(1_100_000) }, { big: 1n }]) {
      office.computer.registerDpeResolver({ resolve: () => Promise.resolve({ uri: 'memory:1', _meta }) });
      expect(await ask(DOCUMENT)).toMatchObject({ code: 4013, category: 'resolver_returned_invalid' });
    }
    office.computer.unregisterDpeResolver();
  });

  it.each([
    ['client:get_resources', { mcp_server: 7 }, 'mcp_server'],
    ['client:get_desktop', { desktop_size: 'x' }, 'desktop_size'],
    ['client:get_dpe', { uri: null }, 'uri'],
    ['client:tool_call', { tool_name: 'echo', params: [], timeout: 5 }, 'params'],
  ] as const)(
    'answers a malformed %s with 400 that names the field [R-5.2-always-answered]',
    async (event, payload, field) => {
      const answer = await office.ask(event, payload);
      expect(answer).toMatchObject({ code: 400 });
      expect(answer['message']).toContain(field);
    },
  );
});
