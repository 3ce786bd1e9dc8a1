import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import { readWindow, type WindowMetadata } from './window-metadata.js';

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
export interface DesktopProblem {
  readonly server: string;
  /** The window's URI as listed. */
  readonly uri: string;
  /** A sentence whose subject is the window. */
  readonly problem: string;
}

/** An organised desktop. */
export interface OrganizedDesktop {
  readonly desktops: readonly string[];
  readonly problems: readonly DesktopProblem[];
}

interface Entry extends WindowMetadata {
  readonly server: string;
  readonly uri: string;
  readonly text: string;
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
  const wanted = request.window ?? undefined;
  const entries = readEntries(windows, problems).filter((entry) => wanted === undefined || isNamed(entry, wanted));
  const byServer = new Map<string, Entry[]>();
  for (const entry of entries) {
    const own = byServer.get(entry.server);
    if (own === undefined) byServer.set(entry.server, [entry]);
    else own.push(entry);
  }
  const ordered = orderServers([...byServer.keys()], request.history);
  const desktops = ordered.flatMap((server) => arrange(byServer.get(server) ?? []).map((entry) => entry.text));
  const { size } = request;
  return { desktops: size === undefined || size === null ? desktops : desktops.slice(0, Math.max(0, size)), problems };
}

/** Whether an entry can be the one that `window` names, before its contents are known. Protocol §8.1 point 2. */
export function mayBeNamed(metadata: WindowMetadata, uri: string, window: string): boolean {
  return uri === window || metadata.shownUri === window || window.startsWith(`${metadata.shownUri}\n\n`);
}

function isNamed(entry: Entry, window: string): boolean {
  return entry.uri === window || entry.shownUri === window || entry.text === window;
}

function readEntries(windows: readonly CollectedWindow[], problems: DesktopProblem[]): Entry[] {
  const seen = new Set<string>();
  return windows.flatMap(({ server, resource, contents }) => {
    const metadata = readWindow(resource);
    if (metadata === undefined) return [];
    const uri = resource['uri'] as string;
    const report = (problem: string): void => void problems.push({ server, uri, problem });
    const identity = JSON.stringify([server, uri]);
    if (seen.has(identity)) {
      report('is listed more than once; the first one counts');
      return [];
    }
    seen.add(identity);
    metadata.problems.forEach(report);
    const texts = textsOf(contents);
    if (texts === undefined) {
      if (contents.length > 0) report('has no text content, so it is left out');
      return [];
    }
    const text = [metadata.shownUri, ...texts.filter((part) => part !== '')].join('\n\n');
    return [{ ...metadata, server, uri, text }];
  });
}

/** The texts among the contents; `undefined` when there is none. */
function textsOf(contents: readonly unknown[]): readonly string[] | undefined {
  const texts = contents
    .map((content) => (isJsonObject(content) ? content['text'] : undefined))
    .filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts;
}

/** Most recently used first; the others by name, in code units. */
function orderServers(servers: readonly string[], history: readonly string[]): string[] {
  const lastUse = new Map(history.map((server, index) => [server, index]));
  const rank = (server: string): number => lastUse.get(server) ?? -1;
  return [...servers].sort((a, b) => rank(b) - rank(a) || (a < b ? -1 : 1));
}

function arrange(entries: readonly Entry[]): readonly Entry[] {
  const fullscreen = entries.find((entry) => entry.fullscreen);
  return fullscreen === undefined ? [...entries].sort((a, b) => b.priority - a.priority) : [fullscreen];
}
