import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Agent, AgentOptions } from '../../src/agent/index.js';
import { fakeComputer, joinedAgent, startServer, type Answerer, type FakeComputer } from './agent-fixtures.js';

/** Answers one request of a site. */
export type Route = (response: ServerResponse, request: IncomingMessage) => void;

/** A web server that says what the test wants. */
export interface Site {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** By path; what is missing is 404. May be changed while it runs. */
  readonly routes: Record<string, Route>;
  /** The paths that were asked for, in order. */
  readonly asked: string[];
  readonly close: () => Promise<void>;
}

/** Listens until the test is over. */
export async function startSite(routes: Record<string, Route> = {}): Promise<Site> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site');
    asked.push(pathname + search);
    const route = routes[pathname];
    if (route === undefined) response.writeHead(404).end();
    else route(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    if (!server.listening) return;
    server.close();
    await once(server, 'close');
  };
  onTestFinished(close);
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, routes, asked, close };
}

/** Answers with JSON. */
export const json =
  (value: unknown): Route =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  };

/** Answers with a status and nothing else. */
export const status =
  (code: number, headers: Record<string, string> = {}): Route =>
  (response) => {
    response.writeHead(code, headers).end();
  };

/** Sends somewhere else. */
export const redirect = (location: string, code = 302): Route => status(code, { location });

/** The document that the tests open. */
export const DOCUMENT = 'dpe://com.example.docs/report';

/** An Agent, and a Computer that answers `get_dpe` with what it is told to. */
export interface DocumentOffice {
  readonly agent: Agent;
  readonly computer: FakeComputer;
  readonly url: string;
  /** How often the Computer was asked for a document. */
  readonly asks: () => number;
}

/**
 * Puts an Agent and a Computer into an office.
 *
 * @param access - the answers to `get_dpe`, one after the other; the last one for all that follow.
 */
export async function documentOffice(
  access: readonly (string | Record<string, unknown>)[],
  options: Partial<AgentOptions> = {},
  answers: Readonly<Record<string, Answerer>> = {},
): Promise<DocumentOffice> {
  const { url } = await startServer();
  let count = 0;
  const computer = await fakeComputer(
    url,
    { office: 'documents', name: 'laptop' },
    {
      'client:get_dpe': ({ req_id }) => {
        const answer = access[Math.min(count, access.length - 1)];
        count += 1;
        return typeof answer === 'string' ? { uri: answer, req_id } : { ...answer, req_id };
      },
      ...answers,
    },
  );
  const agent = await joinedAgent(url, 'documents', options);
  return { agent, computer, url, asks: () => count };
}

/** A page with one text. */
export const textPage = (text: string, more: object = {}): object => ({
  elements: [{ element_id: 'e', category: 'NarrativeText', text }],
  ...more,
});

/** A `data:` URI of JSON. */
export const dataUri = (value: unknown): string =>
  `data:application/json;base64,${Buffer.from(JSON.stringify(value)).toString('base64')}`;
