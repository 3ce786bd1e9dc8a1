import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Computer } from '../computer.js';
import { parseConfig } from './parse-config.js';

const FILE = resolve('/conf/mcp.json');

function rootsIn(entry: object, section = 'servers'): unknown {
  const text = JSON.stringify({ [section]: { a: { command: 'x', ...entry } } });
  return parseConfig(text, { file: FILE }).servers.get('a')?.roots;
}

describe('roots', () => {
  it.each([
    ['.', pathToFileURL(resolve('/conf')).href],
    ['sub dir/ü', 'file:///conf/sub%20dir/%C3%BC'],
    ['/abs', 'file:///abs'],
    ['~', pathToFileURL(homedir()).href],
    ['~/x', pathToFileURL(join(homedir(), 'x')).href],
    ['${workspaceFolder}/x', 'file:///conf/x'],
    ['file:///As/Written%2F..', 'file:///As/Written%2F..'],
    ['FILE://host/share', 'FILE://host/share'],
  ])('are paths beside the configuration file, or file: URIs: %s', (written, uri) => {
    expect(rootsIn({ roots: [written] })).toEqual([{ uri }]);
    expect(rootsIn({ roots: [written] }, 'mcpServers')).toEqual([{ uri }]);
  });

  it('may have names, may be none, and are no part of what Agents see', () => {
    const roots = [{ uri: 'file:///a', name: 'A', more: 1 }, { uri: 'file:///b' }];
    expect(rootsIn({ roots })).toEqual([{ uri: 'file:///a', name: 'A' }, { uri: 'file:///b' }]);
    expect(rootsIn({ roots: [] })).toEqual([]);
    expect(rootsIn({})).toBeUndefined();
    const read = parseConfig(JSON.stringify({ servers: { a: { command: 'x', roots } } })).servers.get('a');
    expect(read?.config).not.toHaveProperty('roots');
    expect(read?.warnings).toEqual([]);
  });

  it.each([
    ['/x', 'roots: expected a list'],
    [[1], 'roots[0]: expected a path'],
    [['/x', ''], 'roots[1]: expected a path'],
    [['a\0b'], 'roots[0]: expected a path'],
    [['https://h/x'], 'roots[0]: expected a "file:" URI'],
    [['file:relative'], 'roots[0]: expected a "file:" URI'],
    [['${input:folder}/x'], 'roots[0]: placeholders are not filled in here'],
    [[{ uri: '/x' }], 'roots[0].uri: expected a "file:" URI'],
    [[{ uri: 'file:///x', name: 1 }], 'roots[0].name: expected a string'],
  ])('are checked, and the place of what is wrong is named: %j', (roots, message) => {
    expect(() => rootsIn({ roots })).toThrow(`servers.a.${message}`);
    expect(() => new Computer({ roots: roots as string[] })).toThrow(message);
  });
});
