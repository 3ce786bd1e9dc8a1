import type { JsonObject } from '../../protocol/index.js';
import { documentSource } from './document-source.js';
import type { DocumentStore } from './document-store.js';
import type { DpeResolverHint } from './dpe-resolver.js';
import { placeReference, type Placed, type PlaceOptions, type ReferenceOptions } from './references.js';

/** What an MCP server gave for a document. */
export interface GivenDocument {
  readonly dpeUri: string;
  readonly contents: readonly JsonObject[];
  readonly hint: Pick<DpeResolverHint, 'mimeType'>;
}

/**
 * Writes a document to the store, bytes and MIME type as they were read; one that is elsewhere may stay there.
 *
 * @throws Error when there is none, or it cannot be kept; the signal's reason.
 */
export async function placeDocument(
  { dpeUri, contents, hint }: GivenDocument,
  store: DocumentStore,
  {
    references,
    ...how
  }: { readonly references: ReferenceOptions | undefined } & Pick<PlaceOptions, 'network' | 'signal'>,
): Promise<Placed> {
  const source = documentSource(dpeUri, contents, hint);
  if (source.kind === 'reference') return await placeReference(source, store, { ...references, ...how });
  return { kind: 'stored', document: await store.put(source, how.signal), mimeType: source.mimeType };
}
