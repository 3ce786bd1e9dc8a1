import { createHash } from 'node:crypto';
import { mimeEssence, type InlineDocument } from './document-source.js';

/** How many pieces are hashed until others have a turn: about a megabyte. */
const PIECES_PER_TURN = 16;

const ENDINGS: Readonly<Record<string, string>> = {
  'application/json': '.json',
  'application/pdf': '.pdf',
  'text/html': '.html',
  'text/markdown': '.md',
  'text/plain': '.txt',
};

/**
 * What a document is called where it is kept: the SHA-256 of its bytes in hex, and an ending.
 *
 * @throws the signal's reason.
 */
export async function contentName(document: InlineDocument, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  let pieces = 0;
  for (const piece of document.pieces?.() ?? document.chunks()) {
    hash.update(piece);
    pieces += 1;
    if (pieces % PIECES_PER_TURN !== 0) continue;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  signal.throwIfAborted();
  return hash.digest('hex') + fileEnding(document.mimeType);
}

/** What the name of a file of this kind ends with; `.bin` for what is not known. */
export function fileEnding(mimeType: string | undefined): string {
  const type = mimeEssence(mimeType);
  if (Object.hasOwn(ENDINGS, type)) return ENDINGS[type] ?? '.bin';
  return type.endsWith('+json') ? '.json' : '.bin';
}
