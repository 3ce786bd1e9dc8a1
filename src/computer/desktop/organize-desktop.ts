import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import { readListedWindows, type ListedWindow, type WindowProblem } from './listed-window.js';

/** One resource of one MCP server, with what reading it gave. */
export interface CollectedWindow {
  /** The name of the MCP server. */
  readonly server: string;
  /** As the server listed it. */
  readonly resource: JsonObject;
  /** `contents` of the answer to `resources/read`; empty when it could not be read. */
  readonly contents: readonly unknown[];
}

/** What is asked for. */
export interface DesktopRequest {
  /** How many entries at most; absent or null: all; 0 or less: none. */
  readonly size?: number | null | undefined;
  /** Only the windows whose listed URI or shown text equals this. */
  readonly window?: string | null | undefined;
  /** The MCP servers of the tool calls of this office, oldest first. */
  readonly history: readonly string[];
}

/** Something about a window that its author should mend. */
interface DesktopProblem extends WindowProblem {
  readonly server: string;
}

/** An organised desktop. */
export interface OrganizedDesktop {
  readonly desktops: readonly string[];
  readonly problems: readonly DesktopProblem[];
}

/** A window with what it shows. */
export interface DesktopEntry extends ListedWindow {
  readonly text: string;
}

/** The windows of one MCP server that show something, in listing order. */
export interface ServerEntries {
  readonly server: string;
  readonly entries: readonly DesktopEntry[];
}

/**
 * Arranges windows into the desktop that an Agent sees: servers by the most recent tool call and then by name, windows
 * of one server by priority, a fullscreen window alone, cut to size. Pure, and never throws whatever a server lists.
 * Protocol §8.1.
 *
 * @param windows - in listing order within each server; resources of other schemes are left out.
 */
export function organizeDesktop(windows: readonly CollectedWindow[], request: DesktopRequest): OrganizedDesktop {
  const problems: DesktopProblem[] = [];
  const servers = [...new Set(windows.map(({ server }) => server))].map((server): ServerEntries => {
    const own = windows.filter((window) => window.server === server);
    const report = (problem: WindowProblem): void => void problems.push({ server, ...problem });
    const listed = readListedWindows(
      own.map(({ resource }) => resource),
      report,
    );
    const entries = listed.map((window) => {
      const contents = own.find(({ resource }) => resource['uri'] === window.uri)?.contents ?? [];
      return entryOf(window, contents, report);
    });
    return { server, entries: entries.filter((entry) => entry !== undefined) };
  });
  return { desktops: arrangeDesktop(servers, request), problems };
}

/** The same of entries that were made already. */
export function arrangeDesktop(servers: readonly ServerEntries[], request: DesktopRequest): readonly string[] {
  const { size, history } = request;
  const wanted = request.window ?? undefined;
  const lastUse = new Map(history.map((server, index) => [server, index]));
  const rank = (server: string): number => lastUse.get(server) ?? -1;
  const desktops = [...servers]
    .sort((a, b) => rank(b.server) - rank(a.server) || (a.server < b.server ? -1 : 1))
    .flatMap(({ entries }) =>
      arrange(wanted === undefined ? entries : entries.filter((entry) => isNamed(entry, wanted))),
    )
    .map((entry) => entry.text);
  return size === undefined || size === null ? desktops : desktops.slice(0, Math.max(0, size));
}

/**
 * What a window shows, from the contents of reading it.
 *
 * @returns `undefined` when it shows nothing. Protocol §8.1 points 3 and 7.
 */
export function entryOf(
  window: ListedWindow,
  contents: readonly unknown[],
  report: (problem: WindowProblem) => void,
): DesktopEntry | undefined {
  const texts = contents
    .map((content) => (isJsonObject(content) ? content['text'] : undefined))
    .filter((text) => typeof text === 'string');
  if (texts.length > 0) {
    return { ...window, text: [window.shownUri, ...texts.filter((text) => text !== '')].join('\n\n') };
  }
  if (contents.length > 0) report({ uri: window.uri, problem: 'has no text content, so it is left out' });
  return undefined;
}

/** Whether a window can be the one that `window` names, before its contents are known. Protocol §8.1 point 2. */
export function mayBeNamed({ uri, shownUri }: ListedWindow, window: string): boolean {
  return uri === window || shownUri === window || window.startsWith(`${shownUri}\n\n`);
}

function isNamed(entry: DesktopEntry, window: string): boolean {
  return entry.uri === window || entry.shownUri === window || entry.text === window;
}

function arrange(entries: readonly DesktopEntry[]): readonly DesktopEntry[] {
  const fullscreen = entries.find((entry) => entry.fullscreen);
  return fullscreen === undefined ? [...entries].sort((a, b) => b.priority - a.priority) : [fullscreen];
}
