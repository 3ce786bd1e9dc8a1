import type { McpResource } from './mcp-resource.js';
import { ResourceError } from './resource-error.js';

/** A page ends when it has this many resources … */
const PAGE_ITEMS = 200;
/** … or this many characters of JSON: a Computer passes a page on in one packet. */
const PAGE_CHARACTERS = 250_000;

const CURSOR = /^a2c-smcp:(\d{1,15}):(\d{1,15})$/;

/** One page of a list. */
export interface Page {
  readonly resources: readonly McpResource[];
  /** Absent on the last page. */
  readonly nextCursor: string | undefined;
}

/** Everything there is now. */
type Load = () => Promise<readonly McpResource[]>;

interface Snapshot {
  readonly id: number;
  readonly resources: readonly McpResource[];
}

/**
 * Gives a list page by page. What changes between two pages shows in the next listing: they are cut from the list as it
 * was at the first.
 */
export class PagedList {
  #taken = 0;
  #snapshot: Snapshot | undefined;

  /** Whether a cursor is one of this list's. */
  static isCursor(cursor: string): boolean {
    return cursor.startsWith('a2c-smcp:');
  }

  /**
   * @param load - called for a first page, and where the list of the first page is not there any more.
   * @throws ResourceError when the cursor was never given out; whatever `load` throws.
   */
  async page(cursor: string | undefined, load: Load): Promise<Page> {
    const [, id, offset] = cursor === undefined ? ['', '-1', '0'] : (CURSOR.exec(cursor) ?? []);
    if (offset === undefined) throw ResourceError.invalidParams('The cursor is not one of this list');
    const start = Number(offset);
    const snapshot = this.#snapshot?.id === Number(id) ? this.#snapshot : await this.#take(load);
    const end = endOfPage(snapshot.resources, start);
    const isLast = end >= snapshot.resources.length;
    if (isLast && this.#snapshot === snapshot) this.#snapshot = undefined;
    const nextCursor = isLast ? undefined : `a2c-smcp:${snapshot.id}:${end}`;
    return { resources: snapshot.resources.slice(start, end), nextCursor };
  }

  async #take(load: Load): Promise<Snapshot> {
    const resources = await load();
    this.#taken += 1;
    this.#snapshot = { id: this.#taken, resources };
    return this.#snapshot;
  }
}

function endOfPage(resources: readonly McpResource[], start: number): number {
  let characters = 0;
  let end = start;
  while (end < resources.length && end - start < PAGE_ITEMS && characters < PAGE_CHARACTERS) {
    characters += JSON.stringify(resources[end]).length;
    end += 1;
  }
  return end;
}
