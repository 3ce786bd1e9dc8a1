import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { byteSize } from './render-result.js';
import { CommandError } from './failure.js';

/** The largest document that is fetched, in bytes. */
const LIMIT_BYTES = 256_000_000;

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a Server is on this very machine, so that its `file:` URIs mean files here. Protocol §8.4. */
export function isOnLoopback(serverUrl: string): boolean {
  return URL.canParse(serverUrl) && LOOPBACK_HOST.test(new URL(serverUrl).hostname);
}

/**
 * Fetches what an access URI yields: `http:`, `https:`, `data:`, and `file:` where it is allowed. Protocol §8.4.
 *
 * @throws CommandError saying why it could not be had.
 */
export async function fetchDocument(
  uri: string,
  { fileAllowed, signal }: { readonly fileAllowed: boolean; readonly signal: AbortSignal },
): Promise<Uint8Array> {
  const scheme = URL.canParse(uri) ? new URL(uri).protocol : '';
  if (scheme === 'file:') {
    if (!fileAllowed)
      throw new CommandError('The document is a file of another machine: the Server is not on loopback');
    return await readLocal(uri);
  }
  if (!['http:', 'https:', 'data:'].includes(scheme)) {
    const what = scheme === '' ? 'something that is no URI' : `a "${scheme}" URI`;
    throw new CommandError(`The document is at ${what}, which this command cannot fetch`);
  }
  return await readRemote(uri, signal);
}

async function readLocal(uri: string): Promise<Uint8Array> {
  try {
    const path = fileURLToPath(uri);
    assertSize((await stat(path)).size);
    return await readFile(path);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(`The document cannot be read: ${(error as Error).message}`);
  }
}

async function readRemote(uri: string, signal: AbortSignal): Promise<Uint8Array> {
  try {
    const response = await fetch(uri, { signal });
    if (!response.ok) throw new CommandError(`The document cannot be fetched: HTTP ${response.status}`);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      assertSize(size);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    if (error instanceof CommandError || signal.aborted) throw error;
    throw new CommandError(`The document cannot be fetched: ${causeOf(error)}`);
  }
}

function assertSize(size: number): void {
  if (size > LIMIT_BYTES) throw new CommandError(`The document is larger than ${byteSize(LIMIT_BYTES)}`);
}

/** `fetch` hides the reason in the cause. */
function causeOf(error: unknown): string {
  const { cause, message } = error as Error;
  return cause instanceof Error ? cause.message : message;
}
