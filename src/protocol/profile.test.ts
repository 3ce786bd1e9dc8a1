import { describe, expect, it } from 'vitest';
import { CALL_EVENTS, COMMAND_EVENTS, NOTICE_EVENTS, PROFILE_0_2, profileVersion, PROTOCOL_VERSION } from './index.js';

describe('the profile of protocol 0.2', () => {
  it('has its version, its range and all events', () => {
    expect(PROFILE_0_2).toMatchObject({ version: PROTOCOL_VERSION });
    expect(profileVersion(PROFILE_0_2)).toEqual({
      version: { major: 0, minor: 2, patch: 0 },
      range: { min: '0.2.0', max: '0.2.999' },
    });
    const { calls, commands, notices } = PROFILE_0_2;
    expect([calls, commands, notices]).toEqual([CALL_EVENTS, COMMAND_EVENTS, NOTICE_EVENTS]);
    expect(Object.isFrozen(PROFILE_0_2)).toBe(true);
  });

  it('answers joins and leaves with two arguments', () => {
    expect(PROFILE_0_2.encodeOutcome({ ok: true })).toEqual([true, null]);
    expect(PROFILE_0_2.encodeOutcome({ ok: false, reason: 'Room already has an agent (4101)' })).toEqual([
      false,
      'Room already has an agent (4101)',
    ]);
  });

  it('says 404 and the name for an MCP server that is not there', () => {
    expect(PROFILE_0_2.mcpServerNotFound('files').toPayload()).toEqual({
      code: 404,
      message: 'This Computer has no MCP server named "files"',
      mcp_server_name: 'files',
    });
  });

  it('refuses a version that is none', () => {
    expect(() => profileVersion({ ...PROFILE_0_2, version: '0.2' })).toThrow(/^profile\.version must be/);
  });
});
