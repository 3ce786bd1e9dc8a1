// An MCP server over streamable HTTP, written by hand, in a process of its own: sessions, one event stream each, answers
// as JSON or as an event stream. `PORT` is its argument, 0 for a free one.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '../../src/protocol/index.js';
import { answerRequests } from './child.js';

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params?: JsonObject;
}

/** The event stream of each session, once it is open. */
const sessions = new Map<string, ServerResponse | undefined>();
let extraTools = 0;

const text = (value: unknown): JsonObject => ({
  content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }],
});

function storm(times: number): JsonObject {
  extraTools = (extraTools + 1) % 5;
  const notice = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  for (const stream of sessions.values()) stream?.write(`data: ${notice}\n\n`.repeat(times));
  return text('stormed');
}

/** Tools: a result, or nothing for one that never answers. */
const TOOLS: Readonly<Record<string, (args: JsonObject) => JsonObject | Promise<JsonObject> | undefined>> = {
  'http-echo': (args) => text(args),
  'http-slow': async ({ ms, ...args }) => {
    await new Promise((resolve) => setTimeout(resolve, Number(ms)));
    return text(args);
  },
  'http-hang': () => undefined,
  'http-storm': ({ times }) => storm(Number(times)),
  'http-names': () => text(names()),
};

function names(): string[] {
  const extra = Array.from({ length: extraTools }, (_, index) => `${new URL(url).port}-extra-${index}`);
  return [...Object.keys(TOOLS), ...extra];
}

function toolList(): JsonObject {
  return { tools: names().map((name) => ({ name, inputSchema: { type: 'object' } })) };
}

async function resultOf({ method, params = {} }: Message): Promise<JsonObject | undefined> {
  if (method === 'initialize') {
    const { protocolVersion } = params;
    return {
      protocolVersion,
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'http', version: '1' },
    };
  }
  if (method === 'tools/list') return toolList();
  if (method !== 'tools/call') return {};
  return TOOLS[String(params['name'])]?.((params['arguments'] ?? {}) as JsonObject);
}

async function answer(message: Message, response: ServerResponse): Promise<void> {
  const { id, method } = message;
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const body = (result: JsonObject): string => JSON.stringify({ jsonrpc: '2.0', id, result });
  if (method === 'tools/call') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const result = await resultOf(message);
    if (result !== undefined) response.end(`data: ${body(result)}\n\n`);
    return;
  }
  const result = (await resultOf(message)) ?? {};
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (method === 'initialize') {
    headers['mcp-session-id'] = randomUUID();
    sessions.set(headers['mcp-session-id'], undefined);
  }
  response.writeHead(200, headers).end(body(result));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const session = request.headers['mcp-session-id'];
  const message = request.method === 'POST' ? (JSON.parse(await bodyOf(request)) as Message) : undefined;
  if (message?.method !== 'initialize' && (typeof session !== 'string' || !sessions.has(session))) {
    response.writeHead(404).end();
  } else if (message !== undefined) {
    await answer(message, response);
  } else if (request.method === 'GET') {
    sessions.set(String(session), response);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
  } else {
    sessions.delete(String(session));
    response.writeHead(200).end();
  }
}

const server = createServer((request, response) => {
  receive(request, response).catch(() => response.destroy());
});
await new Promise<void>((resolve) => server.listen(Number(process.argv[2] ?? '0'), '127.0.0.1', resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
answerRequests(() => Promise.resolve({ url }));
