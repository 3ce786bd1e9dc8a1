import type { InlineDocument } from './document-source.js';
import type { StoredDocument } from './stored-files.js';

/** How much is kept altogether, and of one document at most, in characters. */
const MAX_TOTAL = 4 * 1024 * 1024;
const MAX_EACH = 1024 * 1024;

interface Recent {
  readonly document: InlineDocument;
  readonly stored: StoredDocument;
}

/**
 * The documents that came last, as they came: one that comes again is recognised by comparing, which takes a small part
 * of the time that its hash does. Bounded, and without the large ones.
 */
export class RecentDocuments {
  readonly #byContent = new Map<string, Recent>();
  #total = 0;

  /** What became of the same document. */
  find(document: InlineDocument): StoredDocument | undefined {
    const { raw, mimeType } = document;
    if (raw === undefined || raw.length > MAX_EACH) return undefined;
    const recent = this.#byContent.get(raw);
    if (recent === undefined || recent.document.mimeType !== mimeType) return undefined;
    // The same characters as text and as base64 are two documents.
    if (isText(recent.document) !== isText(document)) return undefined;
    return recent.stored;
  }

  /** Remembers what became of a document. */
  add(document: InlineDocument, stored: StoredDocument): void {
    const { raw } = document;
    if (raw === undefined || raw.length > MAX_EACH) return;
    if (!this.#byContent.delete(raw)) this.#total += raw.length;
    this.#byContent.set(raw, { document, stored });
    for (const [oldest] of this.#byContent) {
      if (this.#total <= MAX_TOTAL) return;
      this.#byContent.delete(oldest);
      this.#total -= oldest.length;
    }
  }
}

function isText(document: InlineDocument): boolean {
  return 'pieces' in document;
}
