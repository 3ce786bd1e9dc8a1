import type { JsonObject } from '../../protocol/index.js';

/** How far a list is followed. */
export interface PageLimits {
  /** @default 1000 */
  readonly maxPages?: number;
  /** @default 100000 */
  readonly maxItems?: number;
}

/** All items of a list, as far as it could be followed. */
export interface Pages {
  readonly items: readonly unknown[];
  /** What was wrong with the paging itself. */
  readonly problems: readonly string[];
}

/** Where the items stand in a page and what makes two of them the same. */
export interface PageShape {
  /** Key of the list in the result, such as `tools`. */
  readonly key: string;
  /** Key of what identifies an item, such as `name`. */
  readonly identity: string;
}

const DEFAULTS = { maxPages: 1_000, maxItems: 100_000 } as const;

/** The cursor of the next page; an empty one ends the list, as `null` does. */
export function nextCursorOf(page: JsonObject): string | undefined {
  const cursor = page['nextCursor'];
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

function identityOf(item: unknown, shape: PageShape): unknown {
  return typeof item === 'object' && item !== null ? (item as JsonObject)[shape.identity] : undefined;
}

const REPEATED = 'the server sent the same cursor twice, so the list ends there';

/** Cuts a list that is too long and says so, or that there are too many pages. */
function limitReached(items: unknown[], pages: number, limits: PageLimits): string | undefined {
  const { maxPages = DEFAULTS.maxPages, maxItems = DEFAULTS.maxItems } = limits;
  if (items.length > maxItems) {
    items.length = maxItems;
    return `the list has more than ${maxItems} items`;
  }
  return pages >= maxPages ? `the list has more than ${maxPages} pages` : undefined;
}

/** The items of a page; of a page that came before, only those that are new. */
function itemsOf(listed: readonly unknown[], shape: PageShape, known?: readonly unknown[]): readonly unknown[] {
  if (known === undefined) return listed;
  const identities = new Set(known.map((item) => identityOf(item, shape)));
  return listed.filter((item) => !identities.has(identityOf(item, shape)));
}

/**
 * Follows a list from page to page. A cursor that comes a second time ends it: such servers ignore cursors, so only the
 * new items of that page are kept.
 *
 * @param fetchPage - gets one page; what it throws is passed on.
 */
export async function fetchAllPages(
  fetchPage: (cursor: string | undefined) => Promise<JsonObject>,
  shape: PageShape,
  limits: PageLimits = {},
): Promise<Pages> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let pages = 1; ; pages += 1) {
    const page = await fetchPage(cursor);
    const listed = page[shape.key];
    if (!Array.isArray(listed)) return { items, problems: [`"${shape.key}" is not a list`] };
    cursor = nextCursorOf(page);
    const repeated = cursor !== undefined && cursors.has(cursor);
    for (const item of itemsOf(listed, shape, repeated ? items : undefined)) items.push(item);
    const problem = repeated ? REPEATED : limitReached(items, cursor === undefined ? 0 : pages, limits);
    if (problem !== undefined) return { items, problems: [problem] };
    if (cursor === undefined) return { items, problems: [] };
    cursors.add(cursor);
  }
}
