import { describe, expect, it, vi } from 'vitest';
import type { Socket } from 'socket.io';
import { silentLogger } from '../protocol/index.js';
import { EventLog } from './event-log.js';
import { Session } from './session.js';

const session = new Session({ id: 'sid' } as unknown as Socket, { a2cVersion: '0.2.0', declaredRole: undefined });

describe('EventLog', () => {
  it('writes name, req_id and size of an event, cut where a peer chose them, never its payload', () => {
    const debug = vi.fn();
    const log = new EventLog({ ...silentLogger, debug }, false);
    log.received(session, 'x'.repeat(500), { req_id: 'r'.repeat(500), params: { secret: 'canary' } });
    expect(debug).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(debug.mock.calls)).not.toContain('canary');
    expect(debug.mock.calls[0]?.[0]).toMatchObject({
      event: `${'x'.repeat(100)}…`,
      req_id: `${'r'.repeat(100)}…`,
      size: 542,
    });
  });

  it.each([[{ secret: 'canary' }], [['canary']], [7], [null]])('a req_id that is no text is payload: %j', (reqId) => {
    const debug = vi.fn();
    new EventLog({ ...silentLogger, debug }, false).received(session, 'e', { req_id: reqId });
    expect(debug.mock.calls[0]?.[0]).toMatchObject({ event: 'e', req_id: undefined });
  });

  it('does not measure what nobody reads', () => {
    const payload = { toJSON: vi.fn() };
    const debug = vi.fn();
    new EventLog({ ...silentLogger, debug }, true).received(session, 'e', payload);
    const quiet = { ...silentLogger, debug, isLevelEnabled: () => false };
    new EventLog(quiet, false).received(session, 'e', payload);
    expect(payload.toJSON).not.toHaveBeenCalled();
    expect(debug).not.toHaveBeenCalled();
  });

  it('survives payloads that have no size', () => {
    let deep: unknown = 0;
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const debug = vi.fn();
    new EventLog({ ...silentLogger, debug }, false).received(session, 7, deep);
    expect(debug.mock.calls[0]?.[0]).toMatchObject({ event: 'number', size: undefined });
  });
});
