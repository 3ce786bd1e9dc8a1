import { describe, expect, it } from 'vitest';
import type { McpServerConfig, ToolMeta } from '../../protocol/index.js';
import { ConfigError } from './config-error.js';
import { readServerEntry } from './parse-config.js';
import { withToolMeta } from './set-tool-meta.js';

function configOf(toolMeta: Readonly<Record<string, ToolMeta>>): McpServerConfig {
  return readServerEntry('files', { command: 'x', tool_meta: toolMeta }).config;
}

describe('withToolMeta', () => {
  it.each<[string, Readonly<Record<string, ToolMeta>>, ToolMeta, unknown]>([
    ['a tool without metadata', {}, { auto_apply: true }, { read: { auto_apply: true } }],
    [
      'fields beside others',
      { read: { tags: ['x'] } },
      { auto_apply: true },
      { read: { tags: ['x'], auto_apply: true } },
    ],
    ['a field anew', { read: { alias: 'a' } }, { alias: 'b' }, { read: { alias: 'b' } }],
    ['a field out', { read: { alias: 'a', auto_apply: true } }, { alias: null }, { read: { auto_apply: true } }],
    ['the last field out', { read: { alias: 'a' }, write: {} }, { alias: null }, { write: {} }],
    ['nothing', { read: { alias: 'a' } }, {}, { read: { alias: 'a' } }],
    ['fields of its own', {}, { own: { deep: 1 } }, { read: { own: { deep: 1 } } }],
  ])('puts %s', (_, before, patch, after) => {
    const config = configOf(before);
    const copy = structuredClone(config);
    expect(withToolMeta(config, 'read', patch).tool_meta).toEqual(after);
    expect(config).toEqual(copy);
  });

  it('takes a tool that is called like what every object has', () => {
    const { tool_meta: toolMeta } = withToolMeta(configOf({}), 'constructor', { auto_apply: true });
    expect(Object.entries(toolMeta)).toEqual([['constructor', { auto_apply: true }]]);
  });

  it.each<[string, unknown, string]>([
    ['read', { auto_apply: 'yes' }, 'servers.files.tool_meta.read.auto_apply'],
    ['read', { tags: [1] }, 'servers.files.tool_meta.read.tags'],
    ['read', JSON.parse('{"own":{"__proto__":1}}'), 'servers.files.tool_meta.read.own.__proto__'],
    ['read', null, 'servers.files.tool_meta.read'],
    ['read', [], 'servers.files.tool_meta.read'],
    ['__proto__', {}, 'servers.files.tool_meta.__proto__'],
    ['', {}, 'servers.files.tool_meta'],
  ])('refuses %j with %j, naming the field', (tool, patch, field) => {
    const act = (): unknown => withToolMeta(configOf({}), tool, patch as ToolMeta);
    expect(act).toThrow(ConfigError);
    expect(act).toThrow(field);
  });
});
