import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PacketType, type Packet } from 'socket.io-parser';
import { tolerantParser } from './tolerant-parser.js';

function decode(...chunks: unknown[]): Packet[] {
  const decoder = new tolerantParser.Decoder();
  const packets: Packet[] = [];
  decoder.on('decoded', (packet) => packets.push(packet));
  for (const chunk of chunks) decoder.add(chunk);
  return packets;
}

describe('the tolerant parser', () => {
  it.each([
    ['2/smcp,["e",NaN]', ['e', null]],
    ['3/smcp,4[Infinity,-Infinity]', [null, null]],
    ['2/smcp,["e",{"NaN":"NaN","a":[NaN, 1e5]}]', ['e', { NaN: 'NaN', a: [null, 1e5] }]],
    ['2/smcp,["e","\\"Infinity",-Infinity]', ['e', '"Infinity', null]],
  ])('reads %s', (text, data) => {
    expect(decode(text)[0]?.data).toEqual(data);
  });

  it.each(['2["e",NaNny]', '2["e",NaN', '2{"a":NaN}', '2["connect",NaN]', 'x'])('refuses %s', (text) => {
    expect(() => decode(text)).toThrow();
  });

  it('goes on after such a packet', () => {
    expect(decode('2["e",NaN]', '2["f",1]').map(({ data }) => data as unknown)).toEqual([
      ['e', null],
      ['f', 1],
    ]);
  });

  it('reads whatever it writes', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 5 })), fc.nat(), (args, id) => {
        const packet = { type: PacketType.EVENT, nsp: '/smcp', id, data: ['event', ...args] };
        const read = decode(...(new tolerantParser.Encoder().encode(packet) as unknown[]));
        expect(JSON.stringify(read[0]?.data)).toBe(JSON.stringify(packet.data));
        expect(read[0]).toMatchObject({ type: PacketType.EVENT, nsp: '/smcp', id });
      }),
    );
  });

  it('turns an acknowledgement with too many arguments into an error, and lets events pass', () => {
    const many = `[${'0,'.repeat(1_000)}0]`;
    expect(decode(`3/smcp,1${many}`)[0]?.data).toMatchObject([{ code: 500 }]);
    expect(decode(`2/smcp,1["e",${many.slice(1)}`)[0]?.data).toHaveLength(1_002);
  });
});
