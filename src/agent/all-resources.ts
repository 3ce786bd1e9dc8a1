import type { JsonObject, Logger } from '../protocol/index.js';
import type { ResourcePage } from './answers.js';

/** How many pages of one list are read, at most. */
export const MAX_PAGES = 1_000;
/** How many resources of one list are read, at most. */
export const MAX_RESOURCES = 100_000;

/**
 * Reads a list page by page. It ends at the last page, at a cursor that was given before, and at the caps; the last
 * two with a warning.
 *
 * @param getPage - gives the page of a cursor, the first one without.
 */
export async function* allResources(
  getPage: (cursor: string | undefined) => Promise<ResourcePage>,
  logger: Logger,
): AsyncGenerator<JsonObject, void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  let count = 0;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { resources, nextCursor } = await getPage(cursor);
    for (const resource of resources) {
      if (count++ >= MAX_RESOURCES) {
        logger.warn({ limit: MAX_RESOURCES }, 'Stopped at the limit of resources');
        return;
      }
      yield resource;
    }
    if (nextCursor === undefined) return;
    if (seen.has(nextCursor)) {
      logger.warn({ page }, 'Stopped at a repeated cursor');
      return;
    }
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  logger.warn({ limit: MAX_PAGES }, 'Stopped at the limit of pages');
}
