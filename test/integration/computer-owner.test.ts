import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { Computer, OWNER, type CallToConfirm } from '../../src/computer/index.js';
import { OfficeConnection } from '../../src/client/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { COMPUTER, nextEvent, OFFICE, Office, officeServer, textOf } from '../fixtures/computer/office.js';

/** The lines of an audit file. */
async function auditOf(file: string): Promise<JsonObject[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);
}

describe('What the owner of a Computer has to say', () => {
  let office: Office;
  let folder: string;
  let file: string;
  const asked: CallToConfirm[] = [];
  let allow = true;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'owner-'));
    file = join(folder, 'audit.jsonl');
    office = await Office.open({
      audit: { file },
      confirm: (call) => {
        asked.push(call);
        return allow;
      },
      servers: {
        main: officeServer(
          {},
          { tool_meta: { raw: { alias: 'given' }, touch: { auto_apply: false } }, forbidden_tools: ['exit'] },
        ),
      },
    });
  });
  afterEach(() => {
    office.computer.resume();
    office.computer.setAccess({});
    asked.length = 0;
    allow = true;
  });
  afterAll(async () => {
    await office[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  async function audited(reqId: string): Promise<JsonObject | undefined> {
    return vi.waitFor(async () => {
      const found = (await auditOf(file)).find(({ req_id: id }) => id === reqId);
      expect(found).toBeDefined();
      return found;
    });
  }

  it('pauses: calls get 4002 and the reason, what runs goes on, everything else works', async () => {
    const { computer } = office;
    const events: unknown[] = [];
    const off = [
      computer.on('paused', (state) => events.push(state)),
      computer.on('resumed', () => events.push('resumed')),
    ];
    const running = office.call('hang', {}, { req_id: 'goes-on' });
    await vi.waitFor(() => {
      expect(computer.runningCalls()).toHaveLength(1);
    });
    computer.pause('taking a break');
    expect(computer.paused).toMatchObject({ reason: 'taking a break', since: expect.any(Number) as number });
    const refused = await office.call('echo', {}, { req_id: 'paused' });
    expect(refused).toMatchObject({ isError: true, meta: { error_code: 4002 } });
    expect(textOf(refused)).toMatch(/paused.*try again later.*taking a break/);
    expect(((await office.ask('client:get_tools')) as { tools: unknown[] }).tools.length).toBeGreaterThan(5);
    expect(await office.ask('client:get_desktop')).toHaveProperty('desktops');
    expect(computer.runningCalls()).toMatchObject([{ reqId: 'goes-on' }]);
    expect(await computer.callTool({ tool_name: 'echo', params: { a: 1 } })).toMatchObject({ isError: false });
    computer.resume();
    computer.resume();
    expect(computer.paused).toBeUndefined();
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
    expect(events).toEqual([{ reason: 'taking a break', since: expect.any(Number) as number }, 'resumed']);
    expect(computer.stopCalls('goes-on')).toBe(1);
    await running;
    for (const take of off) take();
    expect(computer.history.find(({ reqId }) => reqId === 'paused')).toMatchObject({ outcome: 'refused', code: 4002 });
    expect(await audited('paused')).toMatchObject({ outcome: 'refused', code: 4002, server: 'main' });
  });

  it('lets through what its rules allow, by either name of a tool, and keeps the others listed', async () => {
    const { computer } = office;
    computer.setAccess({ deny: [{ tool: 'raw' }, { tool: 'set-*', server: 'main' }] });
    for (const tool of ['given', 'set-tools']) {
      const refused = await office.call(tool, {}, { req_id: `denied-${tool}` });
      expect(refused).toMatchObject({ isError: true, meta: { error_code: 4002 } });
      expect(textOf(refused)).toContain(`does not allow this Agent to call "${tool}"`);
    }
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
    expect(computer.tools().map(({ name }) => name)).toEqual(expect.arrayContaining(['given', 'set-tools']));
    expect(await computer.callTool({ tool_name: 'given', params: { result: { content: [] } } })).toMatchObject({
      isError: false,
    });
    expect(await office.call('nobody')).toMatchObject({ meta: { error_code: 4001 } });
    computer.setAccess({ allow: [{ tool: 'echo' }] });
    expect(await office.call('requests', {}, { req_id: 'not-allowed' })).toMatchObject({ meta: { error_code: 4002 } });
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
    expect(() => {
      computer.setAccess({ allow: [{ tol: 'echo' } as object] });
    }).toThrow(/access\.allow\[0\]/);
    expect(computer.access).toEqual({ allow: [{ tool: 'echo' }] });
    expect(await audited('not-allowed')).toMatchObject({ outcome: 'refused', agent: 'agent-1', tool: 'requests' });
  });

  it('goes by the name under which the Agent entered, whatever its calls say [R-3.1-agent-not-believed]', async () => {
    const { computer } = office;
    computer.setAccess({ deny: [{ agent: 'agent-1' }] });
    expect(await office.call('echo', {}, { agent: 'somebody', req_id: 'forged' })).toMatchObject({
      meta: { error_code: 4002 },
    });
    expect(computer.history.at(-1)).toMatchObject({ reqId: 'forged', agent: 'agent-1', outcome: 'refused' });
    computer.setAccess({ allow: [{ agent: 'somebody' }] });
    expect(await office.call('echo', {}, { agent: 'somebody' })).toMatchObject({ meta: { error_code: 4002 } });
    computer.setAccess({ allow: [{ agent: 'agent-*' }] });
    expect(await office.call('echo', {}, { agent: 'somebody' })).toMatchObject({ isError: false });
  });

  it('notes and keeps calls of forbidden tools and refused confirmations too', async () => {
    allow = false;
    expect(await office.call('exit', {}, { req_id: 'forbidden' })).toMatchObject({ meta: { error_code: 4002 } });
    expect(await office.call('touch', {}, { req_id: 'declined' })).toMatchObject({ meta: { error_code: 4005 } });
    expect(await audited('forbidden')).toMatchObject({ outcome: 'refused', code: 4002, server: 'main', tool: 'exit' });
    expect(await audited('declined')).toMatchObject({ outcome: 'declined', code: 4005, server: 'main' });
    expect(office.computer.history.slice(-2)).toMatchObject([
      { reqId: 'forbidden', server: 'main', outcome: 'refused' },
      { reqId: 'declined', outcome: 'declined' },
    ]);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).not.toContain('arguments');
  });

  it('shows running calls, and stops them as a cancel does upstream, with an answer of its own', async () => {
    const { computer } = office;
    const started = nextEvent(computer, 'toolStarted', ({ reqId }) => reqId === 'stopped');
    const call = office.call('hang', { secretive: true }, { req_id: 'stopped' });
    expect(await started).toEqual([
      { reqId: 'stopped', agent: 'agent-1', server: 'main', tool: 'hang', exposedName: 'hang' },
    ]);
    const [running] = computer.runningCalls();
    expect(running).toMatchObject({
      reqId: 'stopped',
      agent: 'agent-1',
      server: 'main',
      tool: 'hang',
      state: 'running',
    });
    expect(Math.abs(Date.now() - (running?.since ?? 0))).toBeLessThan(10_000);
    const before = ((await office.callJson('cancelled')) as unknown[]).length;
    expect(computer.stopCalls('another')).toBe(0);
    expect(computer.stopCalls()).toBe(1);
    const result = await call;
    expect(result).toMatchObject({ isError: true, meta: { error_code: 4003 } });
    expect(textOf(result)).toMatch(/owner of this Computer stopped/);
    expect(((await office.callJson('cancelled')) as unknown[]).length).toBe(before + 1);
    expect(await audited('stopped')).toMatchObject({ outcome: 'stopped', code: 4003 });
    expect(computer.runningCalls()).toEqual([]);
  });

  it('shows that a call is being confirmed', async () => {
    const { computer } = office;
    const states: (string | undefined)[] = [];
    allow = false;
    const off = computer.on('toolCall', () => states.push('ended'));
    const call = office.call('touch', {}, { req_id: 'asks' });
    await vi.waitFor(() => {
      expect(asked).toHaveLength(1);
    });
    await call;
    off();
    expect(states).toEqual(['ended']);
    expect(asked[0]).toMatchObject({ reqId: 'asks', agent: 'agent-1' });
  });

  it('tells of progress while somebody listens', async () => {
    const { computer } = office;
    expect(await office.call('progress')).toMatchObject({ isError: false });
    const step = nextEvent(computer, 'toolProgress');
    await office.call('progress', {}, { req_id: 'p' });
    expect(await step).toEqual([
      {
        reqId: 'p',
        agent: 'agent-1',
        server: 'main',
        tool: 'progress',
        exposedName: 'progress',
        progress: 1,
        total: 2,
      },
    ]);
  });

  describe('own calls', () => {
    it('take a whole request, whose computer and agent do not count, and go the way of others', async () => {
      const { computer } = office;
      const call = { computer: 'x', agent: 'y', req_id: 'own', tool_name: 'echo', params: { a: 1 }, timeout: 30 };
      const ended = nextEvent(computer, 'toolCall', ({ reqId }) => reqId === 'own');
      const result = await computer.callTool(call);
      expect(JSON.parse(textOf(result as JsonObject))).toEqual({ a: 1 });
      expect((await ended)[0]).toMatchObject({ agent: OWNER, local: true, ok: true });
      expect(computer.history.at(-1)).toMatchObject({ reqId: 'own', agent: OWNER, local: true });
      expect(await audited('own')).toMatchObject({ agent: OWNER, local: true, outcome: 'ok' });
    });

    it('ask for confirmation, follow aliases and what is forbidden', async () => {
      const { computer } = office;
      expect(await computer.callTool({ tool_name: 'touch', params: { uri: 'x:y' } })).toMatchObject({ isError: false });
      expect(asked).toMatchObject([{ local: true, agent: OWNER, tool: 'touch' }]);
      expect(await computer.callTool({ tool_name: 'exit' })).toMatchObject({ meta: { error_code: 4002 } });
      expect(await computer.callTool({ tool_name: 'raw' })).toMatchObject({ meta: { error_code: 4001 } });
    });

    it('report progress, end in time and with their signal', async () => {
      const { computer } = office;
      const steps: unknown[] = [];
      await computer.callTool({ tool_name: 'progress' }, { onProgress: (step) => void steps.push(step) });
      expect(steps).toEqual([{ progress: 1, total: 2 }]);
      expect(await computer.callTool({ tool_name: 'hang', timeout: 1 })).toMatchObject({ meta: { error_code: 4004 } });
      const abort = new AbortController();
      const call = computer.callTool({ tool_name: 'hang' }, { signal: abort.signal });
      abort.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
      expect(computer.runningCalls()).toEqual([]);
    });

    it.each<[unknown, RegExp]>([
      [undefined, /expected an object with "tool_name"/],
      [{}, /tool_name: expected a string/],
      [{ tool_name: '' }, /tool_name: must not be empty/],
      [{ tool_name: 'echo', params: [] }, /params: /],
      [{ tool_name: 'echo', timeout: 0 }, /timeout: /],
      [{ tool_name: 'echo', timeout: 1.5 }, /timeout: /],
      [{ tool_name: 'echo', req_id: 7 }, /req_id: /],
    ])('refuse %j, naming the field', async (request, message) => {
      const call = office.computer.callTool(request as { tool_name: string });
      await expect(call).rejects.toThrow(TypeError);
      await expect(call).rejects.toThrow(message);
    });
  });
});

describe('An Agent that was in the office first', () => {
  it('is known only by what its calls say, until it enters again', async () => {
    await using office = await Office.open({ servers: { main: officeServer() } });
    const { computer } = office;
    await computer.leaveOffice();
    await computer.joinOffice(OFFICE);
    computer.setAccess({ deny: [{ agent: 'agent-1' }] });
    expect(await office.call('echo', {}, { agent: 'somebody' })).toMatchObject({ isError: false });
    expect(await office.call('echo')).toMatchObject({ meta: { error_code: 4002 } });
    const entered = new OfficeConnection({ url: office.url, role: 'agent' });
    await office.agent.leave();
    await entered.connect();
    await entered.join({ officeId: OFFICE, name: 'agent-2' });
    computer.setAccess({ deny: [{ agent: 'agent-2' }] });
    const call = { agent: 'x', req_id: 'r', computer: COMPUTER, tool_name: 'echo', params: {}, timeout: 15 };
    const answer = await entered.request('client:tool_call', call, { timeoutMs: 20_000 });
    await entered.close();
    expect(answer).toMatchObject({ meta: { error_code: 4002 } });
  });
});

describe('The audit file of a Computer', () => {
  it('holds what ran when the Computer closed, with arguments where that was asked for [R-1-no-credentials]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'owner-audit-'));
    const file = join(folder, 'a', 'audit.jsonl');
    const office = await Office.open({
      audit: { file, arguments: true },
      inputs: [{ type: 'promptString', id: 'key', description: 'Key', password: true, default: 'canary-secret' }],
      servers: { main: officeServer({}, {}), other: officeServer({ only: ['echo'], key: '${input:key}' }) },
    });
    const call = office.call('hang', { key: 'canary-secret', a: 1 }, { req_id: 'last' });
    await nextEvent(office.computer, 'toolStarted');
    await office.computer.close();
    await call.catch(() => undefined);
    await office[Symbol.asyncDispose]();
    expect(await auditOf(file)).toMatchObject([
      { req_id: 'last', office: OFFICE, outcome: 'failed', code: 4003, arguments: '{"key":"******","a":1}' },
    ]);
    await rm(folder, { recursive: true });
  });

  it('fails no call when it cannot be written, and says so at the start', async () => {
    const audit = { file: '/dev/null/audit.jsonl' };
    await using office = await Office.open({ audit, servers: { main: officeServer() } });
    expect(await office.callJson('echo', { a: 1 })).toEqual({ a: 1 });
    await using computer = new Computer({ audit });
    const problem = nextEvent(computer, 'diagnostic', ({ item }) => item === audit.file);
    computer.start();
    expect((await problem)[0].problem).toMatch(/audit file cannot be written/);
  });

  it('and the rules are judged when the Computer is made', () => {
    const open = (options: object): Promise<Office> => Office.open({ servers: {}, ...options });
    return Promise.all([
      expect(open({ audit: { file: '' } })).rejects.toThrow('audit.file'),
      expect(open({ access: { deny: 'all' } })).rejects.toThrow('access.deny'),
    ]);
  });
});
