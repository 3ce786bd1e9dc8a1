import { describe, expect, it } from 'vitest';
import { type JsonObject, silentLogger } from '../protocol/index.js';
import { allResources, MAX_PAGES, MAX_RESOURCES } from './all-resources.js';
import type { ResourcePage } from './answers.js';

async function read(
  getPage: (cursor: string | undefined) => ResourcePage,
): Promise<{ all: unknown[]; warnings: string[] }> {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (_fields: object, message: string) => warnings.push(message) };
  const all: JsonObject[] = [];
  for await (const resource of allResources((cursor) => Promise.resolve(getPage(cursor)), logger)) all.push(resource);
  return { all: all.map(({ uri }) => uri), warnings };
}

describe('allResources', () => {
  it('reads to the last page', async () => {
    const pages: Record<string, ResourcePage> = {
      first: { resources: [{ uri: 1 }], nextCursor: 'b' },
      b: { resources: [], nextCursor: '' },
      '': { resources: [{ uri: 2 }] },
    };
    const { all, warnings } = await read((cursor) => pages[cursor ?? 'first'] ?? { resources: [] });
    expect(all).toEqual([1, 2]);
    expect(warnings).toEqual([]);
  });

  it('stops at a repeated cursor, each page kept once', async () => {
    const next: Record<string, string> = { first: 'a', a: 'b', b: 'a' };
    const { all, warnings } = await read((cursor = 'first') => ({
      resources: [{ uri: cursor }],
      nextCursor: next[cursor] ?? 'first',
    }));
    expect(all).toEqual(['first', 'a', 'b']);
    expect(warnings).toEqual(['Stopped at a repeated cursor']);
  });

  it('stops at the caps', async () => {
    let page = 0;
    const endless = await read(() => ({ resources: [{ uri: page }], nextCursor: String(page++) }));
    expect(endless.all).toHaveLength(MAX_PAGES);
    expect(endless.warnings).toEqual(['Stopped at the limit of pages']);
    const huge = Array.from({ length: MAX_RESOURCES + 1 }, () => ({ uri: 0 }));
    const large = await read(() => ({ resources: huge }));
    expect(large.all).toHaveLength(MAX_RESOURCES);
    expect(large.warnings).toEqual(['Stopped at the limit of resources']);
  });
});
