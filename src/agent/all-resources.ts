import type { JsonObject, Logger } from '../protocol/index.js';
import type { ResourcePage } from './answers.js';

/** How many pages of one list are read, at most. */
export const MAX_PAGES = 1_000;
/** How many resources of one list are read, at most. */
export const MAX_RESOURCES = 100_000;

/** Gives the page of a cursor, the first one without. */
type GetPage = (cursor: string | undefined) => Promise<ResourcePage>;

/** Reads a list resource by resource; see {@link allPages}. */
export async function* allResources(getPage: GetPage, logger: Logger): AsyncGenerator<JsonObject, void, undefined> {
  for await (const page of allPages(getPage, logger)) yield* page;
}

/**
 * Reads a list page by page. It ends at the last page, at a cursor that was given before, and at the caps; the last
 * two with a warning.
 */
export async function* allPages(
  getPage: GetPage,
  logger: Logger,
): AsyncGenerator<readonly JsonObject[], void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  let left = MAX_RESOURCES;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { resources, nextCursor } = await getPage(cursor);
    if (resources.length > left) {
      if (left > 0) yield resources.slice(0, left);
      logger.warn({ limit: MAX_RESOURCES }, 'Stopped at the limit of resources');
      return;
    }
    left -= resources.length;
    yield resources;
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
