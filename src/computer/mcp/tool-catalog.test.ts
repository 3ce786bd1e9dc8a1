import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolMeta } from '../../protocol/index.js';
import type { ListedTool } from './lenient-lists.js';
import { buildToolCatalog, listedTools, toSmcpTool, type CatalogServer } from './tool-catalog.js';

function server(name: string, tools: (string | ListedTool)[], config: Partial<CatalogServer['config']> = {}) {
  return {
    config: { name, forbidden_tools: [], tool_meta: {}, default_tool_meta: null, ...config },
    tools: tools.map((tool) => (typeof tool === 'string' ? { name: tool } : tool)),
  } satisfies CatalogServer;
}

describe('toSmcpTool', () => {
  it('keeps schemas as they are and fills in what must be there [R-4.1-tool-shape] [F-E-schemas]', () => {
    const inputSchema = { $defs: { a: 1 }, anyOf: [{}], exclusiveMinimum: true };
    const made = toSmcpTool('x', { name: 't', inputSchema, outputSchema: { $ref: '#/nowhere' } }, undefined);
    expect(made.params_schema).toBe(inputSchema);
    expect(made).toEqual({
      name: 'x',
      description: '',
      params_schema: inputSchema,
      return_schema: { $ref: '#/nowhere' },
      meta: {},
    });
    for (const broken of [null, undefined, 'x', []]) {
      expect(toSmcpTool('x', { name: 't', inputSchema: broken, description: null }, undefined)).toMatchObject({
        description: '',
        params_schema: { type: 'object' },
        return_schema: null,
      });
    }
  });

  it('makes meta flat: scalars and lists of one type stay, the rest becomes JSON text [R-4.1-flat-meta]', () => {
    const tool = JSON.parse(
      '{"name":"t","annotations":{"readOnlyHint":true},"_meta":{"s":"a","n":1,"b":false,"list":["a","b"],"mixed":["a",1],"object":{"x":1},"null":null,"__proto__":{"y":1},"a2c_tool_meta":"{\\"auto_apply\\":true}"}}',
    ) as ListedTool;
    expect(JSON.stringify(toSmcpTool('t', tool, { alias: 'z', auto_apply: true }).meta)).toBe(
      '{"s":"a","n":1,"b":false,"list":["a","b"],"mixed":"[\\"a\\",1]","object":"{\\"x\\":1}","null":"null","__proto__":"{\\"y\\":1}","MCP_TOOL_ANNOTATION":"{\\"readOnlyHint\\":true}","a2c_tool_meta":"{\\"alias\\":\\"z\\",\\"auto_apply\\":true}"}',
    );
    expect(toSmcpTool('t', tool, undefined).meta).not.toHaveProperty('a2c_tool_meta');
  });

  it('has flat meta for any _meta', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (own) => {
        for (const value of Object.values(toSmcpTool('t', { name: 't', _meta: own }, undefined).meta)) {
          const items: unknown[] = Array.isArray(value) ? value : [value];
          expect(new Set(items.map((item) => typeof item)).size).toBeLessThanOrEqual(1);
          expect(items.every((item) => typeof item !== 'object')).toBe(true);
        }
      }),
    );
  });
});

describe('buildToolCatalog', () => {
  const { cases } = JSON.parse(
    readFileSync(new URL('../../../test-vectors/tool-meta.json', import.meta.url), 'utf8'),
  ) as { cases: { default: ToolMeta | null; specific: ToolMeta | null; expected: ToolMeta | null }[] };

  it.each(cases)(
    'merges metadata as the vectors say: %j [R-7.3-merge]',
    ({ default: defaults, specific, expected }) => {
      const toolMeta: Record<string, ToolMeta> = specific === null ? {} : { t: specific };
      const catalog = buildToolCatalog([server('s', ['t'], { default_tool_meta: defaults, tool_meta: toolMeta })]);
      const text = listedTools(catalog)[0]?.meta['a2c_tool_meta'] as string | undefined;
      expect(text === undefined ? null : JSON.parse(text)).toEqual(expected);
    },
  );

  it('exposes the alias and no longer the own name [R-4.1-alias-name]', () => {
    const catalog = buildToolCatalog([server('s', ['t'], { tool_meta: { t: { alias: 'web' } } })]);
    expect(catalog.route('web')).toMatchObject({ kind: 'tool', server: 's', originalName: 't' });
    expect(catalog.route('t')).toBeUndefined();
  });

  it('leaves out the later of two tools with one name and says how to set an alias [R-7.3-conflict]', () => {
    const catalog = buildToolCatalog([server('a', ['t', 'u']), server('b', ['t', 'v'])]);
    expect(listedTools(catalog).map(({ name }) => name)).toEqual(['t', 'u', 'v']);
    expect(catalog.route('t')).toMatchObject({ server: 'a' });
    expect(catalog.diagnostics).toEqual([
      { server: 'b', item: 't', problem: expect.stringMatching(/server "a".*"b" → tool_meta → "alias"/) as string },
    ]);
  });

  it('gives one alias of several tools to the first', () => {
    const catalog = buildToolCatalog([server('a', ['t', 'u'], { default_tool_meta: { alias: 'same' } })]);
    expect(catalog.route('same')).toMatchObject({ originalName: 't' });
    expect(catalog.diagnostics).toHaveLength(1);
  });

  it('knows forbidden tools by both names, but lists none [R-7.1-forbidden]', () => {
    const config = { forbidden_tools: ['t', 'typo'], tool_meta: { t: { alias: 'x' }, other: {} } };
    const catalog = buildToolCatalog([server('a', ['t', 'u'], config)]);
    expect(listedTools(catalog)).toHaveLength(1);
    expect(catalog.route('x')).toEqual({ kind: 'forbidden', server: 'a' });
    expect(catalog.route('t')).toEqual({ kind: 'forbidden', server: 'a' });
    expect(catalog.diagnostics.map(({ item }) => item)).toEqual(['typo', 'other']);
  });

  it('prefers a usable tool to a forbidden one of the same name', () => {
    const catalog = buildToolCatalog([server('a', ['t'], { forbidden_tools: ['t'] }), server('b', ['t'])]);
    expect(catalog.route('t')).toMatchObject({ kind: 'tool', server: 'b' });
  });

  it('keeps tools of a server that waits for a login aside', () => {
    const catalog = buildToolCatalog([{ ...server('a', ['t']), waitsForLogin: true }]);
    expect(listedTools(catalog)).toEqual([]);
    expect(catalog.route('t')).toEqual({ kind: 'login', server: 'a' });
  });

  it('takes names for data', () => {
    const names = ['__proto__', 'constructor', '../x', '名', 'a b'];
    const catalog = buildToolCatalog([server('s', names)]);
    expect(listedTools(catalog).map(({ name }) => name)).toEqual(names);
    expect(catalog.route('toString')).toBeUndefined();
  });

  it('routes every listed name to the tool that it was made of, and lists each name once', () => {
    const name = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
    const config = fc.record({
      forbidden_tools: fc.array(name, { maxLength: 2 }),
      tool_meta: fc.dictionary(name, fc.record({ alias: fc.option(name) })),
    });
    const anyServer = fc.tuple(fc.array(name, { maxLength: 5 }), config);
    fc.assert(
      fc.property(fc.array(anyServer, { maxLength: 4 }), (specs) => {
        const servers = specs.map(([tools, part], index) => server(`s${index}`, tools, part));
        const catalog = buildToolCatalog(servers);
        const names = listedTools(catalog).map((tool) => tool.name);
        expect(new Set(names).size).toBe(names.length);
        for (const exposed of names) {
          const route = catalog.route(exposed);
          if (route?.kind !== 'tool') throw new Error('a listed tool has no route');
          const owner = servers.find((one) => one.config.name === route.server);
          expect(owner?.tools.map((tool) => tool.name)).toContain(route.originalName);
          expect(owner?.config.forbidden_tools).not.toContain(route.originalName);
          expect(exposed).toBe(route.meta?.alias ?? route.originalName);
        }
      }),
    );
  });
});
