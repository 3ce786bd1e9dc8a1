import type { NetworkSettings } from '../../client/index.js';
import type { ResolvedResource } from './dpe-resolver.js';
import type { DocumentReference } from './document-source.js';
import type { DocumentStore } from './document-store.js';
import { fetchReference } from './fetch-reference.js';
import { readReferencedFile } from './read-referenced-file.js';
import type { StoredDocument } from './stored-files.js';

/** What happens to a document that an MCP server has elsewhere (`application/vnd.a2c.dpe-uri+json`). */
export interface ReferenceOptions {
  /**
   * `pass`: the Agent gets the address, if it is one of `http(s):`. `copy`: the Computer fetches it and keeps it like
   * any other document; for addresses that the Agent cannot reach.
   *
   * @default 'pass'
   */
  readonly mode?: 'pass' | 'copy';
  /**
   * Whether addresses of this machine and its network may be fetched for a copy. An MCP server chooses the address: it
   * could name a service that only this machine can reach.
   *
   * @default false
   */
  readonly allowPrivate?: boolean;
  /**
   * The folders below which files of `file:` addresses may be copied; links are followed first.
   *
   * @default none
   */
  readonly folders?: readonly string[];
}

/** A document is in the store, or somewhere else where the Agent can get it. */
export type Placed =
  | { readonly kind: 'stored'; readonly document: StoredDocument; readonly mimeType: string | undefined }
  | { readonly kind: 'elsewhere'; readonly resolved: ResolvedResource };

/** How one document is placed. */
export interface PlaceOptions extends ReferenceOptions {
  readonly signal: AbortSignal;
  /** The way to where it is; absent: directly. */
  readonly network?: NetworkSettings | undefined;
}

/**
 * Passes a reference on, or copies what is there.
 *
 * @throws Error when the reference may not be used, or it cannot be copied; the signal's reason.
 */
export async function placeReference(
  reference: DocumentReference,
  store: DocumentStore,
  options: PlaceOptions,
): Promise<Placed> {
  const { signal, network } = options;
  const allowPrivate = options.allowPrivate === true;
  const scheme = /^[^:]*/.exec(reference.uri)?.[0].toLowerCase() ?? '';
  const isWeb = scheme === 'http' || scheme === 'https';
  if (options.mode !== 'copy') {
    if (!isWeb) throw new Error(`The document is at a "${scheme}:" address, which is not passed on`);
    return { kind: 'elsewhere', resolved: passedOn(reference) };
  }
  if ((reference.size ?? 0) > store.maxDocumentBytes) {
    throw new Error(`The document is larger than the limit of ${store.maxDocumentBytes} bytes`);
  }
  if (isWeb) {
    await using found = await fetchReference(reference.uri, { signal, allowPrivate, network });
    const mimeType = reference.mimeType ?? found.mimeType;
    return { kind: 'stored', document: await store.putStream(found.chunks, { mimeType, signal }), mimeType };
  }
  if (scheme !== 'file') throw new Error(`The document is at a "${scheme}:" address, which cannot be copied`);
  await using found = await readReferencedFile(reference.uri, options.folders ?? []);
  const { mimeType } = reference;
  return { kind: 'stored', document: await store.putStream(found.chunks, { mimeType, signal }), mimeType };
}

function passedOn({ uri, mimeType, size, expiresAt, etag }: DocumentReference): ResolvedResource {
  const meta = {
    ...(expiresAt === undefined ? undefined : { expires_at: expiresAt }),
    ...(etag === undefined ? undefined : { etag }),
  };
  return { uri, mimeType, size, ...(Object.keys(meta).length === 0 ? undefined : { _meta: meta }) };
}
