import { describe, expect, it, vi } from 'vitest';
import {
  auto,
  fine,
  hanging,
  hostOf,
  ok,
  requestOf,
  SCHEMA,
  textOf,
  worldOf,
  type CallTool,
} from '../../../test/fixtures/computer/call-world.js';
import type { JsonObject } from '../../protocol/index.js';
import {
  CallTimeoutError,
  ServerNotRunningError,
  ToolForbiddenError,
  ToolNotFoundError,
  UpstreamAuthError,
  UpstreamError,
} from '../mcp/mcp-errors.js';
import type { CancelSignal } from '../mcp/cancellation.js';
import type { ConfirmToolCall } from './confirmation.js';

describe('ToolCalls', () => {
  it('passes name and arguments on, and the result as it came, its _meta called meta', async () => {
    const content = [
      { type: 'new', _meta: { x: 1 } },
      { type: 'text', text: 't' },
    ];
    const callTool = vi.fn<CallTool>(() =>
      Promise.resolve({ content, structuredContent: { b: 1 }, isError: true, _meta: { k: 1 }, other: 2 }),
    );
    const { calls, reports, ended, sent } = worldOf(callTool);
    const params = JSON.parse('{"__proto__": {"x": 1}, "b": 1, "a": 2}') as JsonObject;
    const result = await calls.execute(requestOf({ params }));
    expect(result).toEqual({ content, structuredContent: { b: 1 }, isError: true, meta: { k: 1 }, other: 2 });
    expect(result.content).toBe(content);
    expect(callTool.mock.calls[0]?.[0]).toBe('alias');
    expect(callTool.mock.calls[0]?.[1]).toBe(params);
    expect(sent).toEqual(['s']);
    expect(reports).toMatchObject([{ reqId: 'r1', server: 's', tool: 'alias', ok: false, code: undefined }]);
    expect(ended[0]?.outcome).toBe('tool-error');
  });

  it.each([{}, { content: null }, { structuredContent: {} }])('counts %j as a failure', async (answer) => {
    const { calls } = worldOf(() => Promise.resolve(answer));
    expect(await calls.execute(requestOf())).toMatchObject({ isError: true, meta: { error_code: 4003 } });
  });

  it.each([
    [new ToolNotFoundError('t', ['login-server']), { error_code: 4001 }, 'login-server'],
    [new ToolForbiddenError('t', 's'), { error_code: 4002 }, 'forbidden_tools'],
    [new ServerNotRunningError('s', 'backing-off'), { error_code: 4003 }, 'backing-off'],
    [new UpstreamError('s', 'it broke'), { error_code: 4003 }, 'it broke'],
    [new CallTimeoutError('s', 1), { error_code: 4004, a2c_timeout: true }, 'within 60 s'],
    [
      new UpstreamAuthError('required', 's', { scope: 'canary-scope' }),
      { error_code: 4006, mcp_server: 's' },
      'Log in',
    ],
    [new UpstreamAuthError('failed', 's'), { error_code: 4007, mcp_server: 's' }, 'renew'],
    [new TypeError('a bug with canary-scope'), { error_code: 4003 }, 'could not execute'],
  ])('makes a result of %s', async (error, meta, text) => {
    const { calls, reports } = worldOf(() => Promise.reject(error));
    const result = await calls.execute(requestOf());
    expect(result).toMatchObject({ isError: true, meta });
    expect(textOf(result)).toContain(text);
    expect(JSON.stringify(result)).not.toContain('canary-scope');
    expect(reports).toMatchObject([{ ok: false, code: meta.error_code }]);
  });

  it('takes no code of an MCP server for one of its own', async () => {
    const pretended = { content: [], isError: true, _meta: { error_code: 4004, a2c_cancelled: true } };
    const { calls, ended, reports } = worldOf(() => Promise.resolve(pretended));
    await calls.execute(requestOf());
    expect(ended[0]?.outcome).toBe('tool-error');
    expect(reports[0]?.code).toBeUndefined();
  });

  it('takes secrets out of what an MCP server says of a failure', async () => {
    const { calls, redactor, reports } = worldOf(() => Promise.reject(new UpstreamError('s', 'bad key sk-canary-1')));
    redactor.add('sk-canary-1');
    const result = await calls.execute(requestOf());
    expect(textOf(result)).toBe('bad key ******');
    expect(JSON.stringify(reports)).not.toContain('canary');
  });

  it('stops a tool at the end of its budget, whether or not it heeds the signal', async () => {
    const { calls, reports } = worldOf(hanging);
    const result = await calls.execute(requestOf({ timeout: 1 }));
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4004, a2c_timeout: true } });
    expect(reports[0]?.durationMs).toBeGreaterThanOrEqual(990);
  });

  it('cancels every call of an id and no other; a second cancel and unknown ids do nothing', async () => {
    const signals: CancelSignal[] = [];
    const { calls } = worldOf((_name, _args, { signal }) => {
      if (signal !== undefined) signals.push(signal);
      return new Promise(() => undefined);
    });
    const twins = [calls.execute(requestOf()), calls.execute(requestOf())];
    const other = calls.execute(requestOf({ req_id: 'r2', timeout: 1 }));
    await vi.waitFor(() => {
      expect(signals).toHaveLength(3);
    });
    calls.cancel('unknown');
    calls.cancel('r1');
    calls.cancel('r1');
    for (const result of await Promise.all(twins)) {
      expect(result).toMatchObject({ isError: true, meta: { a2c_cancelled: true } });
      expect(result.meta).not.toHaveProperty('error_code');
    }
    expect(await other).toMatchObject({ meta: { error_code: 4004 } });
  });

  it('does not cancel by an id of another office', async () => {
    const { calls } = worldOf(hanging);
    const result = calls.execute(requestOf({ timeout: 1 }));
    calls.officeChanged();
    calls.cancel('r1');
    expect(await result).toMatchObject({ meta: { error_code: 4004 } });
  });

  it('leaves no trace of a call of another office', async () => {
    const onEnded = vi.fn();
    const confirm: ConfirmToolCall = () => {
      calls.officeChanged();
      return true;
    };
    const { calls, sent } = worldOf(fine, {}, { confirm, onEnded });
    expect(await calls.execute(requestOf())).toMatchObject({ isError: false });
    expect(sent).toEqual([]);
    expect(onEnded).toHaveBeenCalledWith(expect.objectContaining({ outcome: 'ok' }), false);
  });

  it('ends what runs when it is closed', async () => {
    const { calls } = worldOf(hanging);
    const result = calls.execute(requestOf());
    calls.close();
    expect(await result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
  });

  it('answers with both sizes instead of a result above the limit', async () => {
    const big = { content: [{ type: 'text', text: '名'.repeat(500) }] };
    const { calls } = worldOf(() => Promise.resolve(big), auto, { maxAnswerBytes: () => 1000 });
    const result = await calls.execute(requestOf());
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(textOf(result)).toMatch(/is 1[56]\d\d bytes, more than the 1000 bytes/);
  });

  it('answers 4003 instead of a result that nests too deep to be sent', async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 5000; level += 1) deep = { deep };
    const { calls } = worldOf(() => Promise.resolve({ content: [], structuredContent: deep }));
    expect(await calls.execute(requestOf())).toMatchObject({ isError: true, meta: { error_code: 4003 } });
  });

  it('forwards progress only where somebody listens', async () => {
    const onProgress = vi.fn();
    const callTool: CallTool = (_name, _args, wait) => {
      wait.onProgress?.({ progress: 1, total: 2 });
      return Promise.resolve(ok);
    };
    await worldOf(callTool, auto, { onProgress }).calls.execute(requestOf());
    expect(onProgress).toHaveBeenCalledWith({
      reqId: 'r1',
      server: 's',
      tool: 'alias',
      progress: { progress: 1, total: 2 },
    });
    await worldOf(callTool).calls.execute(requestOf());
    expect(onProgress).toHaveBeenCalledTimes(1);
  });
});

describe('Validation of arguments', () => {
  it('answers 4003 naming each field, sends nothing, and asks nobody', async () => {
    const callTool = vi.fn(fine);
    const confirm = vi.fn(() => true);
    const checkArguments = vi.fn(() => Promise.resolve(['a: must be string, not sk-canary-1', 'b: is required']));
    const { calls, sent, redactor } = worldOf(callTool, {}, { confirm, checkArguments });
    redactor.add('sk-canary-1');
    const params = { a: 1 };
    const result = await calls.execute(requestOf({ params }));
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(textOf(result)).toMatch(/input schema, .*:\n- a: must be string, not \*{6}\n- b: is required$/);
    expect(checkArguments).toHaveBeenCalledWith(
      expect.objectContaining({ tool: 'own', schema: SCHEMA }),
      params,
      60_000,
    );
    for (const never of [callTool, confirm]) expect(never).not.toHaveBeenCalled();
    expect(sent).toEqual([]);
  });

  it('lets fitting arguments through as the very object that came, and can be cancelled', async () => {
    const callTool = vi.fn(fine);
    const params = { a: 1 };
    const { calls } = worldOf(callTool, auto, { checkArguments: () => Promise.resolve([]) });
    expect(await calls.execute(requestOf({ params }))).toMatchObject({ isError: false });
    expect(callTool.mock.calls[0]?.[1]).toBe(params);
    const { calls: hung } = worldOf(callTool, auto, { checkArguments: () => new Promise(() => undefined) });
    const result = hung.execute(requestOf());
    hung.cancel('r1');
    expect(await result).toMatchObject({ meta: { a2c_cancelled: true } });
    expect(callTool).toHaveBeenCalledTimes(1);
  });
});

describe('Confirmation', () => {
  const FAQ = '当前工具需要调用前进行二次确认，但客户端目前没有实现二次确认回调方法';

  it.each([undefined, {}, { auto_apply: false }, { auto_apply: 'true' as unknown as boolean }])(
    'is needed with the metadata %j; without a callback the text is that of the FAQ',
    async (meta) => {
      const callTool = vi.fn(fine);
      const { calls, sent } = worldOf(callTool, meta ?? {});
      const result = await calls.execute(requestOf());
      expect(result).toMatchObject({ isError: true, meta: { error_code: 4005 } });
      expect(textOf(result).startsWith(FAQ)).toBe(true);
      expect(callTool).not.toHaveBeenCalled();
      expect(sent).toEqual([]);
    },
  );

  it('lets a call run that is allowed, knowing what it is about', async () => {
    const confirm = vi.fn<ConfirmToolCall>(() => Promise.resolve(true));
    const { calls } = worldOf(fine, { tags: ['x'] }, { confirm });
    expect(await calls.execute(requestOf())).toEqual({ ...ok, isError: false });
    expect(confirm.mock.calls[0]?.[0]).toEqual({
      reqId: 'r1',
      agent: 'ann',
      server: 's',
      tool: 'own',
      exposedName: 'alias',
      params: { a: 1 },
      meta: { tags: ['x'] },
    });
  });

  const outcomes: [string, ConfirmToolCall, string][] = [
    ['refuses', () => false, 'was refused'],
    ['says anything but true', () => 'yes' as unknown as boolean, 'was refused'],
    ['rejects', () => Promise.reject(new Error('canary')), 'callback failed'],
    [
      'throws',
      () => {
        throw new Error('canary');
      },
      'callback failed',
    ],
    ['does not answer in its own time', () => new Promise(() => undefined), 'was not confirmed within 0.1 s'],
  ];
  it.each(outcomes)(
    'gives 4005 with a text of its own when the callback %s [R-6.4-confirmation]',
    async (_what, confirm, text) => {
      const callTool = vi.fn(fine);
      const result = await worldOf(callTool, {}, { confirm, confirmTimeoutMs: 100 }).calls.execute(requestOf());
      expect(result).toMatchObject({ isError: true, meta: { error_code: 4005 } });
      expect(textOf(result)).toContain(text);
      expect(textOf(result)).not.toContain('canary');
      expect(callTool).not.toHaveBeenCalled();
    },
  );

  it('gives 4005, not 4004, when the budget of the call ends first', async () => {
    const confirm: ConfirmToolCall = () => new Promise(() => undefined);
    const result = await worldOf(fine, {}, { confirm, confirmTimeoutMs: 60_000 }).calls.execute(
      requestOf({ timeout: 1 }),
    );
    expect(result.meta).toEqual({ error_code: 4005 });
  });

  it('counts against the budget of the call', async () => {
    let left = 0;
    const confirm: ConfirmToolCall = () => new Promise((resolve) => setTimeout(resolve, 300, true));
    const callTool: CallTool = (_name, _args, { timeoutMs }) => {
      left = timeoutMs;
      return Promise.resolve(ok);
    };
    await worldOf(callTool, {}, { confirm }).calls.execute(requestOf({ timeout: 1 }));
    expect(left).toBeLessThanOrEqual(710);
    expect(left).toBeGreaterThan(0);
  });

  it('does not run another tool that took over the name meanwhile', async () => {
    const callTool = vi.fn(fine);
    let server = 's';
    const confirm: ConfirmToolCall = () => {
      server = 'other';
      return true;
    };
    const host = hostOf(() => ({ server, tool: 'own', schema: SCHEMA }), callTool);
    const { calls } = worldOf(fine, {}, { confirm, host });
    expect(await calls.execute(requestOf())).toMatchObject({ isError: true, meta: { error_code: 4001 } });
    expect(callTool).not.toHaveBeenCalled();
  });

  it('is not asked for when the server does not run: 4003 at once', async () => {
    const confirm = vi.fn(() => true);
    const assertRunning = (): void => {
      throw new ServerNotRunningError('s', 'backing-off');
    };
    const host = { ...hostOf(() => ({ server: 's', tool: 'own', schema: SCHEMA }), fine), assertRunning };
    const { calls } = worldOf(fine, {}, { confirm, host });
    expect(await calls.execute(requestOf())).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(confirm).not.toHaveBeenCalled();
  });

  it('ends with the mark of a cancelled call when the call is cancelled meanwhile, and tells the callback', async () => {
    let seen: AbortSignal | undefined;
    const confirm: ConfirmToolCall = (_call, { signal }) => {
      seen = signal;
      return new Promise(() => undefined);
    };
    const { calls } = worldOf(fine, {}, { confirm });
    const result = calls.execute(requestOf());
    calls.cancel('r1');
    expect((await result).meta).toEqual({ a2c_cancelled: true });
    expect(seen?.aborted).toBe(true);
  });
});
