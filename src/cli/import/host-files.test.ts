import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostContext } from './host-context.js';
import { findFiles, pathsOf } from './host-files.js';
import { HOSTS } from './hosts.js';

const linux: HostContext = { home: '/home/me', platform: 'linux', env: {}, project: '/srv/x' };
const mac: HostContext = { ...linux, home: '/Users/me', platform: 'darwin' };
const windows: HostContext = {
  home: 'C:\\Users\\me',
  platform: 'win32',
  env: { APPDATA: 'C:\\Users\\me\\AppData\\Roaming' },
  project: 'C:\\work',
};

function pathOf(id: string, context: HostContext, index = 0): string | undefined {
  const path = HOSTS.find((host) => host.id === id)?.files[index]?.path ?? '';
  return pathsOf(path, context)[0];
}

describe('the files of other hosts', () => {
  it.each<[id: string, context: HostContext, path: string, index?: number]>([
    ['claude-desktop', linux, '/home/me/.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', mac, '/Users/me/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-desktop', windows, 'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['claude-desktop', { ...windows, env: {} }, 'C:\\Users\\me\\AppData\\Roaming\\Claude\\claude_desktop_config.json'],
    ['claude-code', linux, '/home/me/.claude.json'],
    ['claude-code', { ...linux, env: { CLAUDE_CONFIG_DIR: '/c' } }, '/c/.claude.json'],
    ['claude-code', linux, '/srv/x/.mcp.json', 1],
    ['vscode', linux, '/home/me/.config/Code/User/mcp.json'],
    ['vscode', { ...linux, env: { XDG_CONFIG_HOME: '/xdg' } }, '/xdg/Code/User/mcp.json'],
    ['vscode', mac, '/Users/me/Library/Application Support/Code/User/mcp.json'],
    ['vscode', windows, 'C:\\Users\\me\\AppData\\Roaming\\Code\\User\\mcp.json'],
    ['vscode', windows, 'C:\\work\\.vscode\\mcp.json', 3],
    ['cursor', windows, 'C:\\Users\\me\\.cursor\\mcp.json'],
    ['windsurf', mac, '/Users/me/.codeium/windsurf/mcp_config.json'],
    [
      'cline',
      linux,
      '/home/me/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
    ],
    ['codex', mac, '/Users/me/.codex/config.toml'],
    ['codex', { ...mac, env: { CODEX_HOME: '' } }, '/Users/me/.codex/config.toml'],
    ['codex', { ...mac, env: { CODEX_HOME: '/codex' } }, '/codex/config.toml'],
    ['zed', linux, '/home/me/.config/zed/settings.json'],
    ['zed', mac, '/Users/me/.config/zed/settings.json'],
    ['zed', windows, 'C:\\Users\\me\\AppData\\Roaming\\Zed\\settings.json'],
    ['opencode', windows, 'C:\\Users\\me\\.config\\opencode\\opencode.json'],
    ['goose', windows, 'C:\\Users\\me\\AppData\\Roaming\\Block\\goose\\config\\config.yaml'],
  ])('of %s', (id, context, path, index) => {
    expect(pathOf(id, context, index)).toBe(path);
  });

  it('have no place that is not known, and no host twice', () => {
    const paths = HOSTS.flatMap(({ files }) => files.map(({ path }) => path));
    const all = [linux, mac, windows].flatMap((context) => paths.flatMap((path) => pathsOf(path, context)));
    expect(all.filter((path) => /[{}|]|undefined/.test(path))).toEqual([]);
    expect(new Set(HOSTS.map(({ id }) => id)).size).toBe(HOSTS.length);
  });

  it.skipIf(process.platform === 'win32')('are found behind a star too', async () => {
    const home = await mkdtemp(join(tmpdir(), 'a2c-hosts-'));
    try {
      const profiles = join(home, '.config', 'Code', 'User', 'profiles');
      for (const profile of ['b', 'a', 'none']) await mkdir(join(profiles, profile), { recursive: true });
      for (const profile of ['b', 'a']) await writeFile(join(profiles, profile, 'mcp.json'), '{}');
      const context = { ...linux, home };
      const found = ['a', 'b'].map((profile) => join(profiles, profile, 'mcp.json'));
      expect(findFiles('{code}/profiles/*/mcp.json', context)).toEqual(found);
      expect(findFiles('{home}/nowhere/*.json', context)).toEqual([]);
    } finally {
      await rm(home, { recursive: true });
    }
  });
});
