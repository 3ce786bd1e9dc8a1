import type { JsonObject } from '../../protocol/index.js';
import { readWindow, type WindowMetadata } from './window-metadata.js';

/** A window as its server listed it. */
export interface ListedWindow extends WindowMetadata {
  /** Exactly as listed: this is what it is read by. */
  readonly uri: string;
}

/** Something about a window that its author should mend. */
export interface WindowProblem {
  /** The window's URI as listed. */
  readonly uri: string;
  /** A sentence whose subject is the window. */
  readonly problem: string;
}

/**
 * Reads one server's list of resources: its windows in order, the first of those with one URI. Protocol §8.1.
 *
 * @param report - gets what their author should mend.
 */
export function readListedWindows(
  resources: readonly JsonObject[],
  report: (problem: WindowProblem) => void,
): readonly ListedWindow[] {
  const windows = new Map<string, ListedWindow>();
  for (const resource of resources) {
    const metadata = readWindow(resource);
    if (metadata === undefined) continue;
    const uri = resource['uri'] as string;
    if (windows.has(uri)) {
      report({ uri, problem: 'is listed more than once; the first one counts' });
      continue;
    }
    for (const problem of metadata.problems) report({ uri, problem });
    windows.set(uri, { ...metadata, uri });
  }
  return [...windows.values()];
}
