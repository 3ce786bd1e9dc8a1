/**
 * Judges the HTTP path of Socket.IO. Requests come with a path in ASCII, and one that begins with two slashes would be
 * read as a host: a Server with any other path could not be reached. Protocol §2.
 *
 * @returns the path as it was given.
 * @throws TypeError when it cannot be one.
 */
export function checkHttpPath(path: string): string {
  if (!/^\/(?!\/)[!-~]*$/.test(path) || /[?#\\]/.test(path)) {
    throw new TypeError(
      'path must start with one "/" and hold no "?", "#", "\\", blank or letter beyond ASCII, such as /socket.io/',
    );
  }
  return path;
}
