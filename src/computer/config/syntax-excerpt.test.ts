import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConfigError } from './config-error.js';
import { parseConfig } from './parse-config.js';
import { syntaxExcerpt } from './syntax-excerpt.js';

function excerptOf(text: string): string | undefined {
  try {
    parseConfig(text);
  } catch (error) {
    return (error as ConfigError).position?.excerpt;
  }
  return undefined;
}

describe('the excerpt of a broken configuration', () => {
  it.each<[text: string, excerpt: string[]]>([
    [
      '{\n  "servers": {\n    "a": { "command": "secret"\n    "b": { "command": "x" } } }',
      ['3 │     "a": { "command": "…"', '4 │     "b": { "command": "…" } } }', '  │     ^'],
    ],
    ['{"env": {"TOKEN": secret}}', ['1 │ {"env": {"TOKEN": …}}', '  │                   ^']],
    ["{'a': 1}", ['1 │ {…: …}', '  │  ^']],
    ['{"a": true, "secret', ['1 │ {"a": true, "…', '  │             ^']],
    ['{"servers": {', ['1 │ {"servers": {', '  │              ^']],
    ['{\r\n\t"a" 1 // secret\r\n}', ['1 │ {', '2 │  "…" … // …', '  │      ^']],
    ['{ /* secret\nsecret */ "a": }', ['1 │ { /* … */', '2 │  "a": }', '  │       ^']],
  ])('of %j shows the place and no value', (text, excerpt) => {
    expect(excerptOf(text)).toBe(excerpt.join('\n'));
  });

  it('shows the part of a long line in which the place is', () => {
    const lines = (excerptOf(`{${'"a": 1, '.repeat(200)}}}`) ?? '').split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]?.[lines[1]?.indexOf('^') ?? 0]).toBe('}');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(110);
  });

  it('holds no secret however the text is broken', () => {
    const text =
      '{"env": {"TOKEN": "sk-canary-1", "B": "x canary y", "C": [1, "canary"] // canary\n}, "args": ["--k=canary"]}';
    fc.assert(
      fc.property(
        fc.nat({ max: text.length }),
        fc.constantFrom('', '"', ':', ',', '{', '}', '\n', "'", '\\', '/*', '//'),
        fc.nat({ max: 3 }),
        (at, put, cut) => {
          const broken = text.slice(0, at) + put + text.slice(at + cut);
          for (const offset of [0, at, broken.length]) expect(syntaxExcerpt(broken, offset)).not.toContain('canary');
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
