/** Whether there is a scheme of at least two characters (`C:\x` is a path) and something after it, without blanks. */
export function isAbsoluteUri(uri: unknown): uri is string {
  return typeof uri === 'string' && /^[A-Za-z][A-Za-z0-9+.-]+:[^\s\p{Cc}]+$/u.test(uri);
}
