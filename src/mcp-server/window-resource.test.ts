import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WindowUri } from '../protocol/index.js';
import { lintResource, windowResource, type WindowResourceOptions } from './index.js';

const base = { host: 'com.example.editor', path: 'main', name: 'Main' } as const;

describe('windowResource', () => {
  it('needs a host and a name, and is for the assistant by default', () => {
    expect(windowResource({ host: 'com.example.editor', name: 'All' })).toStrictEqual({
      uri: 'window://com.example.editor',
      name: 'All',
      annotations: { audience: ['assistant'] },
    });
  });

  it('[R-4.3-resource-metadata] puts the fields of MCP into annotations and those of A2C into _meta', () => {
    const resource = windowResource({
      ...base,
      path: 'open/src main.ts',
      description: 'An editor',
      priority: 0.8,
      fullscreen: true,
      mimeType: 'text/plain',
      lastModified: new Date(Date.UTC(2026, 0, 15, 8, 30)),
      audience: ['assistant', 'user'],
    });
    expect(resource).toStrictEqual({
      uri: 'window://com.example.editor/open/src%20main.ts',
      name: 'Main',
      description: 'An editor',
      mimeType: 'text/plain',
      annotations: { audience: ['assistant', 'user'], priority: 0.8, lastModified: '2026-01-15T08:30:00.000Z' },
      _meta: { fullscreen: true },
    });
  });

  it('takes the items of a list as segments of their own', () => {
    expect(windowResource({ ...base, path: ['src/main', 'what?', 'a#b'] }).uri).toBe(
      'window://com.example.editor/src%2Fmain/what%3F/a%23b',
    );
  });

  it('keeps the bounds of the priority and an explicit false', () => {
    expect(windowResource({ ...base, priority: 0, fullscreen: false })).toMatchObject({
      annotations: { priority: 0 },
      _meta: { fullscreen: false },
    });
    expect(windowResource({ ...base, priority: 1 }).annotations.priority).toBe(1);
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no host', { host: undefined }, /^windowResource: host: expected a string/],
    ['an empty host', { host: '' }, /^windowResource: host: missing host/],
    ['a host with user information', { host: 'u@h' }, /^windowResource: host: .*"@"/],
    ['a host with a path', { host: 'h/x' }, /^windowResource: host: /],
    ['a dot segment', { path: 'a/../b' }, /^windowResource: path: the dot segment "\.\."/],
    ['an empty segment', { path: '/a' }, /^windowResource: path: a path segment is empty/],
    ['a query in a text path', { path: 'a?priority=1' }, /^windowResource: path: "\?" is not allowed/],
    ['a fragment in a text path', { path: 'a#top' }, /^windowResource: path: "#" is not allowed/],
    ['a path of another type', { path: 7 }, /^windowResource: path: expected a string or a list/],
    ['a blank name', { name: ' ' }, /^windowResource: name: must not be blank/],
    ['a priority above 1', { priority: 80 }, /^windowResource: priority: must be at most 1/],
    ['a priority below 0', { priority: -0.1 }, /^windowResource: priority: must be at least 0/],
    ['a priority that is no number', { priority: Number.NaN }, /^windowResource: priority: expected a number/],
    ['a fullscreen that is no flag', { fullscreen: 'yes' }, /^windowResource: fullscreen: expected true or false/],
    ['an unknown audience', { audience: ['agent'] }, /^windowResource: audience\.0: expected "assistant" or "user"/],
    ['a date without a time', { lastModified: '2026-01-15' }, /^windowResource: lastModified: expected a Date or ISO/],
    ['an invalid Date', { lastModified: new Date('x') }, /^windowResource: lastModified: /],
    ['a misspelt option', { prority: 1 }, /^windowResource: options: Unrecognized key: "prority"/],
  ])('[R-4.2-strict-build] refuses %s and names the option', (_, change, message) => {
    const options = { ...base, ...change } as unknown as WindowResourceOptions;
    expect(() => windowResource(options)).toThrow(TypeError);
    expect(() => windowResource(options)).toThrow(message);
  });

  it('refuses what is not an object at all', () => {
    expect(() => windowResource(undefined as unknown as WindowResourceOptions)).toThrow(/^windowResource: options: /);
  });

  it('makes URIs that parse back to their segments and give no advice', () => {
    const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text !== '.' && text !== '..');
    fc.assert(
      fc.property(fc.array(segment), (path) => {
        const resource = windowResource({ ...base, path });
        expect(WindowUri.parseStrict(resource.uri).segments).toEqual(path);
        expect(lintResource({ ...resource })).toEqual([]);
      }),
    );
  });
});
