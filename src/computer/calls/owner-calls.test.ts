import { describe, expect, it, vi } from 'vitest';
import {
  auto,
  fine,
  hanging,
  ok,
  requestOf,
  textOf,
  worldOf,
  type CallTool,
} from '../../../test/fixtures/computer/call-world.js';
import { failedCall, type JsonObject } from '../../protocol/index.js';
import type { CallAtGate } from '../access/call-gate.js';
import type { CancelSignal } from '../mcp/cancellation.js';
import type { ConfirmToolCall } from './confirmation.js';
import { OWNER } from './running-calls.js';
import type { StartedCall, ToolProgress } from './started-call.js';

describe('what the owner has to say', () => {
  const refusal = failedCall('The owner says no.', { error_code: 4002 });

  it('answers what is not let through at once: nothing is checked, nobody is asked, nothing is sent', async () => {
    const confirm = vi.fn<ConfirmToolCall>(() => true);
    const checkArguments = vi.fn(() => Promise.resolve([]));
    const asked: CallAtGate[] = [];
    const gate = { refusal: (call: CallAtGate) => (asked.push(call), refusal) };
    const world = worldOf(
      fine,
      {},
      { gate, confirm, checkArguments, origin: () => ({ agent: 'session', officeId: 'o' }) },
    );
    expect(await world.calls.execute(requestOf())).toBe(refusal);
    expect([confirm.mock.calls, checkArguments.mock.calls, world.sent]).toEqual([[], [], []]);
    expect(asked).toMatchObject([{ agent: 'session', exposedName: 'alias', route: { server: 's', tool: 'own' } }]);
    expect(world.ended).toMatchObject([
      { outcome: 'refused', code: 4002, origin: { agent: 'session', officeId: 'o' } },
    ]);
  });

  it('takes the name that the call gives where the Server told none', async () => {
    const world = worldOf(fine);
    await world.calls.execute(requestOf());
    expect(world.reports).toMatchObject([{ agent: 'ann' }]);
  });

  it('stops running calls, which are answered as that, and tells their servers [R-6.1-own-failure]', async () => {
    const signals: (CancelSignal | undefined)[] = [];
    const world = worldOf((_name, _args, { signal }) => (signals.push(signal), new Promise(() => undefined)));
    const calls = ['a', 'b', 'c'].map((id) => world.calls.execute(requestOf({ req_id: id })));
    await vi.waitFor(() => {
      expect(signals).toHaveLength(3);
    });
    expect(world.calls.stop('b')).toBe(1);
    const stopped = await calls[1];
    expect(stopped).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(stopped?.meta).not.toHaveProperty('a2c_cancelled');
    expect(stopped?.content[0]?.['text']).toMatch(/owner of this Computer stopped/);
    expect(world.calls.stop('b')).toBe(0);
    expect(world.calls.stop()).toBe(2);
    expect(world.calls.stop()).toBe(0);
    await Promise.all(calls);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true]);
    expect(world.ended.map(({ outcome }) => outcome)).toEqual(['stopped', 'stopped', 'stopped']);
    expect(world.calls.list()).toEqual([]);
  });

  it('stops a call that waits for a word', async () => {
    const world = worldOf(fine, {}, { confirm: () => new Promise(() => undefined) });
    const call = world.calls.execute(requestOf());
    expect(world.calls.list()).toMatchObject([{ state: 'confirming' }]);
    world.calls.stop();
    expect(await call).toMatchObject({ meta: { error_code: 4003 } });
    expect(world.sent).toEqual([]);
  });

  it('stops a call by its id as it is shown', async () => {
    const world = worldOf(hanging);
    world.redactor.add('canary-secret');
    const calls = ['canary-secret 1', 'x'.repeat(1_000)].map((id) => world.calls.execute(requestOf({ req_id: id })));
    const shown = world.calls.list().map(({ reqId }) => reqId);
    expect(shown).toEqual(['****** 1', expect.stringMatching(/^x{256}…$/)]);
    expect(shown.map((id) => world.calls.stop(id))).toEqual([1, 1]);
    await Promise.all(calls);
  });

  it('lists what runs, without secrets and with names that are no longer than names', async () => {
    const before = Date.now();
    const world = worldOf(hanging);
    world.redactor.add('canary-secret');
    const request = requestOf({ agent: `canary-secret ${'x'.repeat(10_000)}`, req_id: 'r9' });
    const call = world.calls.execute(request);
    const [running] = world.calls.list();
    expect(running).toMatchObject({ reqId: 'r9', server: 's', tool: 'own', exposedName: 'alias', state: 'running' });
    expect(running?.since).toBeGreaterThanOrEqual(before);
    expect(running?.agent).toMatch(/^\*{6} x+…$/);
    expect(running?.agent.length).toBeLessThan(300);
    expect(running).not.toHaveProperty('local');
    world.calls.cancel('r9');
    await call;
  });

  it('tells of a call when it is sent, and not of one that is not', async () => {
    const started: StartedCall[] = [];
    const world = worldOf(fine, auto, { onStarted: (call) => void started.push(call) });
    await world.calls.execute(requestOf());
    expect(started).toEqual([{ reqId: 'r1', agent: 'ann', server: 's', tool: 'own', exposedName: 'alias' }]);
    const declined = worldOf(fine, {}, { confirm: () => false, onStarted: (call) => void started.push(call) });
    await declined.calls.execute(requestOf());
    expect(started).toHaveLength(1);
  });
});

describe("the owner's own calls", () => {
  it('are not held up by what the owner says about Agents, nor by the size of a packet', async () => {
    const gate = { refusal: () => failedCall('no', { error_code: 4002 }) };
    const big: CallTool = () => Promise.resolve({ content: [{ type: 'text', text: 'x'.repeat(5_000) }] });
    const world = worldOf(big, auto, { gate, maxAnswerBytes: () => 1_000 });
    const result = await world.calls.executeOwn(requestOf({ agent: OWNER }), {});
    expect(textOf(result)).toHaveLength(5_000);
    expect(world.reports).toMatchObject([{ agent: OWNER, local: true, ok: true }]);
    expect(world.ended).toMatchObject([{ origin: { agent: OWNER, local: true } }]);
    // The desktop is arranged by what the Agent calls.
    expect(world.sent).toEqual([]);
  });

  it('ask for confirmation like others, and say whose they are', async () => {
    const confirm = vi.fn<ConfirmToolCall>(() => false);
    const world = worldOf(fine, {}, { confirm });
    const result = await world.calls.executeOwn(requestOf(), {});
    expect(result).toMatchObject({ meta: { error_code: 4005 } });
    expect(confirm.mock.calls[0]?.[0]).toMatchObject({ agent: OWNER, local: true });
  });

  it('end with their signal, which is what their caller gets', async () => {
    const abort = new AbortController();
    const world = worldOf(hanging);
    const call = world.calls.executeOwn(requestOf(), { signal: abort.signal });
    expect(world.calls.list()).toMatchObject([{ agent: OWNER, local: true }]);
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(world.ended).toMatchObject([{ outcome: 'cancelled' }]);
    await expect(world.calls.executeOwn(requestOf(), { signal: abort.signal })).rejects.toThrow('enough');
    expect(world.ended).toHaveLength(1);
  });

  it('are not cancelled by an Agent that knows their id, but stopped by their owner', async () => {
    const world = worldOf(hanging);
    const call = world.calls.executeOwn(requestOf({ req_id: 'mine' }), {});
    world.calls.cancel('mine');
    expect(world.calls.list()).toHaveLength(1);
    expect(world.calls.stop('mine')).toBe(1);
    expect(await call).toMatchObject({ meta: { error_code: 4003 } });
  });

  it('get progress, without secrets', async () => {
    const steps: unknown[] = [];
    const world = worldOf((_name, _args, { onProgress }) => {
      onProgress?.({ progress: 1, total: 2, message: 'with canary-secret' });
      onProgress?.({ progress: 'odd' });
      return Promise.resolve(ok);
    });
    world.redactor.add('canary-secret');
    await world.calls.executeOwn(requestOf(), { onProgress: (step) => void steps.push(step) });
    const first = { progress: 1, total: 2, message: 'with ******' };
    expect(steps).toEqual([first, first]);
  });
});

describe('progress', () => {
  it('is told ten times a second at most, and shows in what runs', async () => {
    const steps: ToolProgress[] = [];
    let send: (progress: object) => void = () => undefined;
    let finish: (result: JsonObject) => void = () => undefined;
    const world = worldOf(
      (_name, _args, { onProgress }) => {
        send = onProgress ?? send;
        return new Promise((resolve) => (finish = resolve));
      },
      auto,
      { watchesProgress: () => true, onStep: (step) => void steps.push(step) },
    );
    const call = world.calls.execute(requestOf());
    for (let index = 1; index <= 1_000; index += 1) send({ progress: index, total: 1_000 });
    expect(steps).toEqual([
      { reqId: 'r1', agent: 'ann', server: 's', tool: 'own', exposedName: 'alias', progress: 1, total: 1_000 },
    ]);
    expect(world.calls.list()).toMatchObject([{ progress: { progress: 1_000, total: 1_000 } }]);
    // The last state is not missed.
    await vi.waitFor(() => {
      expect(steps.at(-1)).toMatchObject({ progress: 1_000 });
    });
    expect(steps.length).toBeLessThan(5);
    finish(ok);
    await call;
  });

  it('is not asked for when nobody wants it', async () => {
    const asked: unknown[] = [];
    const world = worldOf((_name, _args, { onProgress }) => (asked.push(onProgress), Promise.resolve(ok)));
    await world.calls.execute(requestOf());
    expect(asked).toEqual([undefined]);
  });
});
