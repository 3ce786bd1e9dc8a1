const NON_NUMBER = /NaN|Infinity/;
/** A string that does not end runs to the end: if it were no match, the search would begin anew at each of its quotes. */
const STRING_OR_NON_NUMBER = /"(?:[^"\\]|\\[^]?)*"?|-?\bInfinity\b|\bNaN\b/g;

function isInvalidPayload(error: unknown): boolean {
  return error instanceof Error && error.message === 'invalid payload';
}

/**
 * Reads a part of a Socket.IO packet. Python writes the numbers that JSON does not have as `NaN` and `Infinity`, for
 * which Socket.IO closes the whole connection; they are read as null.
 *
 * @param chunk - the text of a packet, or an attachment.
 * @param read - Socket.IO's own decoder.
 * @throws what the decoder throws for anything else that it cannot read.
 */
export function readWithNonNumbers(chunk: unknown, read: (chunk: unknown) => void): void {
  try {
    read(chunk);
  } catch (error) {
    if (typeof chunk !== 'string' || !NON_NUMBER.test(chunk) || !isInvalidPayload(error)) throw error;
    read(chunk.replace(STRING_OR_NON_NUMBER, (token) => (token.startsWith('"') ? token : 'null')));
  }
}
