import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MASK, Redactor } from './redactor.js';

function redactorOf(...secrets: string[]): Redactor {
  const redactor = new Redactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor;
}

const secret = fc.string({ unit: 'grapheme', minLength: 8, maxLength: 40 }).filter((text) => text.trim().length >= 8);

describe('Redactor', () => {
  it('takes a secret out of a text and leaves the rest', () => {
    expect(redactorOf('hunter2x').redact('login with hunter2x failed')).toBe(`login with ${MASK} failed`);
  });

  it('leaves a text without secrets as it is', () => {
    expect(redactorOf('hunter2x').redact('nothing here')).toBe('nothing here');
    expect(new Redactor().redact('nothing here')).toBe('nothing here');
  });

  it.each([
    ['URL-encoded', (value: string) => encodeURIComponent(value)],
    ['URL-encoded in lower case', (value: string) => encodeURIComponent(value).replace(/%../g, (e) => e.toLowerCase())],
    ['form-encoded', (value: string) => encodeURIComponent(value).replaceAll('%20', '+')],
    ['JSON-escaped', (value: string) => JSON.stringify(value)],
    ['base64', (value: string) => Buffer.from(value).toString('base64')],
    ['Basic credentials', (value: string) => `Basic ${Buffer.from(`user:${value}`).toString('base64')}`],
    ['base64url', (value: string) => Buffer.from(`ab${value}?`).toString('base64url')],
  ])('finds the %s form', (_name, encode) => {
    const value = 'pä"ss wo/rd+?>>~\\x';
    const shown = redactorOf(value).redact(`before ${encode(value)} after`);
    expect(shown).toContain(MASK);
    expect(shown).not.toContain(encode(value).slice(8, 16));
  });

  it('knows the last generations of a secret that changes, and what others added', () => {
    const redactor = redactorOf('fixed-secret', 'token-000');
    for (let n = 0; n < 1_000; n++) redactor.rotate('a', [`token-${n}-of-a`]);
    redactor.rotate('b', ['token-of-b']);
    const shown = redactor.redact('fixed-secret token-000 token-999-of-a token-996-of-a token-5-of-a token-of-b');
    expect(shown).toBe(`${MASK} ${MASK} ${MASK} ${MASK} token-5-of-a ${MASK}`);
  });

  it('finds each line of a secret of several lines', () => {
    expect(redactorOf('-----BEGIN KEY-----\nabcdefghij\n').redact('stderr: abcdefghij')).toBe(`stderr: ${MASK}`);
  });

  it.each([
    ['xyz', 'code xyz!', `code ${MASK}!`],
    ['xyz', 'wxyz', 'wxyz'],
    ['7', 'exit 7', 'exit 7'],
    ['true', 'it is true', 'it is true'],
  ])('treats the short or everyday value %s sensibly in "%s"', (value, text, expected) => {
    expect(redactorOf(value).redact(text)).toBe(expected);
  });

  it('redacts every text within a structure, keys included', () => {
    const shown = redactorOf('hunter2x').redactValue({ a: ['hunter2x', 1], hunter2x: new Error('bad hunter2x') });
    expect(shown).toEqual({ a: [MASK, 1], [MASK]: `Error: bad ${MASK}` });
  });

  it('never shows a canary, whatever other secrets overlap it', () => {
    fc.assert(
      fc.property(secret, secret, fc.tuple(fc.string(), fc.string()), fc.nat(7), (one, two, [before, after], cut) => {
        const text = before + one + two.slice(cut) + after + two + one.slice(cut) + two;
        const shown = redactorOf(one, two, two.slice(cut) + one).redact(text);
        const rest = shown.split(MASK).join('\u0000');
        return !rest.includes(one.trim()) && !rest.includes(two.trim());
      }),
    );
  });

  it('leaves no rest of overlapping secrets', () => {
    expect(redactorOf('abcdEF', 'EFghijk').redact('-abcdEFghijk-')).toBe(`-${MASK}-`);
  });

  it('takes secrets out of the beginning of a text as if it had seen all of it', () => {
    const redactor = new Redactor();
    for (const secret of ['#aaaa#', '#a#####', 'a#', '####']) redactor.add(secret);
    const pieces = fc.array(fc.constantFrom('#aaaa#', '#a#####', '####', '.', '..', ' a# '), { maxLength: 12 });
    fc.assert(
      fc.property(pieces, fc.nat({ max: 40 }), (parts, length) => {
        const text = parts.join('');
        const start = redactor.redactStart(text, length);
        expect(redactor.redact(text).startsWith(start)).toBe(true);
        expect(redactor.redactStart(text.slice(0, redactor.startNeeded(length)), length)).toBe(start);
        if (length >= text.length) expect(start).toBe(redactor.redact(text));
      }),
    );
  });
});
