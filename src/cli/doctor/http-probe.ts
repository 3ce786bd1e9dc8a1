import { request as requestHttp, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import { describeCode, openRoute, type NetworkSettings } from '../../client/index.js';

/** What came back. */
export interface ProbeAnswer {
  readonly status: number;
  /** What the other side's clock said, in ms since 1970. */
  readonly date: number | undefined;
  /** What our clock said when the answer came, and how long it took, in ms. */
  readonly now: number;
  readonly tookMs: number;
}

/**
 * Asks an HTTP server for a sign of life, in a way that changes nothing there.
 *
 * @throws Error whose message says why there is none, without the URL: it may hold secrets.
 */
export async function probe(
  method: 'HEAD' | 'OPTIONS',
  url: URL,
  context: { readonly network: NetworkSettings; readonly signal: AbortSignal; readonly now: () => number },
): Promise<ProbeAnswer> {
  const { network, signal, now } = context;
  const route = await openRoute(url, network);
  const begun = now();
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' || url.protocol === 'wss:' ? requestHttps : requestHttp;
    // Without a request's own agent no connection is kept open.
    const options = { agent: false, ...route.options, method, signal } as unknown as RequestOptions;
    const sent = request(new URL(url.href.replace(/^ws/, 'http')), options, (answer) => {
      answer.resume();
      const date = Date.parse(answer.headers.date ?? '');
      const problem = route.problem();
      if (problem !== undefined) reject(new Error(problem));
      else {
        const { statusCode: status = 0 } = answer;
        resolve({ status, date: Number.isNaN(date) ? undefined : date, now: now(), tookMs: now() - begun });
      }
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const { code, message } = error;
      reject(new Error(route.problem() ?? (code === undefined ? message : describeCode(code))));
    });
    sent.end();
  });
}
