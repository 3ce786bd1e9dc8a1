import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ToolProgressReport } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { Office, textOf } from '../fixtures/computer/office.js';
import { faulty } from '../fixtures/mcp-servers/faulty.js';

/** A tool that promises a number and gives what it is told. */
const promising = {
  name: 'give',
  inputSchema: { type: 'object' },
  outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false },
};
const tools = ['echo', 'hang', 'cancelled', 'big', 'keep-going', 'pid'].map((name) => ({ name }));

describe('A call', () => {
  let office: Office;
  const progress: ToolProgressReport[] = [];

  beforeAll(async () => {
    office = await Office.open({
      servers: { a: faulty({ toolList: [promising, ...tools] }), b: faulty({ toolList: [{ name: 'other' }] }) },
      onToolProgress: (report) => void progress.push(report),
      hosting: { callsInParallel: 4 },
    });
  });
  afterAll(async () => {
    await office[Symbol.asyncDispose]();
  });

  it.each<[string, JsonObject]>([
    [
      'blocks of every kind, in their order',
      {
        content: [
          { type: 'image', data: 'AAAA', mimeType: 'image/png', annotations: { audience: ['user'] } },
          { type: 'text', text: '', _meta: { a: 1 } },
          { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' },
          { type: 'resource', resource: { uri: 'users/me', blob: 'AAAA', _meta: { b: 2 } } },
          { type: 'resource_link', uri: 'memo:x', name: 'm', mimeType: null },
          { type: 'made-up', x: { y: [null] } },
          { no: 'type' },
          { type: 'text', text: 7 },
          null,
        ],
        structuredContent: { n: 1 },
        isError: false,
      },
    ],
    ['structured content against the schema', { content: [], structuredContent: { n: 'seven', more: true } }],
    ['structured content that is none', { content: [], structuredContent: [1, 2] }],
    ['no structured content where one was promised', { content: [{ type: 'text', text: 'only text' }] }],
    ['an error with its text', { content: [{ type: 'text', text: 'the disk is full' }], isError: true }],
    [
      'an error with structured content against the schema',
      {
        content: [{ type: 'text', text: 'why' }],
        structuredContent: { reason: 'why' },
        isError: true,
        'x-new': { z: 1 },
      },
    ],
  ])('gives the Agent %s [F-F-result-untouched] [F-F-no-output-check] [F-F-error-text]', async (_what, result) => {
    const given = await office.call('give', { result: { ...result, _meta: { 'vendor/x': { y: 1 } } } });
    // Read leniently by the wire's own rule: absent is false.
    expect(given).toEqual({ isError: false, ...result, meta: { 'vendor/x': { y: 1 } } });
    expect(Object.keys(given['content'] as object)).toEqual(Object.keys(result['content'] as object));
  });

  it('that makes progress for ever ends with the budget, as a timeout [F-F-total-timeout] [F-F-timeout-or-cancel]', async () => {
    const result = await office.call('keep-going', {}, { timeout: 1, req_id: 'for-ever' });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4004, a2c_timeout: true } });
    expect(result['meta']).not.toHaveProperty('a2c_cancelled');
    expect(progress.filter(({ reqId }) => reqId === 'for-ever').length).toBeGreaterThan(3);
  });

  it('that is cancelled is told so, upstream with the id that the server knows; others go on [F-F-cancel-one] [F-F-cancel-upstream] [F-F-timeout-or-cancel]', async () => {
    const before = (await office.callJson('cancelled')) as unknown[];
    const calls = ['one', 'two'].map((reqId) => office.call('hang', {}, { req_id: reqId, timeout: 1 }));
    await office.call('pid');
    office.agent.send('server:tool_call_cancel', { agent: 'agent-1', req_id: 'one' });
    const cancelled = await calls[0];
    expect(cancelled).toMatchObject({ isError: true, meta: { a2c_cancelled: true } });
    expect(cancelled?.['meta']).not.toHaveProperty('a2c_timeout');
    const after = (await office.callJson('cancelled')) as unknown[];
    expect(after).toHaveLength(before.length + 1);
    // A number that the Computer gave out, and not the id of the Agent.
    expect(after.at(-1)).toBeTypeOf('number');
    expect(await calls[1]).toMatchObject({ meta: { error_code: 4004 } });
  });

  it('that hangs blocks no other: a cap of them runs on one server, and another server does not notice [F-F-hung-call]', async () => {
    const hung = Array.from({ length: 4 }, (_, index) => office.call('hang', {}, { req_id: `hung-${index}` }));
    const waiting = office.call('echo', { at: 'last' });
    const settled = vi.fn();
    void waiting.then(settled);
    expect(await office.callJson('other', { a: 1 })).toEqual({ a: 1 });
    expect(settled).not.toHaveBeenCalled();
    office.agent.send('server:tool_call_cancel', { agent: 'agent-1', req_id: 'hung-0' });
    expect(JSON.parse(textOf(await waiting))).toEqual({ at: 'last' });
    for (let index = 1; index < 4; index += 1) {
      office.agent.send('server:tool_call_cancel', { agent: 'agent-1', req_id: `hung-${index}` });
    }
    for (const result of await Promise.all(hung)) expect(result).toMatchObject({ meta: { a2c_cancelled: true } });
  });

  it('whose result cannot be sent is answered with both sizes, and the socket stays up [F-F-size-call]', async () => {
    const connects = vi.fn();
    office.computer.on('disconnected', connects);
    const hanging = office.call('hang', {}, { req_id: 'meanwhile' });
    // Up to the limit, above it, and far above it.
    expect(textOf(await office.call('big', { bytes: 990_000 }))).toHaveLength(990_000);
    for (const bytes of [1_000_000, 20_000_000]) {
      const result = await office.call('big', { bytes });
      expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
      expect(textOf(result)).toMatch(new RegExp(`${String(bytes).slice(0, 2)}\\d+ bytes.* 1000000 bytes`));
    }
    office.agent.send('server:tool_call_cancel', { agent: 'agent-1', req_id: 'meanwhile' });
    expect(await hanging).toMatchObject({ meta: { a2c_cancelled: true } });
    expect(connects).not.toHaveBeenCalled();
  });
});

describe('Answers above the packet limit of a Server', () => {
  it('are errors with both sizes, a desktop is cut, and the socket stays up [F-F-size-tools] [F-F-size-desktop]', async () => {
    const resources = Array.from({ length: 300 }, (_, index) => ({ uri: `window://w/${index}`, name: `${index}` }));
    await using office = await Office.open({
      server: { maxHttpBufferSize: 8_000 },
      servers: { a: faulty({ only: ['echo', 'big'], extraTools: 200, resources }) },
    });
    expect(await office.ask('client:get_tools')).toMatchObject({
      code: 500,
      size: expect.any(Number) as number,
      limit: 8_000,
    });
    const { desktops } = (await office.ask('client:get_desktop')) as { desktops: string[] };
    expect(desktops.length).toBeGreaterThan(50);
    expect(desktops.at(-1)).toBe(`[desktop truncated: ${300 - (desktops.length - 1)} more windows]`);
    expect(textOf(await office.call('big', { bytes: 9_000 }))).toMatch(/9\d{3} bytes.* 8000 bytes/);
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
    expect(office.computer.connected).toBe(true);
  });
});
