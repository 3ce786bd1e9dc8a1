import type { JsonObject } from '../../protocol/index.js';
import type { WindowProblem } from './listed-window.js';
import type { ServerState } from '../mcp/index.js';
import { readWindow } from './window-metadata.js';

/** What an MCP server gives to the desktop, or why it gives nothing. Protocol §8.1. */
export interface DesktopServerStatus {
  readonly server: string;
  readonly state: ServerState;
  /** Whether it runs and declares `resources`. */
  readonly declaresResources: boolean;
  /** Whether it runs and declares `resources.subscribe`. */
  readonly declaresSubscribe: boolean;
  /** Whether its windows are asked for: it declares what {@link DesktopStatus.requireSubscribe} wants. */
  readonly takesPart: boolean;
  /** How many resources it listed last, of any scheme. */
  readonly resources: number;
  /** How many of them are windows. */
  readonly windows: number;
  /** How many of those are shown. */
  readonly shown: number;
  /** What it lists with the scheme `window` and what is not shown, with why; the first twenty. */
  readonly dropped: readonly WindowProblem[];
}

/** Why the desktop is as it is. */
export interface DesktopStatus {
  /** Whether only servers take part that declare `resources.subscribe`. */
  readonly requireSubscribe: boolean;
  /** Every configured server, in order. */
  readonly servers: readonly DesktopServerStatus[];
}

/** The same as the desktop knows it. */
export type DesktopSurvey = Omit<DesktopServerStatus, 'state'>;

/** What a server listed, as far as the desktop goes. */
export interface Survey {
  readonly resources: number;
  readonly windows: number;
  readonly dropped: readonly WindowProblem[];
}

/** Nothing was listed. */
export const NOTHING_LISTED: Survey = { resources: 0, windows: 0, dropped: [] };

/** How much is said of one server. */
export const MAX_DROPPED = 20;

/** Counts what a server listed. */
export function surveyOf(resources: readonly JsonObject[]): Survey {
  const windows = new Set<string>();
  const dropped: WindowProblem[] = [];
  const drop = (uri: string, problem: string): void => {
    if (dropped.length < MAX_DROPPED) dropped.push({ uri: uri.slice(0, 300), problem });
  };
  for (const resource of resources) {
    const { uri } = resource;
    if (typeof uri !== 'string' || !/^\s*window:/i.test(uri)) continue;
    if (readWindow(resource) === undefined) drop(uri, 'is no window URI: window://HOST/PATH is');
    else if (windows.has(uri)) drop(uri, 'is listed more than once; the first one counts');
    else windows.add(uri);
  }
  return { resources: resources.length, windows: windows.size, dropped };
}
