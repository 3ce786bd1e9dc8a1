import { describe, expect, it } from 'vitest';
import { eventFields } from './event-fields.js';

describe('eventFields', () => {
  it('tells name, id and size, and nothing of the content', () => {
    const payload = { req_id: 'r', params: { secret: 'canary' } };
    const text = JSON.stringify(eventFields('client:tool_call', payload));
    expect(JSON.parse(text)).toEqual({ event: 'client:tool_call', req_id: 'r', size: JSON.stringify(payload).length });
    expect(text).not.toContain('canary');
  });

  it.each([[undefined], [null], ['x'], [{ req_id: 7 }], [{ n: 1n }]])('copes with any payload', (payload) => {
    expect(eventFields('e', payload)).not.toHaveProperty('req_id');
    expect(() => JSON.stringify(eventFields('e', payload))).not.toThrow();
  });
});
