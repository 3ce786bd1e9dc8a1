import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineFramer } from './line-framer.js';

function collect(maxLine = 1_000, maxPending = 2_000) {
  const seen: string[] = [];
  const framer = new LineFramer({
    maxLine,
    maxPending,
    onLine: (line) => seen.push(`line ${line.toString()}`),
    onOversize: (line) => seen.push(`oversize ${line.length}`),
    onOverflow: (size) => seen.push(`overflow ${size}`),
  });
  return { seen, framer };
}

describe('LineFramer', () => {
  it('finds the same lines however the bytes are cut', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\n', ''));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(200)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map((one) => `${one}\n`).join(''));
        const { seen, framer } = collect();
        const points = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
        for (let index = 1; index < points.length; index += 1) {
          framer.push(bytes.subarray(points[index - 1], points[index]));
        }
        expect(seen).toEqual(lines.map((one) => `line ${one}`));
      }),
    );
  });

  it('reports a line that is too long and goes on', () => {
    const { seen, framer } = collect(5, 100);
    framer.push(Buffer.from('123'));
    framer.push(Buffer.from('456\nok\n'));
    expect(seen).toEqual(['oversize 6', 'line ok']);
  });

  it('gives up once when no newline comes', () => {
    const { seen, framer } = collect(5, 10);
    for (let index = 0; index < 5; index += 1) framer.push(Buffer.from('123456'));
    framer.push(Buffer.from('\nok\n'));
    expect(seen).toEqual(['overflow 12']);
  });

  it('joins a line of 40 MB that comes in 64 KiB pieces in well under a second', () => {
    const { seen, framer } = collect(50_000_000, 60_000_000);
    const began = performance.now();
    const piece = Buffer.alloc(65_536, 'x');
    for (let sent = 0; sent < 40_000_000; sent += piece.length) framer.push(piece);
    framer.push(Buffer.from('\n'));
    expect(seen).toHaveLength(1);
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
