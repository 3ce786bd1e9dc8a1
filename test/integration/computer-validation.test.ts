import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { Diagnostic } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { Office, packageServer, textOf } from '../fixtures/computer/office.js';

const RAW = fileURLToPath(new URL('../fixtures/mcp-servers/raw-server.mjs', import.meta.url));

const properties = { n: { type: 'integer', minimum: 1, default: 7 }, mode: { enum: ['fast', 'slow'] } };
const schemas = {
  echo: { type: 'object', properties, required: ['mode'], additionalProperties: false },
  'echo-params': { type: 'object', properties: { a: { $ref: '#/$defs/missing' } } },
};

function raw(extra: JsonObject = {}): JsonObject {
  const only = ['echo', 'echo-params', 'counts'];
  const args = [RAW, JSON.stringify({ only, schemas })];
  return { command: process.execPath, args, default_tool_meta: { auto_apply: true }, ...extra };
}

describe('validateArguments', () => {
  it('answers arguments that do not fit at once, naming fields and no values; nobody else hears of the call', async () => {
    const confirm = vi.fn(() => true);
    const servers = { a: raw({ tool_meta: { echo: { auto_apply: false, alias: 'checked' } } }) };
    await using office = await Office.open({ servers, confirm, validateArguments: true });
    const result = await office.call('checked', { n: 0, mode: 'canary-value', extra: 'canary-value' });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(textOf(result).split('\n').slice(1).sort()).toEqual([
      '- extra: is not a known field',
      '- mode: must be one of "fast", "slow"',
      '- n: must be >= 1',
    ]);
    expect(confirm).not.toHaveBeenCalled();
    expect(await office.callJson('counts')).toMatchObject({ 'tools/call': 1 });
    // What fits goes up as it came: no default is filled in.
    expect(await office.callJson('checked', { mode: 'fast' })).toEqual({ mode: 'fast' });
    expect(confirm).toHaveBeenCalledTimes(1);
  });

  it('is off by default: the MCP server judges', async () => {
    await using office = await Office.open({ servers: { a: raw() } });
    expect(await office.callJson('echo', { n: 'x', extra: 1 })).toEqual({ n: 'x', extra: 1 });
  });

  it('lets calls of a schema through that does not compile, and tells the owner once', async () => {
    await using office = await Office.open({ servers: { a: raw() }, validateArguments: true });
    const diagnostics: Diagnostic[] = [];
    office.computer.on('diagnostic', (one) => void diagnostics.push(one));
    for (let round = 0; round < 2; round += 1) {
      expect(await office.call('echo-params', { a: 1 })).toMatchObject({ isError: false });
    }
    expect(diagnostics).toMatchObject([{ server: 'a', item: 'echo-params' }]);
  });

  it('fits the tools of the reference server', async () => {
    const everything = packageServer('@modelcontextprotocol/server-everything', 'stdio');
    await using office = await Office.open({ servers: { everything }, validateArguments: true });
    const diagnostics: Diagnostic[] = [];
    office.computer.on('diagnostic', (one) => void diagnostics.push(one));
    expect(textOf(await office.call('get-sum', { a: 1, b: 2 }))).toContain('3');
    expect(textOf(await office.call('get-sum', { a: 'one' }))).toMatch(/- b: is required\n- a: must be number$/);
    expect(textOf(await office.call('echo', { message: 'hi' }))).toContain('hi');
    expect(diagnostics).toEqual([]);
  });
});
