import { describe, expect, it, onTestFinished } from 'vitest';
import type { Socket } from 'socket.io';
import { OfficeConnection, type OfficeConnectionOptions } from '../../src/client/index.js';
import type { Logger } from '../../src/protocol/index.js';
import { acceptMembers, bareServer } from './agent-bare-server.js';
import { failure, fakeComputer, joinedAgent, newAgent, startServer, until } from './agent-fixtures.js';

const OFFICE = { officeId: 'o', name: 'agent-1' };
type Ack = (...args: unknown[]) => void;

function connection(url: string, options: Partial<OfficeConnectionOptions> = {}): OfficeConnection {
  const made = new OfficeConnection({
    url,
    role: 'agent',
    reconnectDelayMs: 10,
    reconnectDelayMaxMs: 20,
    ...options,
  });
  onTestFinished(() => made.close());
  return made;
}

describe('a Server that ends connections', () => {
  it('at once, is an error of the first connect or is tried again, as the options say', async () => {
    let kicks = 0;
    await using server = await bareServer({
      onSocket: (socket) => {
        if (kicks++ < 2) socket.disconnect(true);
      },
    });
    await expect(connection(server.url).connect()).rejects.toThrow(/ended the connection|Cannot connect/);
    const patient = connection(server.url, { retryFirstConnect: true });
    await patient.connect();
    expect(patient.connected).toBe(true);
    expect(kicks).toBe(3);
  });

  it('again and again, is dialled with growing waits until it stops', async () => {
    let kicks = 0;
    await using server = await bareServer({
      onSocket: (socket) => {
        acceptMembers(socket);
        if (++kicks > 1 && kicks < 5) socket.disconnect(true);
      },
    });
    const client = connection(server.url);
    await client.connect();
    await client.join(OFFICE);
    server.sockets()[0]?.disconnect(true);
    await until(() => client.membership !== undefined && kicks === 5);
    expect(client.membership).toEqual(OFFICE);
  });
});

describe('connecting twice', () => {
  it('is one attempt, and a wait while the connection is being made again', async () => {
    const first = await bareServer();
    const client = connection(first.url);
    await Promise.all([client.connect(), client.connect()]);
    await client.connect();
    expect(first.dials()).toBe(1);
    const down = new Promise<void>((resolve) => {
      client.events.on('disconnected', () => {
        resolve();
      });
    });
    await first.close();
    await down;
    const stop = AbortSignal.abort(new Error('impatient'));
    expect(await failure(client.connect({ signal: stop }))).toMatchObject({ message: 'impatient' });
    const waiting = client.connect();
    await using second = await bareServer({ port: first.port });
    await waiting;
    expect(second.sockets()).toHaveLength(1);
  });
});

describe('leaving', () => {
  /** Accepts the first join; refuses those after it until told otherwise. */
  function ghostServer(): { onSocket: (socket: Socket) => void; events: string[] } {
    const events: string[] = [];
    return {
      events,
      onSocket: (socket) => {
        socket.on('server:join_office', (payload: { office_id: string }, ack: Ack) => {
          events.push(`join ${payload.office_id}`);
          if (events.length === 1 || payload.office_id !== 'o') ack(true, null);
          else ack(false, 'Room already has an agent (4101)');
        });
        socket.on('server:leave_office', (payload: { office_id: string }, ack: Ack) => {
          events.push(`leave ${payload.office_id}`);
          ack(false, 'Not in this office (4103)');
        });
      },
    };
  }

  it('ends a rejoin that is being tried', async () => {
    const { onSocket, events } = ghostServer();
    await using server = await bareServer({ onSocket });
    const client = connection(server.url);
    await client.connect();
    await client.join(OFFICE);
    server.sockets()[0]?.disconnect(true);
    await until(() => events.length >= 3);
    await client.leave();
    const before = events.length;
    await client.join({ officeId: 'p', name: 'agent-1' });
    expect(events.slice(before)).toEqual(['join p']);
    expect(client.membership?.officeId).toBe('p');
  });

  it('and joining elsewhere takes the place of a rejoin, also from a listener of connected', async () => {
    const { onSocket, events } = ghostServer();
    await using server = await bareServer({ onSocket });
    const client = connection(server.url);
    await client.connect();
    await client.join(OFFICE);
    const moved = new Promise<void>((resolve, reject) => {
      client.events.on('connected', () => {
        client.join({ officeId: 'p', name: 'agent-1' }).then(resolve, reject);
      });
    });
    server.sockets()[0]?.disconnect(true);
    await moved;
    expect(client.membership?.officeId).toBe('p');
    expect(events).toEqual(['join o', 'join p']);
  });

  it('counts as done when the Server says that it was not there', async () => {
    const { onSocket } = ghostServer();
    await using server = await bareServer({ onSocket });
    const client = connection(server.url);
    await client.connect();
    await client.join(OFFICE);
    await client.leave();
    expect(client.membership).toBeUndefined();
  });

  it('without a connection forgets the office, and joining without one is an error', async () => {
    const client = connection('http://127.0.0.1:9');
    await client.leave();
    expect(await failure(client.join(OFFICE))).toMatchObject({ name: 'ConnectionError' });
  });

  it('follows a join that was given up but came about', async () => {
    const events: string[] = [];
    let answer: Ack = () => undefined;
    await using server = await bareServer({
      onSocket: (socket) => {
        socket.on('server:join_office', (_payload: unknown, ack: Ack) => {
          answer = ack;
          events.push('join');
        });
        socket.on('server:leave_office', (_payload: unknown, ack: Ack) => {
          events.push('leave');
          ack(true, null);
        });
      },
    });
    const client = connection(server.url);
    await client.connect();
    const early = AbortSignal.abort(new Error('too early'));
    expect(await failure(client.join(OFFICE, { signal: early }))).toMatchObject({ message: 'too early' });
    const stop = new AbortController();
    const joining = failure(client.join(OFFICE, { signal: stop.signal }));
    await until(() => events.length === 1);
    stop.abort(new Error('given up'));
    expect(await joining).toMatchObject({ message: 'given up' });
    answer(true, null);
    await until(() => events.length === 2);
    expect(events).toEqual(['join', 'leave']);
  });

  it('moving to another office tells of both', async () => {
    await using server = await bareServer({ onSocket: acceptMembers });
    const client = connection(server.url, { role: 'computer' });
    const seen: string[] = [];
    client.events.on('left', ({ officeId }) => seen.push(`left ${officeId}`));
    client.events.on('joined', ({ officeId, rejoined }) => seen.push(`joined ${officeId} ${rejoined}`));
    await client.connect();
    await client.join({ officeId: 'a', name: 'c' });
    await client.join({ officeId: 'b', name: 'c' });
    expect(seen).toEqual(['joined a false', 'left a', 'joined b false']);
  });
});

describe('an Agent', () => {
  it('joins although the members cannot be listed, and learns of them by their notices', async () => {
    await using server = await bareServer({
      onSocket: (socket) => {
        acceptMembers(socket);
        socket.on('server:list_room', (_payload: unknown, ack: Ack) => {
          ack({ code: 500, message: 'broken' });
        });
        socket.on('client:get_tools', (_payload: unknown, ack: Ack) => {
          ack({ tools: [{ name: 'echo' }], req_id: 'x' });
        });
      },
    });
    const agent = await joinedAgent(server.url, 'o');
    expect(agent.computers).toEqual([]);
    server.sockets()[0]?.emit('notify:enter_office', { office_id: 'o', computer: 'laptop' });
    await until(() => agent.tools.length === 1);
    expect(agent.computers).toEqual(['laptop']);
  });

  it('logs every event with its size, and nothing of what it carries', async () => {
    const lines: string[] = [];
    const write = (fields: object, message: string): void => {
      lines.push(message, JSON.stringify(fields));
    };
    const logger: Logger = { debug: write, info: write, warn: write, error: write };
    const server = await startServer({ token: 'canary-token' });
    const laptop = await fakeComputer(
      server.url,
      { office: 'o', name: 'laptop' },
      { 'client:tool_call': () => ({ content: [{ type: 'text', text: 'canary-result' }] }) },
      { token: 'canary-token' },
    );
    const agent = newAgent(server.url, { token: 'canary-token', logger });
    await agent.connect();
    await agent.joinOffice('o');
    await agent.callTool('laptop', 'echo', { secret: 'canary-param' }, { reqId: 'r-9' });
    laptop.socket.disconnect();
    await until(() => agent.computers.length === 0);
    await agent.close();
    const bad = newAgent(server.url, { token: 'canary-wrong', logger });
    expect(String(await failure(bad.connect()))).not.toContain('canary');
    const log = lines.join('\n');
    expect(log).not.toContain('canary');
    expect(log).toMatch(/"event":"client:tool_call","req_id":"r-9","size":\d+/);
  });
});
