import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DOCUMENT, ENTRY, PARAMETERS, TYPES } from './known-fields.js';
import { didYouMean, nearestName, nearNames } from './nearest-name.js';

const FIELDS = [...ENTRY, ...PARAMETERS];

describe('nearestName', () => {
  it.each([
    ['comand', FIELDS, 'command'],
    ['commnad', FIELDS, 'command'],
    ['Command', FIELDS, 'command'],
    ['cmd', FIELDS, 'command'],
    ['arg', FIELDS, 'args'],
    ['agrs', FIELDS, 'args'],
    ['arguments', FIELDS, 'args'],
    ['enviroment', FIELDS, 'env'],
    ['environment', FIELDS, 'env'],
    ['envfile', FIELDS, 'envFile'],
    ['env_file', FIELDS, 'envFile'],
    ['workingDirectory', FIELDS, 'cwd'],
    ['header', FIELDS, 'headers'],
    ['forbiddenTools', FIELDS, 'forbidden_tools'],
    ['forbiden_tool', FIELDS, 'forbidden_tools'],
    ['sseReadTimeout', FIELDS, 'sse_read_timeout'],
    ['uri', FIELDS, 'url'],
    ['disable', FIELDS, 'disabled'],
    ['server', DOCUMENT, 'servers'],
    ['mcpServer', DOCUMENT, 'mcpServers'],
    ['mcp_servers', DOCUMENT, 'mcpServers'],
    ['input', DOCUMENT, 'inputs'],
    ['STDIO', [...TYPES.keys()], 'stdio'],
    ['htttp', [...TYPES.keys()], 'http'],
    ['streamableHTTP', [...TYPES.keys()], 'streamable-http'],
    ['autoApprove', FIELDS, undefined],
    ['icon', FIELDS, undefined],
    ['id', FIELDS, undefined],
    ['x', FIELDS, undefined],
    ['', FIELDS, undefined],
  ])('%j of %j is %j', (given, known, expected) => {
    expect(nearestName(given, known)).toBe(expected);
  });

  it('finds every name with one letter left out, and never one that is not known', () => {
    const long = FIELDS.filter((name) => name.length >= 7);
    fc.assert(
      fc.property(fc.constantFrom(...long), fc.nat(), (name, at) => {
        const cut = at % name.length;
        expect(nearestName(name.slice(0, cut) + name.slice(cut + 1), long)).toBe(name);
      }),
    );
    fc.assert(
      fc.property(fc.string(), (given) => {
        expect([...FIELDS, undefined]).toContain(nearestName(given, FIELDS));
      }),
    );
  });

  it('is quick with names of any length', () => {
    expect(nearestName('comman'.repeat(100_000), FIELDS)).toBeUndefined();
  });

  it('makes a question of it, or nothing', () => {
    expect(didYouMean('comand', FIELDS)).toBe('; did you mean "command"?');
    expect(didYouMean('zzzzz', FIELDS)).toBe('');
    expect(didYouMean(7, FIELDS)).toBe('');
  });
});

describe('nearNames', () => {
  const tools = ['read_file', 'write_file', 'list_directory', 'read_media_file', 'get', '名前を読む'];

  it.each([
    ['raed_file', ['read_file']],
    ['readFile', ['read_file']],
    ['file', ['read_file', 'write_file', 'read_media_file']],
    ['list', ['list_directory']],
    ['get_weather', ['get']],
    ['qqqq', []],
    ['', []],
    ['-_ ', []],
    ['x'.repeat(100_000), []],
  ])('%.20j: %j', (given, near) => {
    expect(nearNames(given, tools)).toEqual(near);
  });

  it('gives so many at most, nearest first', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `tool_${index}`);
    expect(nearNames('tool_77', many)).toHaveLength(3);
    expect(nearNames('tool_77', many)[0]).toBe('tool_77');
    expect(nearNames('tool_77', many, 1)).toEqual(['tool_77']);
  });
});
