import type { Response } from 'undici';
import { connectionProblem } from '../../client/index.js';
import { errorFrame, readFrames, type Frame, type FrameId } from './frames.js';
import { readBody, readEventStream } from './http-body.js';

const RESUME_ATTEMPTS = 3;
const RESUME_DELAY_MS = 500;
const MAX_RESUME_DELAY_MS = 5_000;

/** How the answer to one POSTed request is read. */
export interface ReplyContext {
  /** Id of the request that must be answered, whatever the server does. */
  readonly id: FrameId;
  readonly signal: AbortSignal;
  deliver(frame: Frame): void;
  /** Opens the stream again after the event with this id. */
  resume(lastEventId: string): Promise<Response>;
}

/** The media type of a response, without parameters. */
export function mediaType(response: Response): string {
  return (response.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** What is known of the answer while it is being read. */
interface Progress {
  answered: boolean;
  lastEventId: string | undefined;
  retryMs: number;
}

/**
 * Reads the answer to a request from its HTTP response and delivers it, and whatever comes before it. However the
 * response ends, the request gets an answer: a stream that breaks is resumed where the server gave event ids, and
 * otherwise becomes an error at once. Only an abort ends it silently.
 */
export async function readReply(response: Response, context: ReplyContext): Promise<void> {
  const progress: Progress = { answered: false, lastEventId: undefined, retryMs: RESUME_DELAY_MS };
  let problem: string;
  try {
    problem = await readOnce(response, context, progress);
    for (let attempt = 0; attempt < RESUME_ATTEMPTS && mayResume(context, progress); attempt += 1) {
      await pause(Math.min(progress.retryMs * 2 ** attempt, MAX_RESUME_DELAY_MS), context.signal);
      problem = await resumeOnce(context, progress);
    }
  } catch (error) {
    problem = connectionProblem(error);
  }
  if (!progress.answered && !context.signal.aborted) context.deliver(errorFrame(context.id, problem));
}

function mayResume(context: ReplyContext, progress: Progress): boolean {
  return !progress.answered && progress.lastEventId !== undefined && !context.signal.aborted;
}

async function resumeOnce(context: ReplyContext, progress: Progress): Promise<string> {
  try {
    const response = await context.resume(progress.lastEventId ?? '');
    if (response.ok) return await readOnce(response, context, progress);
    await response.body?.cancel();
    return `The stream could not be resumed (HTTP ${response.status})`;
  } catch (error) {
    return `The stream could not be resumed: ${connectionProblem(error)}`;
  }
}

/** @returns what is wrong if the answer has not come by now. */
async function readOnce(response: Response, context: ReplyContext, progress: Progress): Promise<string> {
  const take = (text: string): void => {
    for (const frame of readFrames(parse(text))) {
      if (!('method' in frame) && String(frame.id) === String(context.id)) progress.answered = true;
      context.deliver(frame);
    }
  };
  const type = mediaType(response);
  if (type === 'text/event-stream') return readStream(response, take, progress);
  if (type === 'application/json') {
    take(await readBody(response));
    return 'The server answered with JSON that holds no answer to the request';
  }
  await response.body?.cancel();
  if (response.status === 202 || response.status === 204) {
    return `The server accepted the request but gave no answer (HTTP ${response.status})`;
  }
  return `The server answered with an unexpected content type: ${type === '' ? 'none' : type}`;
}

async function readStream(response: Response, take: (text: string) => void, progress: Progress): Promise<string> {
  try {
    await readEventStream(response, {
      onEvent: ({ event, data }) => {
        if (event === 'message' && data !== '') take(data);
      },
      onId: (id) => {
        progress.lastEventId = id === '' ? undefined : id;
      },
      onRetry: (ms) => {
        progress.retryMs = ms;
      },
    });
  } catch (error) {
    return `The connection was lost before the answer came: ${connectionProblem(error)}`;
  }
  return 'The stream ended before the answer came';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });
}
