/** Part of a document, first and last byte. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads the header `Range`. RFC 9110 §14.2.
 *
 * @param size - of the document, in bytes.
 * @returns `undefined` for the whole of it: no range, several, or none that can be read; `unsatisfiable` when it is
 *   beyond the end.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '') ?? [];
  if (first === '' && last === '') return undefined;
  return first === '' ? lastBytes(Number(last), size) : bytesFrom(Number(first), last, size);
}

function lastBytes(count: number, size: number): ByteRange | 'unsatisfiable' {
  const length = Math.min(count, size);
  return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
}

function bytesFrom(start: number, last: string, size: number): ByteRange | 'unsatisfiable' | undefined {
  const end = last === '' ? Infinity : Number(last);
  if (end < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}
