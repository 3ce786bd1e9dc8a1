import {
  assertStrict,
  formatIdentifier,
  parseIdentifier,
  UriError,
  type DroppedPart,
  type IdentifierParts,
} from './identifier-uri.js';

const SCHEME = 'dpe';

/**
 * The identifier of a document, `dpe://{host}/{doc-ref}`. The doc-ref has one or more segments and no inner meaning:
 * pages and elements are not addressed by URI. Protocol §4.2.
 */
export class DpeUri {
  /** As written; compare in lower case. */
  readonly host: string;
  /** Percent-decoded, one by one; at least one. */
  readonly segments: readonly string[];
  /** What the lenient parse threw away. */
  readonly dropped: readonly DroppedPart[];

  private constructor(parts: IdentifierParts) {
    this.host = parts.host;
    this.segments = parts.segments;
    this.dropped = parts.dropped;
  }

  /**
   * Reads a URI as peers send it: a query or fragment is dropped and named in `dropped`.
   *
   * @throws UriError when it is not a DPE URI.
   */
  static parse(uri: string): DpeUri {
    return new DpeUri(withDocRef(parseIdentifier(uri, SCHEME), uri));
  }

  /**
   * Reads a URI as a producer must write it.
   *
   * @throws UriError also for a query, a fragment or a dot segment.
   */
  static parseStrict(uri: string): DpeUri {
    const parts = withDocRef(parseIdentifier(uri, SCHEME), uri);
    assertStrict(parts, uri);
    return new DpeUri(parts);
  }

  /**
   * Builds a URI from its parts, each segment encoded on its own.
   *
   * @throws UriError when a part cannot stand in a DPE URI, or there is no segment.
   */
  static build(host: string, segments: readonly string[]): DpeUri {
    const shown = `${SCHEME}://${host}/${segments.join('/')}`;
    const parts = { host, segments: [...segments], dropped: [] };
    assertStrict(parts, shown);
    return new DpeUri(withDocRef(parts, shown));
  }

  /** The canonical path without its first slash: the name of the document at its host. */
  get docRef(): string {
    return this.segments.map(encodeURIComponent).join('/');
  }

  /** The canonical form. */
  toString(): string {
    return formatIdentifier(SCHEME, this.host, this.segments);
  }
}

function withDocRef(parts: IdentifierParts, uri: string): IdentifierParts {
  if (parts.segments.length === 0) throw new UriError(uri, 'missing doc-ref after the host');
  return parts;
}
