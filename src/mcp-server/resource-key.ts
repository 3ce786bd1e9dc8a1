import { DpeUri, UriError, WindowUri } from '../protocol/index.js';

/** A `window:` or `dpe:` URI, taken apart. */
export interface ParsedUri {
  /** Equal for URIs that name the same resource: hosts are compared in lower case. Protocol §4.2. */
  readonly key: string;
  readonly scheme: 'window' | 'dpe';
  /** Lower case. */
  readonly host: string;
  readonly segments: readonly string[];
}

/** @returns `undefined` for what is neither a window nor a document. */
export function parseUri(uri: string): ParsedUri | undefined {
  const scheme = /^(window|dpe):/i.exec(uri)?.[1]?.toLowerCase();
  if (scheme !== 'window' && scheme !== 'dpe') return undefined;
  try {
    const parsed = scheme === 'window' ? WindowUri.parse(uri) : DpeUri.parse(uri);
    const host = parsed.host.toLowerCase();
    const { segments } = parsed;
    return { key: [`${scheme}://${host}`, ...segments.map(encodeURIComponent)].join('/'), scheme, host, segments };
  } catch (error) {
    if (error instanceof UriError) return undefined;
    throw error;
  }
}
