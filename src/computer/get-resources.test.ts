import { describe, expect, it } from 'vitest';
import { PROFILE_0_2, ProtocolError, type JsonObject } from '../protocol/index.js';
import { getResources } from './get-resources.js';
import { CallTimeoutError } from './mcp/mcp-errors.js';

async function ask(page: JsonObject | Error, cursor?: string | null): Promise<JsonObject> {
  const seen: unknown[] = [];
  const request = {
    agent: 'ann',
    req_id: 'r1',
    computer: 'c',
    mcp_server: 'docs',
    ...(cursor !== undefined && { cursor }),
  };
  const answer = getResources(request, {
    listResourcesPage: (_server, given) => {
      seen.push(given);
      return page instanceof Error ? Promise.reject(page) : Promise.resolve(page);
    },
    profile: PROFILE_0_2,
    redact: (text) => text.replaceAll('secret', '***'),
    signal: new AbortController().signal,
  });
  try {
    const { req_id, ...rest } = await answer;
    return { ...rest, seen, req_id };
  } catch (error) {
    if (error instanceof ProtocolError) return { ...error.toPayload() };
    throw error;
  }
}

describe('getResources', () => {
  it.each<[string, unknown, JsonObject]>([
    ['a cursor', 'next', { next_cursor: 'next' }],
    ['none', undefined, {}],
    ['null', null, {}],
    ['a number', 7, {}],
  ])('gives a next_cursor only for a text: %s [R-8.2-transparent]', async (_what, nextCursor, fields) => {
    expect(await ask({ resources: [], nextCursor })).toEqual({
      resources: [],
      seen: [undefined],
      req_id: 'r1',
      ...fields,
    });
  });

  it('passes the cursor on as it is', async () => {
    for (const cursor of ['', ' a%2F?', null]) expect((await ask({ resources: [] }, cursor))['seen']).toEqual([cursor]);
  });

  it('adds mime_type beside mimeType and changes nothing else, an own mime_type least of all [R-8.2-transparent]', async () => {
    const meta = { annotations: { lastModified: 'never', priority: 'high' }, _meta: { page_count: -1 }, size: 'x' };
    const resources: JsonObject[] = [
      { uri: 'a:1', mimeType: 'text/x', ...meta },
      { uri: 'a:1', mimeType: 7, mime_type: 'own' },
      { uri: 'not a uri', mimeType: null },
    ];
    const answer = await ask({ resources, _meta: { kept: false } });
    expect(answer['resources']).toEqual([
      { ...resources[0], mime_type: 'text/x' },
      resources[1],
      { ...resources[2], mime_type: null },
    ]);
  });

  it.each<[string, JsonObject | Error, number]>([
    ['that has no list', { resources: { a: 1 } }, 500],
    ['that does not come in time', new CallTimeoutError('docs', 1), 408],
    ['that fails', new Error('no secret'), 500],
  ])('answers for a page %s with an error that names the server', async (_what, page, code) => {
    const answer = await ask(page);
    expect(answer).toMatchObject({ code, mcp_server_name: 'docs' });
    expect(JSON.stringify(answer)).not.toContain('secret');
  });
});
