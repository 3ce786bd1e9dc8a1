import { isJsonObject, WindowUri, type JsonObject } from '../../protocol/index.js';

/** What the desktop needs to know of a listed window. Protocol §4.3. */
export interface WindowMetadata {
  /** The listed URI cut at the first `?` or `#`, never re-encoded: what the Agent is shown. */
  readonly shownUri: string;
  /** 0..1; 0 when absent or invalid. */
  readonly priority: number;
  readonly fullscreen: boolean;
  readonly problems: readonly string[];
}

/**
 * Reads a listed resource as a window. Bad metadata counts as absent and is named. Protocol §4.3, §8.1.
 *
 * @returns `undefined` when the URI is not a window URI.
 */
export function readWindow(resource: JsonObject): WindowMetadata | undefined {
  const uri = resource['uri'];
  if (typeof uri !== 'string') return undefined;
  const dropped = droppedParts(uri);
  if (dropped === undefined) return undefined;
  const problems: string[] = [];
  if (dropped.length > 0) {
    problems.push(`has a ${dropped.join(' and a ')} in its URI, which is ignored; use annotations and _meta`);
  }
  const annotations = containerOf(resource, 'annotations', problems);
  const meta = containerOf(resource, '_meta', problems);
  readAudience(annotations['audience'], problems);
  return {
    shownUri: uri.split(/[?#]/, 1)[0] ?? uri,
    priority: readPriority(annotations['priority'], problems),
    fullscreen: readFullscreen(meta['fullscreen'], problems),
    problems,
  };
}

function droppedParts(uri: string): readonly string[] | undefined {
  try {
    return WindowUri.parse(uri).dropped;
  } catch {
    return undefined;
  }
}

function containerOf(resource: JsonObject, field: string, problems: string[]): JsonObject {
  const value = resource[field];
  if (value === undefined || value === null) return {};
  if (isJsonObject(value)) return value;
  problems.push(`has "${field}" that is not an object, which is ignored`);
  return {};
}

function readPriority(value: unknown, problems: string[]): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  problems.push('has an annotations.priority that is not a number from 0 to 1, so it counts as 0');
  return 0;
}

function readFullscreen(value: unknown, problems: string[]): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'boolean') return value;
  problems.push('has a _meta.fullscreen that is not true or false, so it counts as false');
  return false;
}

function readAudience(value: unknown, problems: string[]): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value) && value.includes('assistant')) return;
  problems.push('has an annotations.audience without "assistant"; it is shown all the same');
}
