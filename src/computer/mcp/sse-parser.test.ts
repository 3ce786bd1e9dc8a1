import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseParser } from './sse-parser.js';

function parse(chunks: readonly string[]): string[] {
  const seen: string[] = [];
  const parser = new SseParser({
    onEvent: ({ event, data }) => seen.push(`${event}=${data}`),
    onId: (id) => seen.push(`id=${id}`),
    onRetry: (ms) => seen.push(`retry=${ms}`),
  });
  for (const chunk of chunks) parser.push(chunk);
  return seen;
}

describe('SseParser', () => {
  it.each([
    ['data: a\n\n', ['message=a']],
    ['\uFEFFdata:a\r\ndata: b\r\n\r\n', ['message=a\nb']],
    ['event: endpoint\rdata: /x\r\r', ['endpoint=/x']],
    [': comment\nid: 7\nretry: 50\ndata\n\n', ['id=7', 'retry=50', 'message=']],
    ['event: x\n\ndata: y\n\n', ['message=y']],
    ['data: unfinished\n', []],
    ['retry: soon\nid: a\0b\nother: z\n\n', []],
  ])('%j', (stream, expected) => {
    expect(parse([stream])).toEqual(expected);
  });

  it('reads the same events however the text is cut', () => {
    const piece = fc.constantFrom('data: a', 'data:b: c', 'event: e', 'id: 1', '\n', '\r\n', '\r', '\n\n', ': x', 'é');
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(80)), (pieces, cuts) => {
        const text = pieces.join('');
        const points = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const chunks = points.slice(1).map((end, index) => text.slice(points[index], end));
        expect(parse(chunks)).toEqual(parse([text]));
      }),
    );
  });
});
