import { describe, expect, it } from 'vitest';
import { isName, nameSchema } from './index.js';

describe('names of offices and members', () => {
  it.each(['a', 'laptop 2', '会议室', '👩‍💻', '__proto__', ' padded ', 'a/b?c#d', 'x'.repeat(256), '😀'.repeat(256)])(
    '[R-1-name-form] may be %j',
    (name) => {
      expect(isName(name)).toBe(true);
      expect(nameSchema.parse(name)).toBe(name);
    },
  );

  it.each(['', ' ', '\u3000\u00a0', 'a\nb', 'a\u0000', 'a\u007f', 'a\u0085', 'x'.repeat(257), '😀'.repeat(257)])(
    '[R-1-name-form] may not be %j',
    (name) => {
      expect(isName(name)).toBe(false);
      expect(nameSchema.safeParse(name).error?.issues[0]?.message).toMatch(/^must be 1 to 256 characters/);
    },
  );

  it.each([[undefined], [null], [7], [['a']], [{}]])('[R-1-name-form] are texts, not %o', (value) => {
    expect(nameSchema.safeParse(value).error?.issues[0]?.message).toBe('expected a string');
  });
});
