import { accessSync, constants, mkdirSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { posix, win32 } from 'node:path';

/** What decides where this program keeps its files. */
export interface PlaceContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
}

/** The kinds of files that this program keeps. */
export type PlaceName = keyof typeof PLACES;

/** Where one kind of files is, by the customs of each system. */
interface Place {
  /** What is kept there, for a person. */
  readonly holds: string;
  /** The environment variable that says otherwise. */
  readonly override: string;
  /** A folder of the XDG base directory specification: its variable, and what stands in below the home folder. */
  readonly xdg: readonly [variable: string, fallback: string];
  /** Below `~/Library`. */
  readonly macos: string;
  /** A folder of Windows: its variable, and what stands in below the home folder. */
  readonly windows: readonly [variable: string, fallback: string];
  /** What comes below the folder of this program. */
  readonly below?: { readonly unix?: string; readonly macos?: string; readonly windows?: string };
}

const ROAMING = ['APPDATA', 'AppData\\Roaming'] as const;
const LOCAL = ['LOCALAPPDATA', 'AppData\\Local'] as const;
const XDG_CONFIG = ['XDG_CONFIG_HOME', '.config'] as const;

/** Every folder of this program, one row each. Documentation and `a2c doctor` show this table. */
export const PLACES = {
  configuration: {
    holds: 'the configuration',
    override: 'A2C_CONFIG_DIR',
    xdg: XDG_CONFIG,
    macos: 'Application Support',
    windows: ROAMING,
  },
  logins: {
    holds: 'logins at MCP servers',
    override: 'A2C_LOGINS',
    xdg: XDG_CONFIG,
    macos: 'Application Support',
    windows: ROAMING,
    below: { unix: 'logins', macos: 'logins', windows: 'logins' },
  },
  cache: {
    holds: 'documents, which can be made again',
    override: 'A2C_CACHE_DIR',
    xdg: ['XDG_CACHE_HOME', '.cache'],
    macos: 'Caches',
    windows: LOCAL,
    below: { windows: 'Cache' },
  },
  state: {
    holds: 'the history of the shells, the audit file',
    override: 'A2C_STATE_DIR',
    xdg: ['XDG_STATE_HOME', '.local/state'],
    macos: 'Application Support',
    windows: LOCAL,
    below: { macos: 'state', windows: 'State' },
  },
} as const satisfies Readonly<Record<string, Place>>;

/** The folder of this program in the one that the system has for such files. */
const PROGRAM = 'a2c';

/** The home folder of this user, also where HOME is empty: paths below it would be relative to the working directory. */
export function homeFolder(): string {
  return homedir() || userInfo().homedir;
}

function here(): PlaceContext {
  return { env: process.env, platform: process.platform, home: homeFolder() };
}

/**
 * Where files of this kind are kept. The folder need not be there.
 *
 * @param context - another machine than this one, for tests.
 */
export function placeOf(name: PlaceName, context: PlaceContext = here()): string {
  const place: Place = PLACES[name];
  const { env, platform, home } = context;
  // An empty variable is the usual way to say that there is none.
  const chosen = env[place.override] ?? '';
  if (chosen !== '') return chosen;
  if (platform === 'win32') return windowsPlace(place, context);
  if (platform === 'darwin') return posix.join(home, 'Library', place.macos, PROGRAM, place.below?.macos ?? '');
  const [variable, fallback] = place.xdg;
  const base = env[variable] ?? '';
  // The specification has relative ones ignored.
  const folder = posix.isAbsolute(base) ? base : posix.join(home, fallback);
  return posix.join(folder, PROGRAM, place.below?.unix ?? '');
}

function windowsPlace(place: Place, { env, home }: PlaceContext): string {
  const [variable, fallback] = place.windows;
  const base = env[variable] ?? '';
  return win32.join(win32.isAbsolute(base) ? base : win32.join(home, fallback), PROGRAM, place.below?.windows ?? '');
}

function within(name: PlaceName, file: string, context: PlaceContext | undefined): string {
  const folder = placeOf(name, context);
  return (context?.platform ?? process.platform) === 'win32' ? win32.join(folder, file) : posix.join(folder, file);
}

/** The configuration of a Computer whose command line names none. */
export function defaultConfigFile(context?: PlaceContext): string {
  return within('configuration', 'computer.json', context);
}

/** Where the logins at MCP servers are kept, unless the user says otherwise. */
export function loginsFolder(context?: PlaceContext): string {
  return placeOf('logins', context);
}

/** Where documents are kept that can be made again. */
export function cacheFolder(context?: PlaceContext): string {
  return placeOf('cache', context);
}

/**
 * The same, made ready for its owner alone; `undefined` where it cannot be: what can be made again may as well be kept
 * among the temporary files.
 */
export function usableCacheFolder(context?: PlaceContext): string | undefined {
  const folder = cacheFolder(context);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    return undefined;
  }
}

/** What was typed into a shell before. Its owner alone may read it: make the folder with mode 0700, the file with 0600. */
export function historyFile(kind: 'computer' | 'agent', context?: PlaceContext): string {
  return within('state', `${kind}-history`, context);
}

/** The record of what Agents did on this Computer, as lines of JSON. Its owner alone may read it. */
export function auditFile(context?: PlaceContext): string {
  return within('state', 'audit.jsonl', context);
}
