import { isAbsolute } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  auditFile,
  cacheFolder,
  defaultConfigFile,
  historyFile,
  homeFolder,
  loginsFolder,
  placeOf,
  PLACES,
  type PlaceContext,
  type PlaceName,
} from './places.js';

const linux: PlaceContext = { env: {}, platform: 'linux', home: '/home/ann' };
const macos: PlaceContext = { env: {}, platform: 'darwin', home: '/Users/ann' };
const windows: PlaceContext = { env: {}, platform: 'win32', home: 'C:\\Users\\ann' };

describe('the standard places', () => {
  it.each<[PlaceName, PlaceContext, string]>([
    ['configuration', linux, '/home/ann/.config/a2c'],
    ['logins', linux, '/home/ann/.config/a2c/logins'],
    ['cache', linux, '/home/ann/.cache/a2c'],
    ['state', linux, '/home/ann/.local/state/a2c'],
    ['configuration', macos, '/Users/ann/Library/Application Support/a2c'],
    ['logins', macos, '/Users/ann/Library/Application Support/a2c/logins'],
    ['cache', macos, '/Users/ann/Library/Caches/a2c'],
    ['state', macos, '/Users/ann/Library/Application Support/a2c/state'],
    ['configuration', windows, 'C:\\Users\\ann\\AppData\\Roaming\\a2c'],
    ['logins', windows, 'C:\\Users\\ann\\AppData\\Roaming\\a2c\\logins'],
    ['cache', windows, 'C:\\Users\\ann\\AppData\\Local\\a2c\\Cache'],
    ['state', windows, 'C:\\Users\\ann\\AppData\\Local\\a2c\\State'],
  ])('keeps %s where the system has such files', (name, context, expected) => {
    expect(placeOf(name, context)).toBe(expected);
  });

  it.each<[PlaceName, PlaceContext, Record<string, string>, string]>([
    ['state', linux, { XDG_STATE_HOME: '/var/x' }, '/var/x/a2c'],
    ['cache', linux, { XDG_CACHE_HOME: 'relative' }, '/home/ann/.cache/a2c'],
    ['cache', windows, { LOCALAPPDATA: 'D:\\local' }, 'D:\\local\\a2c\\Cache'],
    ['configuration', windows, { APPDATA: 'D:\\roaming' }, 'D:\\roaming\\a2c'],
  ])('follows the variables of the system for %s', (name, context, env, expected) => {
    expect(placeOf(name, { ...context, env })).toBe(expected);
  });

  it.each([linux, macos, windows])('lets a variable of its own decide on $platform', (context) => {
    for (const name of Object.keys(PLACES) as PlaceName[]) {
      const { override } = PLACES[name];
      expect(placeOf(name, { ...context, env: { [override]: '/elsewhere', XDG_CONFIG_HOME: '/x' } })).toBe(
        '/elsewhere',
      );
      expect(placeOf(name, { ...context, env: { [override]: '' } })).toBe(placeOf(name, context));
    }
  });

  it.runIf(process.platform !== 'win32')('are below the home folder of the user also where HOME is empty', () => {
    vi.stubEnv('HOME', '');
    try {
      expect(isAbsolute(homeFolder())).toBe(true);
      expect(defaultConfigFile().startsWith(homeFolder()) || isAbsolute(process.env['XDG_CONFIG_HOME'] ?? '')).toBe(
        true,
      );
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('names the files in them', () => {
    expect(defaultConfigFile(linux)).toBe('/home/ann/.config/a2c/computer.json');
    expect(loginsFolder(linux)).toBe('/home/ann/.config/a2c/logins');
    expect(cacheFolder(macos)).toBe('/Users/ann/Library/Caches/a2c');
    expect(historyFile('agent', linux)).toBe('/home/ann/.local/state/a2c/agent-history');
    expect(historyFile('computer', windows)).toBe('C:\\Users\\ann\\AppData\\Local\\a2c\\State\\computer-history');
    expect(auditFile(linux)).toBe('/home/ann/.local/state/a2c/audit.jsonl');
  });
});
