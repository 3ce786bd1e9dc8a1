import { describe, expect, it } from 'vitest';
import { checkHttpPath } from './http-path.js';

describe('checkHttpPath', () => {
  it.each(['/', '/socket.io/', '/signal', '/a/b%20c/~x/'])('takes %s as it is', (path) => {
    expect(checkHttpPath(path)).toBe(path);
  });

  it.each(['', 'signal', '//', '//host/', '/a b/', '/a?b', '/a#b', '/\\', '/büro/', '/a\n'])('refuses "%s"', (path) => {
    expect(() => checkHttpPath(path)).toThrow(/^path must start with one "\/"/);
  });
});
