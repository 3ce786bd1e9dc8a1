import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../protocol/index.js';
import { StderrRing } from './stderr-ring.js';

function make() {
  const logged: string[] = [];
  const logger = {
    ...silentLogger,
    debug: (fields: object) => {
      if ('line' in fields) logged.push(String(fields.line));
    },
  };
  const ring = new StderrRing({ server: 's', logger, redact: (text) => text.replaceAll('s3cret', '***') });
  return {
    ring,
    logged,
    push: (text: string) => {
      ring.push(Buffer.from(text));
    },
  };
}

describe('StderrRing', () => {
  it('gives the last lines without secrets, each cut at 1,000 characters', () => {
    const { ring, push } = make();
    for (let line = 0; line < 100; line += 1) push(`line ${line} s3cret\n`);
    push('x'.repeat(5_000));
    const lines = ring.tail().split('\n');
    expect(lines).toHaveLength(20);
    expect(lines[0]).toBe('line 81 ***');
    expect(lines.at(-1)).toHaveLength(1_001);
  });

  it('keeps at most about 64 KiB and never half a secret [F-B-stderr-bounded] [F-B-stderr-redacted]', () => {
    const { ring, push } = make();
    push(`start s3c`);
    push(`ret of a long line ${'y'.repeat(70_000)}`);
    for (let index = 0; index < 40; index += 1) push('z'.repeat(4_000));
    expect(ring.tail()).toBe('');
    push('\nthe end');
    expect(ring.tail()).toBe('the end');
  });

  it('takes ten thousand small pieces', () => {
    const { ring, push } = make();
    for (let index = 0; index < 10_000; index += 1) push('ab\n');
    expect(ring.tail(3)).toBe('ab\nab\nab');
  });

  it('logs whole redacted lines, at most about twenty a second [F-B-stderr-bounded] [F-B-stderr-redacted]', () => {
    const { logged, push } = make();
    push('one s3c');
    push('ret\ntwo\npart');
    expect(logged).toEqual(['one ***', 'two']);
    for (let index = 0; index < 1_000; index += 1) push(`s3c\nret ${index}\n`);
    expect(logged.length).toBeLessThan(45);
    expect(logged.every((line) => line !== 'ret')).toBe(true);
  });
});
