import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import { fetchAllPages } from './pager.js';

const shape = { key: 'tools', identity: 'name' };
const named = (...names: string[]) => names.map((name) => ({ name }));

/** Serves prepared pages by cursor; '' is the first. */
function pages(table: Record<string, JsonObject>) {
  const asked: string[] = [];
  const fetchPage = (cursor = '') => {
    asked.push(cursor);
    return Promise.resolve(table[cursor] ?? { tools: [] });
  };
  return { asked, fetchPage };
}

describe('fetchAllPages', () => {
  it('follows cursors to the end and keeps duplicates of different pages', async () => {
    const { fetchPage, asked } = pages({
      '': { tools: named('a', 'b'), nextCursor: '1' },
      '1': { tools: named('b'), nextCursor: '2' },
      '2': { tools: named('c') },
    });
    expect(await fetchAllPages(fetchPage, shape)).toEqual({ items: named('a', 'b', 'b', 'c'), problems: [] });
    expect(asked).toEqual(['', '1', '2']);
  });

  it('stops at a repeated cursor and keeps the new items of that page once', async () => {
    const { fetchPage, asked } = pages({
      '': { tools: named('a', 'b'), nextCursor: 'x' },
      x: { tools: named('a', 'b', 'new'), nextCursor: 'x' },
    });
    const { items, problems } = await fetchAllPages(fetchPage, shape);
    expect(items).toEqual(named('a', 'b', 'new'));
    expect(problems).toEqual([expect.stringContaining('same cursor twice')]);
    expect(asked).toHaveLength(2);
  });

  it.each([null, '', 5, undefined])('takes nextCursor %j for the end', async (nextCursor) => {
    const { fetchPage, asked } = pages({ '': { tools: named('a'), nextCursor } });
    await fetchAllPages(fetchPage, shape);
    expect(asked).toHaveLength(1);
  });

  it('stops at its caps and says so', async () => {
    let page = 0;
    const endless = () => Promise.resolve({ tools: named(`t${page}`), nextCursor: String((page += 1)) });
    expect(await fetchAllPages(endless, shape, { maxPages: 3 })).toMatchObject({
      items: { length: 3 },
      problems: ['the list has more than 3 pages'],
    });
    expect(await fetchAllPages(endless, shape, { maxItems: 3 })).toMatchObject({
      items: { length: 3 },
      problems: ['the list has more than 3 items'],
    });
  });

  it('stops at 1,000 pages and at 100,000 items where nothing else is said [F-E-paging]', async () => {
    let page = 0;
    const pagesOf = (size: number) => () => {
      page += 1;
      return Promise.resolve({
        tools: Array.from({ length: size }, (_, n) => ({ name: `${page}-${n}` })),
        nextCursor: String(page),
      });
    };
    expect(await fetchAllPages(pagesOf(1), shape)).toMatchObject({
      items: { length: 1_000 },
      problems: ['the list has more than 1000 pages'],
    });
    expect(await fetchAllPages(pagesOf(30_000), shape)).toMatchObject({
      items: { length: 100_000 },
      problems: ['the list has more than 100000 items'],
    });
  });

  it('says what is no list and keeps the pages before it', async () => {
    const { fetchPage } = pages({ '': { tools: named('a'), nextCursor: '1' }, '1': { tools: 'none' } });
    expect(await fetchAllPages(fetchPage, shape)).toEqual({ items: named('a'), problems: ['"tools" is not a list'] });
  });

  it('gives the items of a well-behaved server in order, whatever the page size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string()), fc.integer({ min: 1, max: 7 }), async (names, size) => {
        const all = named(...names);
        const fetchPage = (cursor = '0') => {
          const end = Number(cursor) + size;
          return Promise.resolve({
            tools: all.slice(Number(cursor), end),
            nextCursor: end < all.length ? String(end) : undefined,
          });
        };
        expect(await fetchAllPages(fetchPage, shape)).toEqual({ items: all, problems: [] });
      }),
    );
  });
});
