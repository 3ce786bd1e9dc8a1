import { describe, expect, it } from 'vitest';
import { Agent } from '../../src/agent/index.js';
import { Peer } from '../support/peer.js';
import { PYTHON_PEER_SETUP, PythonPeer, pythonSocketIoVersion } from '../support/python-peer.js';
import { startServer } from '../support/running-server.js';

const installed = pythonSocketIoVersion() !== undefined;
// Where everything is set up for the tests nothing is skipped.
const wanted = installed || process.env['CI'] === 'true';

const REQUEST = `{'agent': 'agent', 'req_id': 'r', 'computer': 'laptop'}`;

it.runIf(wanted)('python-socketio is installed', () => {
  expect(installed, PYTHON_PEER_SETUP).toBe(true);
});

describe.runIf(installed).each([[['polling']], [['websocket']], [['polling', 'websocket']]])(
  'peers made of python-socketio, over %j',
  (transports) => {
    /** A Python Agent and a Python Computer in one office. */
    async function office(url: string): Promise<{ agent: PythonPeer; computer: PythonPeer } & AsyncDisposable> {
      const agent = new PythonPeer();
      const computer = new PythonPeer();
      await Promise.all([agent.connect(url, transports), computer.connect(url, transports)]);
      expect(await agent.join('agent', 'agent', 'office')).toBe('(True, None)');
      expect(await computer.join('computer', 'laptop', 'office')).toBe('(True, None)');
      return {
        agent,
        computer,
        [Symbol.asyncDispose]: async () => {
          await Promise.all([agent[Symbol.asyncDispose](), computer[Symbol.asyncDispose]()]);
        },
      };
    }

    it('join, list, hear of each other and leave [R-3.2-join] [R-3.2-leave] [R-3.2-list_room]', async () => {
      await using running = await startServer();
      await using peers = await office(running.url);
      const { agent, computer } = peers;
      expect(await agent.join('agent', 'agent', 'elsewhere')).toBe(
        "(False, 'Already in another office, leave it first (403)')",
      );
      const list = await agent.call('server:list_room', `{'agent': 'agent', 'req_id': 'r', 'office_id': 'office'}`);
      expect(list).toMatch(/'name': 'agent', 'role': 'agent'.*'name': 'laptop', 'role': 'computer'/);
      expect(await computer.call('server:update_config', `{'computer': 'anything'}`)).toBe('None');
      expect(await agent.call('server:tool_call_cancel', `{'agent': 'anything', 'req_id': 'r'}`)).toBe('None');
      expect(await computer.call('server:leave_office', `{'office_id': 'office'}`)).toBe('(True, None)');
      expect(await computer.received()).toBe(`[('notify:tool_call_cancel', {'agent': 'agent', 'req_id': 'r'})]`);
      await expect
        .poll(() => agent.received())
        .toBe(
          `[('notify:enter_office', {'office_id': 'office', 'computer': 'laptop'}), ` +
            `('notify:update_config', {'computer': 'laptop'}), ` +
            `('notify:leave_office', {'office_id': 'office', 'computer': 'laptop'})]`,
        );
    });

    it('whatever a Python handler returns comes back as Python means it [R-3.1-unchanged]', async () => {
      await using running = await startServer();
      await using peers = await office(running.url);
      const { agent, computer } = peers;
      const cases = [
        [`{'tools': [], 'req_id': 'r', 'more': {'é': '😀'}}`],
        [`None`],
        [`()`, 'None'],
        [`('a', {'b': 1}, 3)`],
        [`['a', 2]`],
        [`b'\\x00\\xff'`],
        [`{'deep': [{'bytes': b'abc'}]}`],
        [`{'v': float('nan'), 'i': [float('-inf'), 'NaN']}`, `{'v': None, 'i': [None, 'NaN']}`],
      ] as const;
      for (const [returned, seen = returned] of cases) {
        await computer.answer('client:get_tools', returned);
        expect([returned, await agent.call('client:get_tools', REQUEST)]).toEqual([returned, seen]);
      }
      expect(await computer.connected()).toBe('True');
    });

    it('whatever Python sends as payload is relayed, or answered with 400 [R-5.2-always-answered] [R-5.2-join-outcome]', async () => {
      await using running = await startServer();
      await using peers = await office(running.url);
      const { agent, computer } = peers;
      await computer.answer('client:tool_call', `{'content': [], 'isError': False}`);
      const call = `{**${REQUEST}, 'tool_name': 't', 'params': {'n': float('nan'), 'b': b'x', 't': (1, 2)}, 'timeout': 5}`;
      expect(await agent.call('client:tool_call', call)).toBe(`{'content': [], 'isError': False}`);
      expect(await computer.received()).toContain(`'params': {'n': None, 'b': b'x', 't': [1, 2]}`);
      for (const payload of ['None', '()', `'text'`, '7', `float('nan')`, '[1]', `b'x'`, `('a', ${REQUEST})`, '{}']) {
        const answer = await agent.call('client:get_tools', payload);
        expect([payload, answer]).toEqual([payload, expect.stringMatching(/^\{'code': 400, 'message': '/)]);
        expect(await agent.call('server:join_office', payload)).toMatch(/^\(False, ['"].+ \(400\)['"]\)$/);
      }
      expect(await agent.call('no:such_event', '{}')).toBe(`{'code': 400, 'message': 'Unknown event'}`);
      expect(await agent.call('notify:enter_office', '{}')).toMatch(/^\{'code': 403/);
    });

    it('a Python Computer that is killed in a call ends it at once with 404 [R-5.2-dropped]', async () => {
      await using running = await startServer();
      await using agent = await Peer.join(running.url, { role: 'agent', name: 'agent', office: 'office' });
      await using computer = new PythonPeer();
      await computer.connect(running.url, transports);
      await computer.answer('client:get_tools', 'asyncio.sleep(60)');
      await computer.join('computer', 'laptop', 'office');
      const answer = agent.call('client:get_tools', { agent: 'agent', req_id: 'r', computer: 'laptop' });
      await expect.poll(() => computer.received()).toContain('client:get_tools');
      computer.kill();
      expect(await answer).toMatchObject([{ code: 404, computer: 'laptop' }]);
    });

    it('our Agent calls a Python Computer', async () => {
      await using running = await startServer();
      await using computer = new PythonPeer();
      await computer.connect(running.url, transports);
      await computer.answer(
        'client:get_tools',
        `{'req_id': '', 'tools': [{'name': 'add', 'description': '', 'params_schema': {}, 'return_schema': None, 'meta': {}}]}`,
      );
      await computer.answer('client:tool_call', `{'content': [{'type': 'text', 'text': '3'}], 'isError': False}`);
      await computer.join('computer', 'laptop', 'office');
      await using agent = new Agent({ url: running.url, name: 'agent' });
      await agent.connect();
      await agent.joinOffice('office');
      expect((await agent.getTools('laptop')).map(({ name }) => name)).toEqual(['add']);
      expect(await agent.callTool('laptop', 'add', { a: 1, b: 2 })).toMatchObject({
        content: [{ type: 'text', text: '3' }],
      });
    });
  },
);

describe.runIf(installed)('a Python client of another protocol version', () => {
  it('reads the whole refusal over polling [R-2.1-incompatible]', async () => {
    await using running = await startServer();
    await using peer = new PythonPeer();
    expect(await peer.connect(running.url, ['polling', 'websocket'], '0.1.0')).toBe(
      `[{'code': 4008, 'message': 'Protocol version mismatch', 'server_version': '0.2.0', ` +
        `'client_version': '0.1.0', 'min_supported': '0.2.0', 'max_supported': '0.2.999'}]`,
    );
  });
});
