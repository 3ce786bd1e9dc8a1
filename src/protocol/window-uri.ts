import {
  assertStrict,
  formatIdentifier,
  parseIdentifier,
  type DroppedPart,
  type IdentifierParts,
} from './identifier-uri.js';

const SCHEME = 'window';

/**
 * The identifier of a window, `window://{host}[/{segment}…]`: no query, no fragment, no metadata. Protocol §4.2.
 *
 * @example
 * WindowUri.build('com.example.editor', ['src/main', 'file name']).toString();
 * // window://com.example.editor/src%2Fmain/file%20name
 */
export class WindowUri {
  /** As written; compare in lower case. */
  readonly host: string;
  /** Percent-decoded, one by one. */
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
   * @throws UriError when it is not a window URI.
   */
  static parse(uri: string): WindowUri {
    return new WindowUri(parseIdentifier(uri, SCHEME));
  }

  /**
   * Reads a URI as a producer must write it.
   *
   * @throws UriError also for a query, a fragment or a dot segment.
   */
  static parseStrict(uri: string): WindowUri {
    const parts = parseIdentifier(uri, SCHEME);
    assertStrict(parts, uri);
    return new WindowUri(parts);
  }

  /**
   * Builds a URI from its parts, each segment encoded on its own.
   *
   * @throws UriError when a part cannot stand in a window URI.
   */
  static build(host: string, segments: readonly string[] = []): WindowUri {
    const parts = { host, segments: [...segments], dropped: [] };
    assertStrict(parts, `${SCHEME}://${host}/${segments.join('/')}`);
    return new WindowUri(parts);
  }

  /** The canonical form. */
  toString(): string {
    return formatIdentifier(SCHEME, this.host, this.segments);
  }
}
