import { describe, expect, it } from 'vitest';
import { explainTool, toolDetails, type ToolFacts } from './explain-tool.js';
import type { ServerState } from './server-state.js';
import { buildToolCatalog, type CatalogServer } from './tool-catalog.js';

interface Given {
  readonly tools?: readonly string[];
  readonly state?: ServerState;
  readonly known?: readonly string[];
  readonly config?: Partial<CatalogServer['config']>;
}

function factsOf(servers: Readonly<Record<string, Given>>): ToolFacts {
  const entries = Object.entries(servers);
  const catalog = buildToolCatalog(
    entries.map(([name, { tools = [], state, config }]) => ({
      config: { name, forbidden_tools: [], tool_meta: {}, default_tool_meta: null, ...config },
      tools: tools.map((tool) => ({
        name: tool,
        description: `does ${tool} with secret`,
        inputSchema: { type: 'object' },
      })),
      waitsForLogin: state === 'needs-login',
    })),
  );
  const redact = (text: string): string => text.replaceAll('secret', '******');
  const explained = entries.map(([name, { tools = [], state = 'running', known = [] }]) => ({
    name,
    state,
    knownNames: new Set([...tools, ...known]),
  }));
  return { catalog, servers: explained, redact };
}

const facts = factsOf({
  files: {
    tools: ['read', 'write', 'remove'],
    config: {
      tool_meta: { read: { alias: 'read_file', auto_apply: true }, write: { tags: ['x'] } },
      forbidden_tools: ['remove'],
    },
  },
  other: { tools: ['write', 'list_all'] },
  web: { tools: ['fetch'], state: 'needs-login' },
  slow: { tools: ['later'], state: 'backing-off' },
  gone: { state: 'crash-loop', known: ['dig'] },
});

describe('explainTool', () => {
  it.each([
    ['read_file', undefined],
    ['write', undefined],
    ['remove', { cause: 'forbidden', server: 'files', state: 'running' }],
    ['read', { cause: 'renamed', server: 'files', state: 'running', exposedAs: 'read_file' }],
    ['fetch', { cause: 'server-down', server: 'web', state: 'needs-login' }],
    ['later', { cause: 'server-down', server: 'slow', state: 'backing-off' }],
    ['dig', { cause: 'server-down', server: 'gone', state: 'crash-loop' }],
  ])('%s', (name, explanation) => {
    expect(explainTool(name, facts)).toEqual(explanation);
  });

  it('names near tools for a name that nobody has, and the servers that do not run', () => {
    expect(explainTool('raed_file', facts)).toEqual({
      cause: 'unknown',
      near: ['read_file'],
      down: [
        { server: 'web', state: 'needs-login' },
        { server: 'slow', state: 'backing-off' },
        { server: 'gone', state: 'crash-loop' },
      ],
    });
    expect(explainTool('list', facts)).toMatchObject({ near: ['list_all'] });
    expect(explainTool('qqq', facts)).toMatchObject({ cause: 'unknown', near: [] });
    expect(explainTool('', facts)).toMatchObject({ cause: 'unknown', near: [] });
  });

  it('tells the tool that lost its name to another server from one that nobody has', () => {
    const conflict = factsOf({
      one: { tools: ['same'] },
      two: { tools: ['mine'], config: { tool_meta: { mine: { alias: 'same' } } } },
    });
    expect(explainTool('mine', conflict)).toEqual({
      cause: 'conflict',
      server: 'two',
      state: 'running',
      exposedAs: 'same',
    });
    expect(explainTool('same', conflict)).toBeUndefined();
  });
});

describe('toolDetails', () => {
  it('gives what is known of a listed tool, without secrets', () => {
    expect(toolDetails('read_file', facts)).toEqual({
      exposedName: 'read_file',
      server: 'files',
      originalName: 'read',
      tool: {
        name: 'read_file',
        description: 'does read with ******',
        params_schema: { type: 'object' },
        return_schema: null,
        meta: { a2c_tool_meta: '{"alias":"read_file","auto_apply":true}' },
      },
      meta: { alias: 'read_file', auto_apply: true },
      autoApply: true,
      forbidden: false,
      listed: true,
    });
  });

  it('finds what is hidden too, by its own name, and says what it is', () => {
    expect(toolDetails('remove', facts)).toMatchObject({ server: 'files', forbidden: true, listed: false });
    expect(toolDetails('remove', facts)?.tool.description).toBe('does remove with ******');
    expect(toolDetails('fetch', facts)).toMatchObject({ server: 'web', forbidden: false, listed: false });
    expect(toolDetails('read', facts)).toBeUndefined();
    expect(toolDetails('nobody', facts)).toBeUndefined();
  });
});
