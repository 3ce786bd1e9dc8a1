import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { parseConfig, type AnswerServerRequest, type ComputerOptions } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { nextEvent, Office, textOf } from '../fixtures/computer/office.js';

const RAW = fileURLToPath(new URL('../fixtures/mcp-servers/raw-server.mjs', import.meta.url));

/** A configuration entry for `raw-server.mjs`, its tools named apart from those of others. */
function raw(alias: string, extra: JsonObject = {}): JsonObject {
  const tools = ['ask', 'capabilities', 'counts', 'pid', 'send'];
  return {
    command: process.execPath,
    args: [RAW, JSON.stringify({ only: tools })],
    default_tool_meta: { auto_apply: true },
    tool_meta: Object.fromEntries(tools.map((tool) => [tool, { alias: `${alias}-${tool}` }])),
    ...extra,
  };
}

async function officeOf(servers: Record<string, JsonObject>, options: ComputerOptions = {}): Promise<Office> {
  return Office.open({ servers, ...options });
}

async function rootsOf(office: Office, alias: string): Promise<unknown> {
  const { result } = (await office.callJson(`${alias}-ask`, { id: 1, method: 'roots/list' })) as { result: JsonObject };
  return (result['roots'] as { uri: string }[]).map(({ uri }) => uri);
}

describe('Roots', () => {
  it('are those of the Computer unless a server has its own; without any the capability is not declared', async () => {
    const servers = { a: raw('a'), b: raw('b', { roots: ['file:///b'] }), c: raw('c', { roots: [] }) };
    await using office = await officeOf(servers, { roots: ['/data', { uri: 'file:///named', name: 'Named' }] });
    expect(await rootsOf(office, 'a')).toEqual(['file:///data', 'file:///named']);
    expect(await rootsOf(office, 'b')).toEqual(['file:///b']);
    expect(await rootsOf(office, 'c')).toEqual([]);
    expect(await office.callJson('a-capabilities')).toEqual({ roots: { listChanged: true } });
    expect(await office.callJson('c-capabilities')).toEqual({});
  });

  it('change without a restart, and only the server that they are of is told', async () => {
    const [a, b] = [raw('a', { roots: ['file:///one'] }), raw('b', { roots: ['file:///b'] })];
    await using office = await officeOf({ a, b });
    const pids = [await office.callJson('a-pid'), await office.callJson('b-pid')];
    const servers = { a: { ...a, roots: ['file:///two'] }, b };
    await office.computer.setConfig(parseConfig(JSON.stringify({ servers })));
    expect(await rootsOf(office, 'a')).toEqual(['file:///two']);
    await office.computer.updateServer('a', { ...a, roots: ['file:///three'] });
    expect(await rootsOf(office, 'a')).toEqual(['file:///three']);
    expect(await office.callJson('a-counts')).toMatchObject({ 'notifications/roots/list_changed': 2 });
    expect(await office.callJson('b-counts')).not.toHaveProperty(['notifications/roots/list_changed']);
    expect([await office.callJson('a-pid'), await office.callJson('b-pid')]).toEqual(pids);
  });

  it('that come or go altogether restart their server, which is told of them at the handshake only', async () => {
    await using office = await officeOf({ a: raw('a') });
    await office.computer.updateServer('a', raw('a', { roots: ['file:///one'] }));
    expect(await office.callJson('a-capabilities')).toEqual({ roots: { listChanged: true } });
    await office.computer.updateServer('a', raw('a'));
    expect(await office.callJson('a-capabilities')).toEqual({});
  });

  it('that change while their server is being started are the new ones for it', async () => {
    await using office = await officeOf({});
    const args = [RAW, JSON.stringify({ only: ['ask'], initDelay: 300 })];
    const slow = (uri: string): JsonObject => ({ ...raw('a', { roots: [uri] }), args });
    const starting = nextEvent(office.computer, 'serverState', ({ state }) => state === 'starting');
    const adding = office.computer.addServer('a', slow('file:///one')).catch(() => undefined);
    await starting;
    await office.computer.updateServer('a', slow('file:///two'));
    await adding;
    expect(await rootsOf(office, 'a')).toEqual(['file:///two']);
  });

  it('are not shown to Agents', async () => {
    await using office = await officeOf({ a: raw('a', { roots: ['file:///home/canary'] }) });
    expect(JSON.stringify(await office.ask('client:get_config'))).not.toContain('canary');
  });
});

describe('Handlers of the application', () => {
  it('answer the servers, know which one asks, and end when the Computer closes', async () => {
    const onSampling: AnswerServerRequest = ({ server, params }) => ({ server, params });
    const signals: AbortSignal[] = [];
    const onElicitation: AnswerServerRequest = (_request, { signal }) => {
      signals.push(signal);
      return new Promise(() => undefined);
    };
    const office = await officeOf({ a: raw('a'), b: raw('b') }, { onSampling, onElicitation });
    try {
      const request = { id: 0, method: 'sampling/createMessage', params: { x: 1 } };
      expect(await office.callJson('b-ask', request)).toMatchObject({ result: { server: 'b', params: { x: 1 } } });
      expect(textOf(await office.call('a-send', { messages: [{ id: 1, method: 'elicitation/create' }] }))).toBe('sent');
      await vi.waitFor(() => {
        expect(signals).toHaveLength(1);
      });
      expect(signals[0]?.aborted).toBe(false);
      const closing = office.computer.close();
      await vi.waitFor(() => {
        expect(signals[0]?.aborted).toBe(true);
      });
      await closing;
    } finally {
      await office[Symbol.asyncDispose]();
    }
  });

  it('give up after the time that the options say', async () => {
    const onElicitation: AnswerServerRequest = () => new Promise(() => undefined);
    await using office = await officeOf({ a: raw('a') }, { onElicitation, serverRequestTimeoutMs: 50 });
    expect(await office.callJson('a-ask', { id: 1, method: 'elicitation/create' })).toMatchObject({
      result: { action: 'cancel' },
    });
  });
});
