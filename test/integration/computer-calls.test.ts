import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ConfirmToolCall, ToolCallReport } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { Office, officeServer, packageServer, textOf } from '../fixtures/computer/office.js';

const FAQ = '当前工具需要调用前进行二次确认，但客户端目前没有实现二次确认回调方法';

describe('Tool calls through Server and Computer', () => {
  let office: Office;
  const reports: ToolCallReport[] = [];
  const progress: unknown[] = [];

  beforeAll(async () => {
    office = await Office.open({
      onToolProgress: (report) => void progress.push(report),
      servers: {
        first: officeServer(
          {},
          { tool_meta: { hang: { alias: '挂起 ⏳' }, raw: { alias: 'given' } }, forbidden_tools: ['exit'] },
        ),
        second: officeServer(
          { only: ['echo', 'exit'], moreTools: ['只有这里'] },
          { tool_meta: { exit: { alias: 'second-exit' } } },
        ),
        off: officeServer({}, { disabled: true }),
        everything: packageServer('@modelcontextprotocol/server-everything', 'stdio'),
      },
    });
    office.computer.on('toolCall', (report) => void reports.push(report));
  });
  afterAll(async () => {
    await office[Symbol.asyncDispose]();
  });

  it('lists tools under their aliases, without forbidden ones, and of a conflict the first [R-4.1-alias-name] [R-7.1-forbidden] [R-7.1-disabled] [R-7.3-conflict]', async () => {
    const { tools } = (await office.ask('client:get_tools')) as { tools: JsonObject[] };
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['echo', '挂起 ⏳', 'given', 'second-exit', '只有这里', 'get-sum']));
    for (const hidden of ['hang', 'raw', 'exit']) expect(names).not.toContain(hidden);
    expect(names.filter((name) => name === 'echo')).toHaveLength(1);
    const diagnostics = office.computer.servers().map(({ server, state, tools: count }) => ({ server, state, count }));
    expect(diagnostics).toMatchObject([
      { server: 'first', state: 'running' },
      { server: 'second', state: 'running', count: 3 },
      { server: 'off', state: 'disabled' },
      { server: 'everything', state: 'running' },
    ]);
  });

  it('passes arguments up and results down as they are [R-6.1-as-it-came] [R-6.1-wire-shape] [R-3-proto-data]', async () => {
    const params = JSON.parse('{"b": {"__proto__": {"deep": [1, null]}}, "a": "名"}') as JsonObject;
    expect(JSON.stringify(await office.callJson('echo', params))).toBe(JSON.stringify(params));
    const result = {
      content: [
        { type: 'future', x: { y: 1 } },
        { type: 'text', text: 't', _meta: { k: 1 } },
      ],
      structuredContent: { a: [1] },
      isError: true,
      _meta: { 'vendor/x': 1 },
    };
    const { _meta, ...rest } = result;
    expect(await office.call('given', { result })).toEqual({ ...rest, meta: _meta });
  });

  it('calls tools of a real MCP server', async () => {
    expect(textOf(await office.call('get-sum', { a: 2, b: 40 }))).toContain('42');
  });

  it.each([
    ['nobody', 4001],
    ['hang', 4001],
    ['exit', 4002],
  ])('answers a call of %s with %i [R-6.1-own-failure]', async (tool, code) => {
    expect(await office.call(tool)).toMatchObject({ isError: true, meta: { error_code: code } });
  });

  it('answers 4003 for an upstream error, and for a result without content [R-6.1-no-content]', async () => {
    expect(await office.call('given', { result: { structuredContent: {} } })).toMatchObject({
      meta: { error_code: 4003 },
    });
    expect(await office.call('leak')).toMatchObject({ isError: true, meta: { error_code: 4003 } });
  });

  it('stops a call at its timeout and cancels it upstream [R-6.2-computer]', async () => {
    const result = await office.call('挂起 ⏳', {}, { timeout: 1 });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4004, a2c_timeout: true } });
    expect(await office.callJson('cancelled')).toEqual([expect.any(Number)]);
  });

  it('cancels one of two calls on one server, the other finishes [R-6.3-cancel] [R-3.4-cancel] [R-6.3-harmless]', async () => {
    const hanging = office.call('挂起 ⏳', {}, { req_id: 'to-cancel' });
    const other = office.call('挂起 ⏳', {}, { req_id: 'to-keep', timeout: 2 });
    await office.call('echo');
    for (const reqId of ['unknown', 'to-cancel', 'to-cancel']) {
      office.agent.send('server:tool_call_cancel', { agent: 'agent-1', req_id: reqId });
    }
    const result = await hanging;
    expect(result).toMatchObject({ isError: true, meta: { a2c_cancelled: true } });
    expect(await other).toMatchObject({ meta: { error_code: 4004 } });
    // Each of them was told to the MCP server, the one of the test before as well.
    expect(await office.callJson('cancelled')).toHaveLength(3);
  });

  it('answers with both sizes instead of a result above the packet limit, and stays connected [R-6.1-too-large] [R-5.2-packet-limit] [F-F-size-call]', async () => {
    const result = await office.call('big', { bytes: 1_200_000 });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(textOf(result)).toMatch(/1200\d{3} bytes.* 1000000 bytes/);
    expect(textOf(await office.call('big', { bytes: 900_000 }))).toHaveLength(900_000);
    expect(office.computer.membership).toBeDefined();
  });

  it('tells the application of each call, without arguments and results', async () => {
    reports.length = 0;
    await office.call('echo', { secretive: 'canary' }, { req_id: 'told' });
    await office.call('nobody', {}, { req_id: 'not-there' });
    expect(reports).toEqual([
      {
        reqId: 'told',
        agent: 'agent-1',
        server: 'first',
        tool: 'echo',
        exposedName: 'echo',
        originalName: 'echo',
        ok: true,
        outcome: 'ok',
        code: undefined,
        durationMs: expect.any(Number) as number,
      },
      {
        reqId: 'not-there',
        agent: 'agent-1',
        server: undefined,
        tool: 'nobody',
        exposedName: 'nobody',
        originalName: undefined,
        ok: false,
        outcome: 'failed',
        code: 4001,
        durationMs: expect.any(Number) as number,
      },
    ]);
    expect(office.computer.history.at(-2)).toMatchObject({ reqId: 'told', args: '{"secretive":"canary"}' });
    expect(office.computer.history.at(-1)).toMatchObject({ reqId: 'not-there', code: 4001 });
  });

  it('forwards progress to the application', async () => {
    await office.call('progress', {}, { req_id: 'p1' });
    expect(progress).toMatchObject([
      { reqId: 'p1', server: 'first', tool: 'progress', progress: { progress: 1, total: 2 } },
    ]);
  });

  it('keeps the tools of a crashed server listed while it is restarted', async () => {
    expect(await office.call('second-exit')).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(await office.call('只有这里')).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(office.computer.tools().map(({ name }) => name)).toContain('只有这里');
    await vi.waitFor(
      async () => {
        expect(await office.call('只有这里')).not.toHaveProperty('meta');
      },
      { timeout: 8000, interval: 100 },
    );
  });
});

describe('Confirmation through Server and Computer', () => {
  const servers = { s: officeServer({}, { default_tool_meta: null, tool_meta: { requests: { auto_apply: true } } }) };

  it('gives the text of the FAQ without a callback, and sends nothing upstream [R-6.4-faq-text]', async () => {
    await using office = await Office.open({ servers });
    const result = await office.call('echo');
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4005 } });
    expect(textOf(result)).toContain(FAQ);
    expect(await office.callJson('requests')).not.toContain('tools/call echo');
  });

  const outcomes: [string, ConfirmToolCall | undefined, string][] = [
    ['there is no callback', undefined, FAQ],
    ['it refuses', () => false, 'was refused'],
    ['it throws', () => Promise.reject(new Error('canary')), 'the confirmation callback failed'],
    ['it is late', () => new Promise(() => undefined), 'was not confirmed within 0.2 s'],
  ];
  it.each(outcomes)(
    'answers 4005 with a text of its own when %s [R-6.4-confirmation]',
    async (_what, confirm, text) => {
      await using office = await Office.open({ servers, confirm, confirmTimeoutMs: 200 });
      const result = await office.call('echo', { a: 1 });
      expect(result).toMatchObject({ isError: true, meta: { error_code: 4005 } });
      expect(textOf(result)).toContain(text);
      expect(textOf(result)).not.toContain('canary');
      expect(await office.callJson('requests')).not.toContain('tools/call echo');
      expect(office.computer.history[0]).toMatchObject({
        tool: 'echo',
        outcome: 'declined',
        code: 4005,
        args: '{"a":1}',
      });
    },
  );

  it('asks, and heeds the word of the callback [R-6.4-confirmation]', async () => {
    const confirm = vi.fn<ConfirmToolCall>(({ params }) => Promise.resolve(params['ok'] === true));
    await using office = await Office.open({ servers, confirm });
    expect(await office.callJson('echo', { ok: true })).toEqual({ ok: true });
    const refused = await office.call('echo', { ok: false });
    expect(refused).toMatchObject({ isError: true, meta: { error_code: 4005 } });
    expect(textOf(refused)).not.toContain(FAQ);
    expect(confirm.mock.calls[0]?.[0]).toMatchObject({
      agent: 'agent-1',
      server: 's',
      tool: 'echo',
      exposedName: 'echo',
    });
  });

  it('counts its expiry as 4005 also when the budget of the call ends it [R-6.4-budget]', async () => {
    await using office = await Office.open({ servers, confirm: () => new Promise(() => undefined) });
    const result = await office.call('echo', {}, { timeout: 1 });
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4005 } });
    expect(textOf(result)).toContain('not confirmed within 1 s');
  });
});

describe('History', () => {
  it('tells the owner what an Agent did and how it ended, without secrets, and forgets it in another office [F-J-next-office]', async () => {
    const servers = { s: officeServer({}, { tool_meta: { hang: { alias: 'waits' } } }) };
    const inputs = [{ id: 'key', type: 'promptString', default: 'canary-input' }];
    const secret = officeServer({ only: [] }, {});
    const parameters = { ...(secret['server_parameters'] as JsonObject), env: { KEY: '${input:key}' } };
    await using office = await Office.open({
      inputs,
      servers: { ...servers, secret: { ...secret, server_parameters: parameters } },
    });
    await office.call('echo', { text: `${'x'.repeat(990)}canary-input`, more: 'x'.repeat(100_000) }, { req_id: 'one' });
    await office.call('raw', { result: { content: [], isError: true, _meta: { error_code: 4004 } } });
    await office.call('waits', {}, { timeout: 1 });
    const waiting = office.call('waits', {}, { req_id: 'gone' });
    await office.call('echo');
    office.agent.send('server:tool_call_cancel', { agent: 'agent-1', req_id: 'gone' });
    await waiting;
    await office.call('nobody');
    const { history } = office.computer;
    expect(history.map(({ tool, outcome, code }) => [tool, outcome, code])).toEqual([
      ['echo', 'ok', undefined],
      ['raw', 'tool-error', undefined],
      ['waits', 'timeout', 4004],
      ['echo', 'ok', undefined],
      ['waits', 'cancelled', undefined],
      ['nobody', 'failed', 4001],
    ]);
    expect(history[0]).toMatchObject({ reqId: 'one', agent: 'agent-1', server: 's', originalName: 'echo' });
    expect(history[2]).toMatchObject({ originalName: 'hang', durationMs: expect.any(Number) as number });
    expect(history[2]?.endedAt.getTime()).toBeGreaterThan(history[2]?.startedAt.getTime() ?? Infinity);
    expect(history[0]?.args).toMatch(/^\{"text":"x+\**…$/);
    expect(JSON.stringify(history)).not.toMatch(/xc|canar|input/);
    expect(JSON.stringify(history).length).toBeLessThan(5_000);
    await office.computer.joinOffice('office-2');
    expect(office.computer.history).toEqual([]);
  });
});
