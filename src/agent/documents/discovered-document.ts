import { DpeUri, isJsonObject, UriError, type JsonObject } from '../../protocol/index.js';

/** A resource that an MCP server lists, read as a document. What is absent, null or wrong is `undefined`. Protocol §4.3. */
export interface DiscoveredDocument {
  /** The MCP server that lists it. */
  readonly server: string;
  /** As listed: what `openDocument` takes. */
  readonly uri: string;
  /** Its title. */
  readonly name: string | undefined;
  /** Its summary. */
  readonly description: string | undefined;
  readonly keywords: readonly string[];
  /** What it was before it became a document, such as `xlsx`. */
  readonly fileType: string | undefined;
  /** At least 1. */
  readonly pageCount: number | undefined;
  readonly mimeType: string | undefined;
  /** ISO 8601, as listed. */
  readonly lastModified: string | undefined;
  /** The resource as it came, unknown fields kept. */
  readonly resource: JsonObject;
}

/** Reads a resource; `undefined` for one without a URI. */
export function readDocument(server: string, resource: JsonObject): DiscoveredDocument | undefined {
  const { uri, name, description } = resource;
  if (typeof uri !== 'string') return undefined;
  const meta = isJsonObject(resource['_meta']) ? resource['_meta'] : {};
  const annotations = isJsonObject(resource['annotations']) ? resource['annotations'] : {};
  const { keywords, page_count: pages } = meta;
  return {
    server,
    uri,
    name: textOf(name),
    description: textOf(description),
    keywords: Array.isArray(keywords) ? keywords.filter((word): word is string => textOf(word) !== undefined) : [],
    fileType: textOf(meta['file_type']),
    pageCount: Number.isSafeInteger(pages) && (pages as number) >= 1 ? (pages as number) : undefined,
    mimeType: textOf(resource['mimeType']) ?? textOf(resource['mime_type']),
    lastModified: textOf(annotations['lastModified']),
    resource,
  };
}

/** Whether a URI names a document. Protocol §4.2. */
export function isDpeUri(uri: string): boolean {
  try {
    DpeUri.parse(uri);
    return true;
  } catch (error) {
    if (error instanceof UriError) return false;
    throw error;
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
