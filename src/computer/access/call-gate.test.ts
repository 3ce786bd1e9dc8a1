import { describe, expect, it } from 'vitest';
import type { CallToolResult } from '../../protocol/index.js';
import { CallGate, type CallAtGate } from './call-gate.js';

const route = { server: 'files', tool: 'read_file', meta: undefined, schema: {} };
const call: CallAtGate = { agent: 'ann', exposedName: 'read', route };
const plain = (text: string): string => text;

function textOf(result: CallToolResult | undefined): string {
  return String(result?.content[0]?.['text']);
}

describe('CallGate', () => {
  it('lets everything through at first', () => {
    expect(new CallGate().refusal(call, plain)).toBeUndefined();
  });

  it('refuses every call with 4002 while it is paused, names that lead nowhere too, and says why', () => {
    const gate = new CallGate(undefined, () => 7);
    expect(gate.pause(' lunch ')).toEqual({ reason: 'lunch', since: 7 });
    for (const one of [call, { ...call, route: undefined }]) {
      const result = gate.refusal(one, plain);
      expect(result).toMatchObject({ isError: true, meta: { error_code: 4002 } });
      expect(textOf(result)).toMatch(/owner.*paused.*try again later.*lunch/);
    }
    expect(gate.resume()).toBe(true);
    expect(gate.resume()).toBe(false);
    expect(gate.paused).toBeUndefined();
    expect(gate.refusal(call, plain)).toBeUndefined();
  });

  it('keeps the time of the first pause when another reason is given, and shows no secret of a reason', () => {
    let now = 1;
    const gate = new CallGate(undefined, () => now);
    gate.pause(undefined);
    now = 2;
    expect(gate.pause('because of hunter2')).toEqual({ reason: 'because of hunter2', since: 1 });
    expect(textOf(gate.refusal(call, (text) => text.replace('hunter2', '***')))).toContain('because of ***');
    expect(gate.pause('  ')).toEqual({ reason: undefined, since: 1 });
    expect(gate.pause('x'.repeat(10_000)).reason).toHaveLength(500);
  });

  it('refuses what the rules do not allow, by either name of the tool, and leaves other names to others', () => {
    const gate = new CallGate({ deny: [{ tool: 'read_file' }] });
    const result = gate.refusal(call, plain);
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4002 } });
    expect(textOf(result)).toMatch(/does not allow this Agent to call "read"/);
    expect(gate.refusal({ ...call, route: undefined }, plain)).toBeUndefined();
    gate.access = { allow: [{ agent: 'ann' }] };
    expect(gate.refusal(call, plain)).toBeUndefined();
    expect(gate.refusal({ ...call, agent: 'bob' }, plain)).toBeDefined();
  });

  it('keeps its rules when others are wrong', () => {
    const rules = { deny: [{ agent: 'bob' }] };
    const gate = new CallGate(rules);
    expect(() => {
      gate.access = { deny: [{}] };
    }).toThrow(TypeError);
    expect(gate.access).toEqual(rules);
  });
});
