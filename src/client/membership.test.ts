import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { refusedReason } from './membership.js';

describe('refusedReason', () => {
  it.each([[[true, null]], [[true]], [[[true, null]]]])('reads %j as accepted', (ack) => {
    expect(refusedReason(ack)).toBeUndefined();
  });

  it.each([
    [[false, 'Room already has an agent (4101)'], 4101],
    [[false, 'Taken: a (b) (403) '], 403],
    [[false, 'Taken (403) today'], undefined],
    [[false, 'x'], undefined],
    [[{ code: 4103, message: 'm' }], 4103],
    [[{ error: { code: 400, message: 'm' } }], 400],
    [[null, { code: 403, message: 'm' }], 403],
  ])('reads the code of %j as %s', (ack, code) => {
    expect(refusedReason(ack)?.code).toBe(code);
  });

  it('only true is accepted', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), (ack) => {
        const first = ack.length === 1 && Array.isArray(ack[0]) ? (ack[0] as unknown[])[0] : ack[0];
        expect(refusedReason(ack) === undefined).toBe(first === true);
      }),
    );
  });
});
