import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { dpeDocumentSchema, ELEMENT_CATEGORIES, type DpeDocumentContent } from '../../protocol/index.js';
import { lintResource } from '../../mcp-server/index.js';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A client of raw JSON lines, so that nothing between the test and the wire hides what the server does. */
class RawClient {
  readonly child: ChildProcessWithoutNullStreams;
  readonly messages: Message[] = [];
  readonly #waiting = new Set<() => void>();
  #lastId = 0;

  constructor() {
    this.child = spawn(process.execPath, ['--import', 'tsx', 'src/cli/demo/bundled-server.ts'], { cwd: root });
    this.child.stderr.resume();
    createInterface(this.child.stdout).on('line', (line) => {
      this.messages.push(JSON.parse(line) as Message);
      for (const look of this.#waiting) look();
    });
  }

  notify(method: string, params: object = {}): void {
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  send(method: string, params: object = {}): number {
    const id = (this.#lastId += 1);
    this.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return id;
  }

  async message(matches: (message: Message) => boolean): Promise<Message> {
    return await new Promise((resolve) => {
      const look = (): void => {
        const found = this.messages.find(matches);
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  answer(id: number): Promise<Message> {
    return this.message((message) => message.id === id && message.method === undefined);
  }

  async request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    const { result, error } = await this.answer(this.send(method, params));
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  call(name: string, args: object, meta?: object): Promise<Record<string, unknown>> {
    return this.request('tools/call', { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) });
  }

  async initialize(): Promise<Record<string, unknown>> {
    const result = await this.request('initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    });
    this.notify('notifications/initialized');
    return result;
  }

  async read(uri: string): Promise<{ uri: string; mimeType?: string; text: string }> {
    const { contents } = (await this.request('resources/read', { uri })) as { contents: [never] };
    expect(contents).toHaveLength(1);
    return contents[0];
  }
}

let client: RawClient | undefined;

async function start(): Promise<RawClient> {
  client = new RawClient();
  await client.initialize();
  return client;
}

afterEach(async () => {
  const child = client?.child;
  client = undefined;
  if (child?.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
});

const textOf = (result: Record<string, unknown>): unknown => (result['content'] as { text?: unknown }[])[0]?.text;

describe('the bundled demonstration server', { timeout: 20_000 }, () => {
  it('declares tools, and resources with subscriptions and change notifications', async () => {
    client = new RawClient();
    expect(await client.initialize()).toMatchObject({
      serverInfo: { name: 'a2c-demo' },
      capabilities: { tools: {}, resources: { subscribe: true, listChanged: true } },
    });
  });

  it('lists its tools with descriptions and schemas, as many as its status window says', async () => {
    const demo = await start();
    const { tools } = (await demo.request('tools/list')) as { tools: Record<string, unknown>[] };
    expect(tools.map(({ name }) => name)).toEqual(['echo', 'add', 'count', 'sleep', 'fail', 'note']);
    for (const tool of tools) {
      expect(tool).toMatchObject({ description: expect.any(String) as string, inputSchema: { type: 'object' } });
    }
    expect((await demo.read('window://com.example.demo/status')).text).toBe('Ready: 6 tools, 2 windows, 2 documents.');
  });

  it('lists two windows and two documents that the lint has nothing to say about', async () => {
    const demo = await start();
    const { resources } = (await demo.request('resources/list')) as { resources: { uri: string }[] };
    expect(resources).toMatchObject([
      { uri: 'window://com.example.demo/notes', annotations: { priority: 0.9, audience: ['assistant'] } },
      { uri: 'window://com.example.demo/status', annotations: { priority: 0.2, audience: ['assistant'] } },
      { uri: 'dpe://com.example.demo/welcome', mimeType: 'application/json', _meta: { page_count: 2 } },
      { uri: 'dpe://com.example.demo/reports/2026/annual', annotations: { audience: ['user'] } },
    ]);
    for (const resource of resources) expect(lintResource({ ...resource })).toEqual([]);
  });

  it.each(['dpe://com.example.demo/welcome', 'dpe://com.example.demo/reports/2026/annual'])(
    'serves %s as DPE JSON with several pages and categories',
    async (uri) => {
      const demo = await start();
      const { mimeType, text, uri: readUri } = await demo.read(uri);
      expect({ mimeType, readUri }).toEqual({ mimeType: 'application/json', readUri: uri });
      const document: DpeDocumentContent = dpeDocumentSchema.parse(JSON.parse(text));
      expect(document).toMatchObject({ uri, doc_ref: uri.split('demo/')[1], page_count: document.pages.length });
      expect(document.pages.length).toBeGreaterThan(1);
      const categories = new Set(document.pages.flatMap((page) => page.elements?.map(({ category }) => category)));
      expect(categories.size).toBeGreaterThan(3);
      for (const category of categories) expect(ELEMENT_CATEGORIES).toContain(category);
    },
  );

  it('echoes, adds, and fails on demand', async () => {
    const demo = await start();
    expect(textOf(await demo.call('echo', { text: 'héllo' }))).toBe('héllo');
    const sum = await demo.call('add', { a: 2, b: 0.5 });
    expect(sum).toMatchObject({ structuredContent: { sum: 2.5 } });
    expect(textOf(sum)).toBe('2.5');
    const failed = await demo.call('fail', { message: 'as you wish' });
    expect(failed).toMatchObject({ isError: true, content: [{ type: 'text', text: 'as you wish' }] });
  });

  it('refuses wrong arguments and unknown resources without ending', async () => {
    const demo = await start();
    expect(await demo.call('count', { to: 0 })).toMatchObject({ isError: true });
    const { error } = await demo.answer(demo.send('resources/read', { uri: 'window://com.example.demo/none' }));
    expect(error?.message).toContain('window://com.example.demo/none');
    expect(textOf(await demo.call('echo', { text: 'still here' }))).toBe('still here');
  });

  it('reports progress at each step of a count', async () => {
    const demo = await start();
    const result = await demo.call('count', { to: 3, delayMs: 0 }, { progressToken: 'steps' });
    expect(textOf(result)).toBe('Counted to 3');
    const progress = demo.messages.filter(({ method }) => method === 'notifications/progress');
    expect(progress.map(({ params }) => params)).toEqual(
      [1, 2, 3].map((step) => ({ progressToken: 'steps', progress: step, total: 3 })),
    );
  });

  it('stops counting when it is cancelled, and counts silently when nobody asked for progress', async () => {
    const demo = await start();
    const requestId = demo.send('tools/call', {
      name: 'count',
      arguments: { to: 1000, delayMs: 5 },
      _meta: { progressToken: 1 },
    });
    await demo.message(({ method }) => method === 'notifications/progress');
    demo.notify('notifications/cancelled', { requestId });
    await demo.call('echo', { text: 'barrier' });
    const before = demo.messages.length;
    // A count of its own lasts longer than a step of the cancelled one would.
    await demo.call('count', { to: 4, delayMs: 10 });
    expect(demo.messages.slice(before).filter(({ method }) => method !== undefined)).toEqual([]);
    expect(demo.messages.filter(({ id }) => id === requestId)).toEqual([]);
  });

  it('tells subscribers, and only them, that a note changed the window', async () => {
    const demo = await start();
    const uri = 'window://com.example.demo/notes';
    const isUpdate = ({ method }: Message): boolean => method === 'notifications/resources/updated';
    await demo.call('note', { text: 'unheard' });
    expect(demo.messages.filter(isUpdate)).toEqual([]);

    await demo.request('resources/subscribe', { uri });
    await demo.call('note', { text: 'heard' });
    expect(await demo.message(isUpdate)).toMatchObject({ params: { uri } });
    expect(await demo.read(uri)).toEqual({ uri, mimeType: 'text/plain', text: 'heard' });

    await demo.request('resources/unsubscribe', { uri });
    await demo.call('note', { text: 'unheard again' });
    expect(demo.messages.filter(isUpdate)).toHaveLength(1);
  });

  it('exits with 0 when stdin ends, also while a call sleeps', async () => {
    const demo = await start();
    demo.send('tools/call', { name: 'sleep', arguments: { seconds: 3600 } });
    await demo.call('echo', { text: 'barrier' });
    const exit = once(demo.child, 'exit');
    demo.child.stdin.end();
    expect(await exit).toEqual([0, null]);
  });

  it('exits with 0 on SIGTERM', async () => {
    const demo = await start();
    const exit = once(demo.child, 'exit');
    demo.child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  it('goes on after a sleep was cancelled', async () => {
    const demo = await start();
    const requestId = demo.send('tools/call', { name: 'sleep', arguments: { seconds: 3600 } });
    demo.notify('notifications/cancelled', { requestId });
    expect(textOf(await demo.call('sleep', { seconds: 0 }))).toBe('Slept for 0 s');
  });
});
