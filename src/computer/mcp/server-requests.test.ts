import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import { everythingOverHttp } from '../../../test/fixtures/mcp-servers/everything-http.js';
import { closeAll } from '../../../test/fixtures/mcp-servers/raw-http.js';
import { RecordingLogger } from '../../../test/support/recording-logger.js';
import { HttpTransport } from './http-transports.js';
import { McpClient, type McpClientOptions } from './mcp-client.js';
import type { AnswerServerRequest } from './server-requests.js';
import { StdioTransport } from './stdio-transport.js';
import type { UpstreamTransport } from './upstream-transport.js';

const root = new URL('../../../', import.meta.url);
const RAW = fileURLToPath(new URL('test/fixtures/mcp-servers/raw-server.mjs', root));
const EVERYTHING = fileURLToPath(new URL('node_modules/@modelcontextprotocol/server-everything/dist/index.js', root));

const open = new Set<McpClient>();
afterEach(async () => {
  await Promise.all([...open].map((client) => client.close()));
  open.clear();
  await closeAll();
});

const logger = new RecordingLogger();
const redact = (text: string): string => text.replaceAll('s3cret', '***');

const common = { server: 'srv', logger, redact };

function stdioTransport(args: readonly string[]): StdioTransport {
  return new StdioTransport({ ...common, command: process.execPath, args });
}

function httpTransport(kind: 'streamable' | 'sse', url: string): HttpTransport {
  return new HttpTransport({ ...common, kind, url, headers: null, connectTimeoutMs: 5_000 });
}

async function connect(options: Partial<McpClientOptions> = {}): Promise<McpClient> {
  const clientInfo = { name: 'test', version: '1' };
  const client = new McpClient({ ...common, transport: stdioTransport([RAW]), clientInfo, ...options });
  open.add(client);
  await client.connect({ timeoutMs: 20_000 });
  return client;
}

const textOf = (result: JsonObject): string => (result['content'] as [{ text: string }])[0].text;
const readText = (result: JsonObject): JsonObject => JSON.parse(textOf(result)) as JsonObject;

/** What the client answers when the server asks this. */
async function ask(client: McpClient, id: number | string, method: string, params?: JsonObject): Promise<JsonObject> {
  return readText(await client.callTool('ask', { id, method, ...(params && { params }) }));
}

async function answersOf(client: McpClient): Promise<JsonObject[]> {
  return JSON.parse(textOf(await client.callTool('answers', {}))) as JsonObject[];
}

const sampling = 'sampling/createMessage';
const elicitation = 'elicitation/create';
/** A handler that never answers, and heeds nothing. */
const hanging: AnswerServerRequest = () => new Promise(() => undefined);

describe('Requests of an MCP server, without handlers and roots,', () => {
  it.each([
    ['ping', { result: {} }],
    ['roots/list', { result: { roots: [] } }],
    [elicitation, { result: { action: 'decline' } }],
    [sampling, { error: { code: -1, message: 'Sampling request rejected: this Computer has no handler for it' } }],
    ['tasks/list', { error: { code: -32601, message: 'Method not found' } }],
    ['__proto__', { error: { code: -32601, message: 'Method not found' } }],
  ])('are declined politely and at once: %s', async (method, answer) => {
    const client = await connect();
    for (const id of [0, 7, 'seven']) {
      expect(await ask(client, id, method, { a: 1 })).toEqual({ jsonrpc: '2.0', id, ...answer });
    }
    expect(readText(await client.callTool('capabilities', {}))).toEqual({});
  });
});

describe('Handlers for requests of an MCP server', () => {
  it('get what the server wrote, and what they give reaches it unchanged; only then the capability is declared', async () => {
    const onSampling = vi.fn<AnswerServerRequest>(() => ({ role: 'assistant', model: 'm', 'x-odd': { kept: [null] } }));
    const onElicitation = vi.fn<AnswerServerRequest>(() => Promise.resolve({ action: 'accept', content: { n: 1 } }));
    const client = await connect({ serverRequests: { onSampling, onElicitation } });
    expect(readText(await client.callTool('capabilities', {}))).toEqual({
      sampling: {},
      elicitation: { form: {}, url: {} },
    });
    const params = JSON.parse(
      '{"z": 1, "__proto__": {"a": 1}, "_meta": {"progressToken": 3}, "mode": "url"}',
    ) as JsonObject;
    expect(await ask(client, 0, sampling, params)).toMatchObject({
      result: { role: 'assistant', model: 'm', 'x-odd': { kept: [null] } },
    });
    expect(await ask(client, 1, elicitation)).toMatchObject({ result: { action: 'accept', content: { n: 1 } } });
    expect(onSampling.mock.calls[0]?.[0].server).toBe('srv');
    expect(JSON.stringify(onSampling.mock.calls[0]?.[0].params)).toBe(JSON.stringify(params));
    expect(onElicitation.mock.calls[0]?.[0]).toEqual({ server: 'srv', params: {} });
  });

  it.each<[string, AnswerServerRequest, JsonObject]>([
    [
      'gives nothing',
      () => undefined,
      { error: { code: -1, message: 'Sampling request rejected: it was refused on this Computer' } },
    ],
    [
      'throws',
      () => {
        throw new Error('the key s3cret is wrong');
      },
      { error: { code: -32603, message: 'The Computer could not answer the request' } },
    ],
    ['rejects', () => Promise.reject(new Error('the key s3cret is wrong')), { error: { code: -32603 } }],
    ['gives no object', () => 'text' as unknown as JsonObject, { error: { code: -32603 } }],
    ['gives what JSON has no form for', () => ({ n: 1n }), { error: { code: -32603 } }],
  ])('may fail: the server learns no more than that when one %s', async (_what, onSampling, answer) => {
    const client = await connect({ serverRequests: { onSampling } });
    const got = await ask(client, 0, sampling);
    expect(got).toMatchObject(answer);
    expect(JSON.stringify(got)).not.toContain('key');
    expect(logger.text).not.toContain('s3cret');
  });

  it('are told when the server takes a request back, whatever its id is, and the server gets no answer', async () => {
    for (const id of [0, 5, 'a']) {
      let signal: AbortSignal | undefined;
      const began = new Promise<void>((begin) => {
        const onElicitation: AnswerServerRequest = (_request, options) => {
          ({ signal } = options);
          begin();
          return new Promise((resolve) => {
            signal?.addEventListener('abort', () => {
              resolve({ action: 'cancel' });
            });
          });
        };
        void connect({ serverRequests: { onElicitation } }).then((client) =>
          client.callTool('send', { messages: [{ id, method: elicitation }] }),
        );
      });
      await began;
      const client = [...open].at(-1);
      const messages = [{ method: 'notifications/cancelled', params: { requestId: id } }];
      await client?.callTool('send', { messages });
      await vi.waitFor(() => {
        expect(signal?.aborted).toBe(true);
      });
      expect(client && (await answersOf(client))).toEqual([]);
    }
  });

  it.each<[string, (client: McpClient) => Promise<unknown>]>([
    ['is closed', (client) => client.close()],
    ['dies', (client) => client.callTool('kill-self', {}).catch(() => undefined)],
  ])('are told when the session %s', async (_what, end) => {
    const signals: AbortSignal[] = [];
    const onSampling: AnswerServerRequest = (_request, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const client = await connect({ serverRequests: { onSampling } });
    await client.callTool('send', { messages: [{ id: 1, method: sampling }] });
    await vi.waitFor(() => {
      expect(signals).toHaveLength(1);
    });
    await end(client);
    await vi.waitFor(() => {
      expect(signals[0]?.aborted).toBe(true);
    });
  });

  it('have a time limit and hold up nothing', async () => {
    const serverRequests = { onSampling: hanging, onElicitation: hanging, timeoutMs: 1_000 };
    const client = await connect({ serverRequests });
    const late = [ask(client, 1, sampling), ask(client, 2, elicitation)];
    expect(await ask(client, 3, 'ping')).toMatchObject({ result: {} });
    expect(textOf(await client.callTool('echo', { a: 1 }))).toBe('{"a":1}');
    expect(await Promise.all(late)).toMatchObject([
      { error: { code: -1, message: 'Sampling request rejected: nobody answered within 1 s' } },
      { result: { action: 'cancel' } },
    ]);
  });

  it('run eight at a time for one server: what it asks beyond that is declined, also when it takes requests back', async () => {
    const onElicitation = vi.fn(hanging);
    const client = await connect({ serverRequests: { onElicitation } });
    const messages = Array.from({ length: 100 }, (_, id) => [
      { id, method: elicitation },
      { method: 'notifications/cancelled', params: { requestId: id } },
    ]);
    await client.callTool('send', { messages: messages.flat() });
    await vi.waitFor(async () => {
      expect(await answersOf(client)).toHaveLength(92);
    });
    expect(onElicitation).toHaveBeenCalledTimes(8);
    const answers = await answersOf(client);
    expect(answers.map(({ result }) => result)).toEqual(answers.map(() => ({ action: 'decline' })));
    // Another request under the id of one that waits is none of its own: there can be one answer.
    const other = await connect({ serverRequests: { onElicitation } });
    await other.callTool('send', {
      messages: [
        { id: 1, method: elicitation },
        { id: 1, method: elicitation },
      ],
    });
    expect(await ask(other, 2, 'ping')).toMatchObject({ result: {} });
    expect(await answersOf(other)).toHaveLength(1);
    expect(onElicitation).toHaveBeenCalledTimes(9);
  });
});

describe('A flood of requests', () => {
  it('is answered within bounds, and the session goes on', async () => {
    const client = await connect({ roots: () => [{ uri: 'file:///x' }] });
    const messages = Array.from({ length: 20_000 }, (_, id) => ({ id, method: id % 2 === 0 ? 'ping' : 'roots/list' }));
    await client.callTool('send', { messages });
    expect(await ask(client, 'after', 'ping')).toMatchObject({ result: {} });
    const ids = new Set((await answersOf(client)).map(({ id }) => id));
    expect(ids.size).toBeGreaterThan(200);
    expect(textOf(await client.callTool('echo', { a: 1 }))).toBe('{"a":1}');
  });
});

describe('server-everything', () => {
  const onSampling = vi.fn<AnswerServerRequest>(() => ({
    role: 'assistant',
    model: 'of-the-test',
    content: { type: 'text', text: 'sampled words' },
  }));
  const onElicitation = vi.fn<AnswerServerRequest>(() => ({
    action: 'accept',
    content: { name: 'Ann', check: true },
  }));
  const roots = () => [{ uri: 'file:///data/one', name: 'One' }, { uri: 'file:///data/two' }];

  it.each<[string, () => Promise<UpstreamTransport>]>([
    ['stdio', () => Promise.resolve(stdioTransport([EVERYTHING, 'stdio']))],
    ['streamable HTTP', async () => httpTransport('streamable', await everythingOverHttp('streamableHttp'))],
    ['SSE', async () => httpTransport('sse', await everythingOverHttp('sse'))],
  ])(
    'gets roots, a sampled text and a form through us over %s',
    async (_how, makeTransport) => {
      const transport = await makeTransport();
      const client = await connect({ transport, roots, serverRequests: { onSampling, onElicitation } });
      // It offers these tools once it has learnt of our capabilities.
      await vi.waitFor(async () => {
        const names = (await client.listTools()).items.map(({ name }) => name);
        expect(names).toEqual(
          expect.arrayContaining(['get-roots-list', 'trigger-sampling-request', 'trigger-elicitation-request']),
        );
      });
      const listed = textOf(await client.callTool('get-roots-list', {}));
      expect(listed).toContain('One\n   URI: file:///data/one');
      expect(listed).toContain('URI: file:///data/two');
      const sampled = await client.callTool('trigger-sampling-request', { prompt: 'hello', maxTokens: 9 });
      expect(textOf(sampled)).toContain('sampled words');
      expect(onSampling.mock.lastCall?.[0].params).toMatchObject({ maxTokens: 9 });
      const elicited = await client.callTool('trigger-elicitation-request', {});
      expect(JSON.stringify(elicited)).toContain('- Name: Ann');
      expect(onElicitation.mock.lastCall?.[0].params).toHaveProperty('requestedSchema.properties.name');
    },
    30_000,
  );
});
