// How long a reader waits for the first page of a document of 1,000 pages, each of which has a manifest of its own, against
// the two fetches that it takes: from a store that answers at once, where asking for its place takes as long as a fetch and
// counts on both sides, and from one with the latency of a network. And for all pages, against one after the other.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io } from 'socket.io-client';
import { Agent } from '../src/agent/index.js';
import { PROTOCOL_VERSION } from '../src/protocol/index.js';
import { Server } from '../src/server/index.js';
import { compare, runWhenExecuted } from './support/rounds.js';

const PAGES = 1_000;
const OPENINGS_PER_ROUND = 50;
const ELEMENTS_PER_PAGE = 20;
const NAME = 'dpe://com.example.bench/long';

interface Place extends AsyncDisposable {
  readonly url: string;
}

/** Where the documents are: a document of manifests, and its pages. */
async function openSite(delayMs: number): Promise<Place> {
  const elements = Array.from({ length: ELEMENTS_PER_PAGE }, (_, index) => ({
    element_id: `e${index}`,
    category: index === 0 ? 'Title' : 'NarrativeText',
    text: 'Revenue grew by a fifth while costs stayed where they were. '.repeat(3),
  }));
  const pages = Array.from({ length: PAGES }, (_, index) => ({
    page_index: index,
    title: `Page ${index}`,
    uri: `page/${index}?signature=${'0123456789abcdef'.repeat(4)}`,
    element_count: ELEMENTS_PER_PAGE,
  }));
  const document = JSON.stringify({ doc_ref: 'long', title: 'Long', pages });
  const page = JSON.stringify({ elements });
  const http = createServer((request, response) => {
    const answer = (): void => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(request.url === '/d' ? document : page);
    };
    if (delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/d`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => {
          resolve();
        });
      }),
  };
}

/** An Agent in an office with a Computer that knows where the document is. */
async function openOffice(documentUrl: string): Promise<AsyncDisposable & { readonly agent: Agent }> {
  const server = new Server();
  const { url } = await server.listen(0);
  const computer = io(`${url}/smcp?a2c_version=${PROTOCOL_VERSION}`, { forceNew: true, transports: ['websocket'] });
  computer.on('client:get_dpe', ({ req_id }: { req_id: string }, ack: (answer: object) => void) => {
    ack({ uri: documentUrl, req_id });
  });
  await new Promise<void>((resolve) => computer.once('connect', resolve));
  await computer.emitWithAck('server:join_office', { role: 'computer', name: 'computer', office_id: 'bench' });
  const agent = new Agent({ url, catalog: false });
  await agent.connect();
  await agent.joinOffice('bench');
  return {
    agent,
    [Symbol.asyncDispose]: async () => {
      await agent.close();
      computer.disconnect();
      await server.close();
    },
  };
}

interface Raw {
  readonly pages: readonly { readonly uri: string }[];
  readonly elements: readonly object[];
}

async function fetchJson(url: string | URL): Promise<Raw> {
  const response = await fetch(url);
  return JSON.parse(await response.text()) as Raw;
}

/** The document, then its first page. */
async function twoFetches(url: string): Promise<void> {
  const { pages } = await fetchJson(url);
  const { elements } = await fetchJson(new URL(pages[0]?.uri ?? '', url));
  check(elements.length, ELEMENTS_PER_PAGE);
}

async function firstPage(agent: Agent): Promise<void> {
  const document = await agent.openDocument('computer', NAME);
  check((await document.pages.get(0)).elements.length, ELEMENTS_PER_PAGE);
}

async function onePageAfterTheOther(url: string): Promise<void> {
  const { pages } = await fetchJson(url);
  let elements = 0;
  for (const page of pages) elements += (await fetchJson(new URL(page.uri, url))).elements.length;
  check(elements, PAGES * ELEMENTS_PER_PAGE);
}

async function allPages(agent: Agent): Promise<void> {
  const document = await agent.openDocument('computer', NAME);
  let elements = 0;
  for await (const page of document.pages) elements += page.elements.length;
  check(elements, PAGES * ELEMENTS_PER_PAGE);
}

function check(found: number, expected: number): void {
  if (found !== expected) throw new Error(`${found} elements instead of ${expected}`);
}

async function timed(times: number, act: () => Promise<void>): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < times; count += 1) await act();
  return (performance.now() - began) / times;
}

/** How long the store takes, whether the baseline asks where the document is too, and what has to be reached. */
const FIRST_PAGES: readonly { readonly delayMs: number; readonly asks: boolean; readonly bar?: number }[] = [
  { delayMs: 0, asks: false, bar: 1.5 },
  { delayMs: 0, asks: true, bar: 1.5 },
  { delayMs: 10, asks: false, bar: 1.5 },
];

/** Runs the benchmark and prints its tables. */
export async function run(): Promise<void> {
  for (const { delayMs, asks, bar } of FIRST_PAGES) {
    await using site = await openSite(delayMs);
    await using office = await openOffice(site.url);
    await compare({
      title: `First page of a document of ${PAGES} manifests, from a store that takes ${delayMs} ms`,
      unit: 'ms',
      better: 'lower',
      bar,
      rounds: 21,
      // Where nobody waits for the store, the first thousands of openings tell how fast they are compiled.
      warmUp: delayMs === 0 ? 40 : 1,
      baseline: {
        name: asks ? 'get_dpe, two fetches' : 'two fetches',
        measure: () =>
          timed(OPENINGS_PER_ROUND, async () => {
            if (asks) await office.agent.getDpe('computer', NAME);
            await twoFetches(site.url);
          }),
      },
      subject: {
        name: 'openDocument (get_dpe too), pages.get(0)',
        measure: () => timed(OPENINGS_PER_ROUND, () => firstPage(office.agent)),
      },
    });
  }
  await using site = await openSite(1);
  await using office = await openOffice(site.url);
  await compare({
    title: `All pages of a document of ${PAGES} manifests, from a store that takes 1 ms`,
    unit: 'ms',
    better: 'lower',
    rounds: 5,
    baseline: { name: 'fetches, one after the other', measure: () => timed(1, () => onePageAfterTheOther(site.url)) },
    subject: { name: 'for await (… of document.pages)', measure: () => timed(1, () => allPages(office.agent)) },
  });
}

await runWhenExecuted(import.meta.url, run);
