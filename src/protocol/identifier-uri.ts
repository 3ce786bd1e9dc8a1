/** What a lenient parse threw away. */
export type DroppedPart = 'query' | 'fragment';

/** The parts of a `window:` or `dpe:` URI, its segments percent-decoded one by one. */
export interface IdentifierParts {
  readonly host: string;
  readonly segments: readonly string[];
  readonly dropped: readonly DroppedPart[];
}

/** A text is not a URI of the form that was asked for. The message says why. Protocol §4.2. */
export class UriError extends Error {
  override readonly name = 'UriError';
  /** The text as received. */
  readonly uri: string;
  /** Why it was refused, without the text itself. */
  readonly reason: string;

  constructor(uri: string, reason: string) {
    super(`Invalid URI ${JSON.stringify(uri.slice(0, 200))}: ${reason}`);
    this.uri = uri;
    this.reason = reason;
  }
}

const SCHEME = /^([A-Za-z][A-Za-z0-9+.-]*):/;

/**
 * Splits an identifier by hand: `new URL` would trim, lower-case and resolve dots, and two documents would become
 * one. A query and a fragment are dropped and named in `dropped`. Protocol §4.2.
 *
 * @throws UriError when the text is not `scheme://host[/segment…]`.
 */
export function parseIdentifier(text: string, scheme: string): IdentifierParts {
  const hierarchical = afterScheme(text, scheme);
  const hostEnd = indexOfAny(hierarchical, '/?#');
  const host = hierarchical.slice(0, hostEnd);
  const problem = hostProblem(host);
  if (problem !== undefined) throw new UriError(text, problem);
  const { path, dropped } = splitPath(hierarchical.slice(hostEnd));
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => decodeSegment(segment, text));
  return { host, segments, dropped };
}

/** The canonical form: lower-case scheme, host as written, each segment encoded on its own. Protocol §4.2. */
export function formatIdentifier(scheme: string, host: string, segments: readonly string[]): string {
  return [`${scheme}://${host}`, ...segments.map(encodeURIComponent)].join('/');
}

/**
 * Refuses what a producer must not write: a query, a fragment, dot segments, a host that would not parse back.
 * Protocol §4.2.
 *
 * @throws UriError naming the part at fault.
 */
export function assertStrict(parts: IdentifierParts, shown: string): void {
  const problem =
    hostProblem(parts.host) ??
    (/[/?#]/.test(parts.host) ? 'the host must not contain "/", "?" or "#"' : undefined) ??
    parts.dropped.map((part) => `a ${part} is not allowed; metadata belongs in annotations and _meta`).at(0) ??
    parts.segments.map(segmentProblem).find((found) => found !== undefined);
  if (problem !== undefined) throw new UriError(shown, problem);
}

/**
 * Advice on a host's style: reverse domain, lower case, no port. Never a reason to refuse it. Protocol §4.2.
 *
 * @returns sentences, none when the style is fine.
 */
export function lintHost(host: string): string[] {
  const advice: string[] = [];
  if (host !== host.toLowerCase()) advice.push(`host "${host}" should be lower case`);
  if (host.includes(':')) advice.push(`host "${host}" should have no port`);
  if (!host.includes('.')) advice.push(`host "${host}" should be a reverse domain such as com.example.${host}`);
  return advice;
}

function afterScheme(text: string, scheme: string): string {
  if (text === '') throw new UriError(text, 'empty');
  if (/^\s/.test(text)) throw new UriError(text, 'leading whitespace');
  const found = SCHEME.exec(text);
  if (found?.[1]?.toLowerCase() !== scheme) throw new UriError(text, `the scheme must be "${scheme}"`);
  const rest = text.slice(found[0].length);
  if (!rest.startsWith('//')) throw new UriError(text, `"${scheme}:" must be followed by "//" and a host`);
  return rest.slice(2);
}

function indexOfAny(text: string, characters: string): number {
  for (let index = 0; index < text.length; index += 1) {
    if (characters.includes(text.charAt(index))) return index;
  }
  return text.length;
}

function hostProblem(host: string): string | undefined {
  if (host === '') return 'missing host';
  if (/[\s\p{Cc}]/u.test(host)) return 'the host must not contain blanks';
  if (host.includes('@')) return 'the host must not contain "@"';
  return undefined;
}

function splitPath(rest: string): { path: string; dropped: DroppedPart[] } {
  const [beforeFragment = ''] = rest.split('#', 1);
  const [path = ''] = beforeFragment.split('?', 1);
  const dropped: DroppedPart[] = [];
  if (path.length < beforeFragment.length) dropped.push('query');
  if (beforeFragment.length < rest.length) dropped.push('fragment');
  return { path, dropped };
}

function decodeSegment(segment: string, uri: string): string {
  try {
    const decoded = decodeURIComponent(segment);
    encodeURIComponent(decoded);
    return decoded;
  } catch {
    throw new UriError(uri, `the segment "${segment.slice(0, 64)}" is not valid percent-encoded UTF-8`);
  }
}

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'a path segment is empty';
  if (segment === '.' || segment === '..') return `the dot segment "${segment}" is not allowed`;
  try {
    encodeURIComponent(segment);
    return undefined;
  } catch {
    return 'a path segment is not valid Unicode';
  }
}
