import { describe, expect, it } from 'vitest';
import { JoinRefusedError } from '../../src/agent/index.js';
import { PROFILE_0_2, ProtocolVersionError } from '../../src/protocol/index.js';
import { bareServer } from './agent-bare-server.js';
import { failure, fakeComputer, joinedAgent, newAgent, record, startServer, tool, until } from './agent-fixtures.js';

const LAPTOP = { office: 'o', name: 'laptop' };
const INCOMPATIBLE = { ...PROFILE_0_2, version: '0.9.0' };

/** Credentials that are given at once for the first connect, and only when told to for those after it. */
function reconnectGate(): { auth: () => Promise<Record<string, unknown>>; open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let asked = 0;
  const auth = async (): Promise<Record<string, unknown>> => {
    if (asked++ > 0) await opened;
    return {};
  };
  return { auth, open };
}

describe('the catalogue', () => {
  it('[R-3.4-discovery] holds the tools of the Computers that are there when the join resolves', async () => {
    const server = await startServer();
    await fakeComputer(server.url, LAPTOP);
    await fakeComputer(
      server.url,
      { office: 'o', name: 'desk' },
      {
        'client:get_tools': ({ req_id }) => ({ tools: [], req_id }),
      },
    );
    const agent = newAgent(server.url);
    const seen = record(agent);
    await agent.connect();
    await agent.joinOffice('o');
    expect([...agent.computers].sort()).toEqual(['desk', 'laptop']);
    expect(agent.tools).toEqual([{ ...tool('echo'), computer: 'laptop' }]);
    expect(seen.filter(([name]) => name === 'computerJoined')).toHaveLength(2);
    expect(seen).toContainEqual(['toolsChanged', { computer: 'desk', tools: [] }]);
  });

  it('is not kept where it is not wanted: nothing is fetched, Computers that come and go are still told', async () => {
    const server = await startServer();
    let asked = 0;
    const laptop = await fakeComputer(server.url, LAPTOP, {
      'client:get_tools': ({ req_id }) => ({ tools: [tool(`echo${asked++}`)], req_id }),
    });
    const agent = await joinedAgent(server.url, 'o', { catalog: false });
    const seen = record(agent);
    laptop.socket.emit('server:update_tool_list', { computer: 'laptop' });
    await fakeComputer(server.url, { office: 'o', name: 'desk' });
    laptop.socket.disconnect();
    await until(() => seen.some(([name]) => name === 'computerLeft'));
    expect(seen).toEqual([
      ['computerJoined', { computer: 'desk' }],
      ['computerLeft', { computer: 'laptop' }],
    ]);
    expect({ asked, tools: agent.tools }).toEqual({ asked: 0, tools: [] });
  });

  it('[R-3.4-agent-catalogue] follows Computers that come, change and go', async () => {
    const server = await startServer();
    const agent = await joinedAgent(server.url, 'o');
    const seen = record(agent);
    let tools = [tool('echo')];
    const laptop = await fakeComputer(server.url, LAPTOP, {
      'client:get_tools': ({ req_id }) => ({ tools, req_id }),
    });
    await until(() => agent.tools.length === 1);
    tools = [];
    laptop.socket.emit('server:update_tool_list', { computer: 'laptop' });
    await until(() => agent.tools.length === 0);
    laptop.socket.emit('server:update_desktop', { computer: 'laptop' });
    await until(() => seen.some(([name]) => name === 'desktopChanged'));
    laptop.socket.disconnect();
    await until(() => agent.computers.length === 0);
    expect(seen).toEqual([
      ['computerJoined', { computer: 'laptop' }],
      ['toolsChanged', { computer: 'laptop', tools: [tool('echo')] }],
      ['toolsChanged', { computer: 'laptop', tools: [] }],
      ['desktopChanged', { computer: 'laptop' }],
      ['computerLeft', { computer: 'laptop' }],
    ]);
  });

  it('[R-3.2-tools-and-config] makes one fetch of update_tool_list and update_config', async () => {
    const server = await startServer();
    const laptop = await fakeComputer(server.url, LAPTOP);
    const agent = await joinedAgent(server.url, 'o', { catalogWindowMs: 50 });
    const seen = record(agent);
    laptop.socket.emit('server:update_tool_list', { computer: 'laptop' });
    laptop.socket.emit('server:update_config', { computer: 'laptop' });
    await until(() => seen.some(([name]) => name === 'toolsChanged'));
    expect(seen.filter(([name]) => name === 'configChanged')).toEqual([['configChanged', { computer: 'laptop' }]]);
    // One at the join, one for both notices, and this one.
    await agent.getTools('laptop');
    expect(laptop.received.filter(({ event }) => event === 'client:get_tools')).toHaveLength(3);
  });

  it('is not held up by a Computer that does not answer, and takes it in later', async () => {
    const server = await startServer();
    let answer: (tools: unknown) => void = () => undefined;
    await fakeComputer(
      server.url,
      { office: 'o', name: 'slow' },
      {
        'client:get_tools': (_payload, ack) => {
          answer = ack;
          return undefined;
        },
      },
    );
    await fakeComputer(
      server.url,
      { office: 'o', name: 'broken' },
      {
        'client:get_tools': () => 'nonsense',
      },
    );
    await fakeComputer(server.url, LAPTOP);
    const agent = await joinedAgent(server.url, 'o', { catalogWaitMs: 100 });
    expect([...agent.computers].sort()).toEqual(['broken', 'laptop', 'slow']);
    expect(agent.tools.map(({ computer }) => computer)).toEqual(['laptop']);
    answer({ tools: [tool('late')] });
    await until(() => agent.tools.length === 2);
  });

  it('is forgotten on leaving, and late answers do not bring it back', async () => {
    const server = await startServer();
    let answer: (tools: unknown) => void = () => undefined;
    const laptop = await fakeComputer(server.url, LAPTOP, {
      'client:get_tools': (_payload, ack) => {
        answer = ack;
        return undefined;
      },
    });
    const agent = await joinedAgent(server.url, 'o', { catalogWaitMs: 1 });
    await until(() => laptop.received.length > 0);
    const seen = record(agent);
    await agent.leaveOffice();
    answer({ tools: [tool('late')] });
    await agent.joinOffice('other');
    expect(agent.computers).toEqual([]);
    expect(agent.tools).toEqual([]);
    expect(seen).toEqual([]);
  });

  it('ignores malformed notices', async () => {
    await using server = await bareServer({
      onSocket: (socket) => {
        socket.on('server:join_office', (_payload: unknown, ack: (...args: unknown[]) => void) => {
          ack(true, null);
        });
        socket.on('server:list_room', (_payload: unknown, ack: (answer: unknown) => void) => {
          ack({ sessions: [], req_id: 'x' });
        });
      },
    });
    const agent = await joinedAgent(server.url, 'o');
    const seen = record(agent);
    const [socket] = server.sockets();
    const members = ['enter_office', 'leave_office'];
    const updates = ['update_config', 'update_tool_list', 'update_desktop'];
    for (const bad of [undefined, null, 'x', [], {}, { computer: 7 }]) {
      for (const event of [...members, ...updates]) socket?.emit(`notify:${event}`, bad);
    }
    for (const event of members) socket?.emit(`notify:${event}`, { office_id: 'o', computer: 'c', agent: 'a' });
    socket?.emit('notify:update_desktop', { computer: 'real' });
    await until(() => seen.length > 0);
    expect(seen).toEqual([['desktopChanged', { computer: 'real' }]]);
  });
});

describe('joining', () => {
  it('[R-3.4-first-join] a refused first join is an error at once, with its code', async () => {
    const server = await startServer();
    await joinedAgent(server.url, 'o');
    const second = newAgent(server.url, { name: 'agent-2' });
    await second.connect();
    const error = await failure(second.joinOffice('o'));
    expect(error).toBeInstanceOf(JoinRefusedError);
    expect(error).toMatchObject({ code: 4101, reason: 'Room already has an agent (4101)' });
    await second.joinOffice('p');
    expect(second.membership).toEqual({ officeId: 'p', name: 'agent-2' });
  });

  it('takes another name for one office, and makes one up when none is given', async () => {
    const server = await startServer();
    const agent = newAgent(server.url, { name: undefined });
    await agent.connect();
    expect(agent.name).toMatch(/^agent-[0-9a-f]{8}$/);
    await agent.joinOffice('o', { name: 'boss' });
    expect(agent.name).toBe('boss');
    expect((await agent.listRoom()).map(({ name }) => name)).toEqual(['boss']);
    expect(await failure(agent.joinOffice(' '))).toMatchObject({
      message: expect.stringMatching(/^officeId/) as string,
    });
  });

  it('[R-1-isolation] two offices do not see each other', async () => {
    const server = await startServer();
    const one = await joinedAgent(server.url, 'one');
    const two = await joinedAgent(server.url, 'two');
    const seen = record(two);
    const computer = await fakeComputer(server.url, { office: 'one', name: 'laptop' });
    await until(() => one.tools.length === 1);
    computer.socket.emit('server:update_desktop', { computer: 'laptop' });
    expect(await failure(two.callTool('laptop', 'echo'))).toMatchObject({ code: 404 });
    expect(await two.listRoom()).toHaveLength(1);
    expect(two.computers).toEqual([]);
    expect(seen).toEqual([]);
  });
});

describe('credentials', () => {
  it('token and auth travel together; wrong ones are a ConnectionError 401', async () => {
    const server = await startServer({ token: 'right' });
    const good = newAgent(server.url, { token: () => Promise.resolve('right'), auth: () => ({ tenant: 't' }) });
    await good.connect();
    const bad = newAgent(server.url, { token: 'wrong' });
    const error = await failure(bad.connect());
    expect(error).toMatchObject({ name: 'ConnectionError', code: 401 });
    expect(String(error)).not.toContain('wrong');
  });
});

describe('another protocol version', () => {
  it.each([[['polling', 'websocket']], [['polling']], [['websocket']]] as const)(
    '[R-2.2-version-error] is a ProtocolVersionError over %j',
    async (transports) => {
      const server = await startServer({ profile: INCOMPATIBLE });
      const agent = newAgent(server.url, { transports });
      const error = await failure(agent.connect());
      expect(error).toBeInstanceOf(ProtocolVersionError);
      expect(error).toMatchObject({
        clientVersion: '0.2.0',
        serverVersion: '0.9.0',
        minSupported: '0.9.0',
        maxSupported: '0.9.999',
      });
    },
  );

  it('[R-2.2-no-retry] met at a reconnect ends it with one event', async () => {
    const first = await startServer();
    const agent = await joinedAgent(first.url, 'o');
    const seen = record(agent);
    await first.server.close();
    await startServer({ profile: INCOMPATIBLE }, first.port);
    await until(() => seen.some(([name]) => name === 'refused'));
    expect(seen.map(([name]) => name)).toEqual(['disconnected', 'refused']);
    expect(seen[1]?.[1]).toMatchObject({ error: { serverVersion: '0.9.0' } });
    expect(agent.connected).toBe(false);
  });
});

describe('coming back', () => {
  it('[R-3.4-rejoin] joins again after a restart of the Server and fills the catalogue anew', async () => {
    const first = await startServer();
    const laptop = await fakeComputer(first.url, LAPTOP);
    const agent = await joinedAgent(first.url, 'o');
    const seen = record(agent);
    await first.server.close();
    laptop.socket.disconnect();
    await until(() => seen.some(([name]) => name === 'disconnected'));
    expect(agent.tools).toEqual([]);
    const second = await startServer({}, first.port);
    await fakeComputer(second.url, { office: 'o', name: 'desk' });
    await until(() => agent.tools.length === 1);
    expect(agent.computers).toEqual(['desk']);
    expect(agent.membership).toEqual({ officeId: 'o', name: 'agent-1' });
    expect(seen.map(([name]) => name)).toContain('rejoined');
  });

  it('[R-3.4-rejoin] tries again while its own ghost holds the seat', async () => {
    const first = await startServer();
    const gate = reconnectGate();
    const agent = await joinedAgent(first.url, 'o', { auth: gate.auth });
    const seen = record(agent);
    await first.server.close();
    const second = await startServer({}, first.port);
    // Another Agent in the seat stands for the ghost.
    const ghost = await joinedAgent(second.url, 'o', { name: 'ghost' });
    gate.open();
    await until(() => agent.connected);
    await ghost.close();
    await until(() => agent.membership !== undefined);
    expect(seen.map(([name]) => name)).toEqual(['disconnected', 'rejoined']);
  });

  it('[R-3.4-rejoin] reports a rejoin that stays refused', async () => {
    const first = await startServer();
    const gate = reconnectGate();
    const agent = await joinedAgent(first.url, 'o', { rejoinForMs: 60, auth: gate.auth });
    const seen = record(agent);
    await first.server.close();
    const second = await startServer({}, first.port);
    await joinedAgent(second.url, 'o', { name: 'agent-2' });
    gate.open();
    await until(() => seen.some(([name]) => name === 'rejoinFailed'));
    expect(seen.find(([name]) => name === 'rejoinFailed')?.[1]).toMatchObject({ error: { code: 4101 } });
    expect(agent.connected).toBe(true);
    expect(agent.membership).toBeUndefined();
  });

  it('stops when it is closed', async () => {
    const first = await startServer();
    const agent = await joinedAgent(first.url, 'o');
    await first.server.close();
    await Promise.all([agent.close(), agent.close()]);
    expect(agent.connected).toBe(false);
    expect(await failure(agent.connect())).toMatchObject({ name: 'ConnectionError' });
  });
});
