/**
 * A fresh id for a request: a random UUID, or as many random digits where a page has no secure context and therefore
 * no `randomUUID`.
 */
export function newRequestId(): string {
  // Typed as always there; pages without a secure context do not have it.
  const crypto: { readonly randomUUID?: () => string } = globalThis.crypto;
  return crypto.randomUUID?.() ?? randomDigits(16);
}

/** `count` random bytes as hexadecimal digits. */
export function randomDigits(count: number): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(count));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
