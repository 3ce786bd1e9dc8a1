import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MemoryOfficeRegistry, type JoinOutcome, type Member, type OfficeRegistry } from '../../src/server/index.js';
import { Peer } from '../support/peer.js';
import { startServer } from '../support/running-server.js';

const agentAt = (office: string) => ({ role: 'agent', name: 'agent', office }) as const;
const computerAt = (office: string, name = 'laptop') => ({ role: 'computer', name, office }) as const;
const listOf = (office: string) => ({ agent: 'agent', req_id: 'r', office_id: office });
const callOf = (computer: string) => ({ agent: 'agent', req_id: 'r', computer });

async function namesIn(agent: Peer, office: string): Promise<string[]> {
  const [answer] = (await agent.call('server:list_room', listOf(office))) as [{ sessions: { name: string }[] }];
  return answer.sessions.map(({ name }) => name);
}

/** A registry as one that is shared between processes would be: every answer takes a while. */
class SlowRegistry implements OfficeRegistry {
  readonly #inner = new MemoryOfficeRegistry();

  async join(member: Member): Promise<JoinOutcome> {
    await sleep(5);
    const outcome = this.#inner.join(member);
    await sleep(5);
    return outcome;
  }

  async leave(sid: string): Promise<Member | undefined> {
    await sleep(5);
    return this.#inner.leave(sid);
  }

  async find(officeId: string, name: string): Promise<Member | undefined> {
    await sleep(5);
    return this.#inner.find(officeId, name);
  }

  async members(officeId: string): Promise<readonly Member[]> {
    await sleep(5);
    return this.#inner.members(officeId);
  }
}

const REGISTRIES = [
  ['in memory', () => new MemoryOfficeRegistry()],
  ['answering later', () => new SlowRegistry()],
] as const;

describe.each(REGISTRIES)('offices, with a registry %s', (_name, registry) => {
  it('of racing joins for the seat of the Agent exactly one wins [R-1-one-agent] [R-3.2-reasons] [F-J-one-seat]', async () => {
    await using running = await startServer({ registry: registry() });
    const peers = await Promise.all(Array.from({ length: 8 }, () => Peer.connect(running.url)));
    const answers = await Promise.all(peers.map((peer, index) => peer.join('agent', `agent-${index}`, 'office')));
    expect(answers.filter(([ok]) => ok === true)).toEqual([[true, null]]);
    expect(answers.filter(([ok]) => ok === false)).toEqual(
      Array.from({ length: 7 }, () => [false, 'Room already has an agent (4101)']),
    );
    await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
  });

  it('of racing joins under one Computer name exactly one wins [R-1-unique-names] [R-3.2-reasons]', async () => {
    await using running = await startServer({ registry: registry() });
    const peers = await Promise.all(Array.from({ length: 8 }, () => Peer.connect(running.url)));
    const answers = await Promise.all(peers.map((peer) => peer.join('computer', 'laptop', 'office')));
    expect(answers.filter(([ok]) => ok === true)).toHaveLength(1);
    expect(answers.filter(([ok]) => ok === false)).toEqual(
      Array.from({ length: 7 }, () => [false, 'Computer name already in use in this office: laptop (403)']),
    );
    await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
  });

  it('a Computer moves: leave notice in the old office, enter notice in the new one [R-1-computer-moves] [R-3.3-leave-first]', async () => {
    await using running = await startServer({ registry: registry() });
    await using first = await Peer.join(running.url, agentAt('one'));
    await using second = await Peer.join(running.url, agentAt('two'));
    await using computer = await Peer.join(running.url, computerAt('one'));
    expect(await computer.join('computer', 'laptop', 'two')).toEqual([true, null]);
    expect(await first.next('notify:leave_office')).toEqual({ office_id: 'one', computer: 'laptop' });
    expect(await second.next('notify:enter_office')).toEqual({ office_id: 'two', computer: 'laptop' });
    expect(await namesIn(first, 'one')).toEqual(['agent']);
    expect(await namesIn(second, 'two')).toEqual(['agent', 'laptop']);
    await computer.call('server:update_config', { computer: 'laptop' });
    await first.settle();
    expect(first.eventNames).not.toContain('notify:update_config');
  });

  it('a refused move leaves the Computer where it is, without a notice [R-1-computer-moves]', async () => {
    await using running = await startServer({ registry: registry() });
    await using agent = await Peer.join(running.url, agentAt('one'));
    await using computer = await Peer.join(running.url, computerAt('one'));
    await using holder = await Peer.join(running.url, computerAt('two'));
    computer.on('client:get_tools', () => [{ tools: [] }]);
    expect(await computer.join('computer', 'laptop', 'two')).toMatchObject([false, expect.stringContaining('(403)')]);
    expect(await agent.call('client:get_tools', callOf('laptop'))).toEqual([{ tools: [] }]);
    await agent.settle();
    await holder.settle();
    expect(agent.eventNames).toEqual(['notify:enter_office']);
    expect(holder.received).toEqual([]);
  });

  it('a name is free as soon as its holder is gone, and a leave notice went out [R-3.3-leave-first]', async () => {
    await using running = await startServer({ registry: registry() });
    await using agent = await Peer.join(running.url, agentAt('office'));
    const computer = await Peer.join(running.url, computerAt('office'));
    computer.socket.disconnect();
    expect(await agent.next('notify:leave_office')).toEqual({ office_id: 'office', computer: 'laptop' });
    await expect
      .poll(async () => {
        await using next = await Peer.connect(running.url);
        return await next.join('computer', 'laptop', 'office');
      })
      .toEqual([true, null]);
  });

  it('a connection that goes while it joins leaves nothing behind', async () => {
    await using running = await startServer({ registry: registry() });
    await using agent = await Peer.join(running.url, agentAt('office'));
    const computer = await Peer.connect(running.url, { transports: ['websocket'] });
    computer.socket.emit('server:join_office', { role: 'computer', name: 'laptop', office_id: 'office' });
    computer.socket.disconnect();
    await expect.poll(() => namesIn(agent, 'office')).toEqual(['agent']);
    await using next = await Peer.connect(running.url);
    await expect.poll(() => next.join('computer', 'laptop', 'office')).toEqual([true, null]);
  });
});

it('close() waits until the places are given up, so that another Server of the same registry can take them', async () => {
  const registry = new SlowRegistry();
  const first = await startServer({ registry });
  await using computer = await Peer.join(first.url, computerAt('office'));
  await using joining = await Peer.connect(first.url);
  joining.socket.emit('server:join_office', { role: 'agent', name: 'agent', office_id: 'office' });
  await computer.settle();
  await first.server.close();
  expect(await registry.members('office')).toEqual([]);
});

describe('a registry that answers late', () => {
  /** After `shut()` its method waits for `open()`; `asked` resolves when it does. */
  class GatedRegistry implements OfficeRegistry {
    readonly #inner = new MemoryOfficeRegistry();
    readonly #method: 'leave' | 'find';
    #gate: Promise<void> | undefined;
    #ask = (): void => undefined;
    asked: Promise<void> = Promise.resolve();
    open = (): void => undefined;

    constructor(method: 'leave' | 'find') {
      this.#method = method;
    }

    shut(): void {
      this.#gate = new Promise((resolve) => (this.open = resolve));
      this.asked = new Promise((resolve) => (this.#ask = resolve));
    }

    join(member: Member): JoinOutcome {
      return this.#inner.join(member);
    }

    async leave(sid: string): Promise<Member | undefined> {
      await this.#pass('leave');
      return this.#inner.leave(sid);
    }

    async find(officeId: string, name: string): Promise<Member | undefined> {
      const found = this.#inner.find(officeId, name);
      await this.#pass('find');
      return found;
    }

    members(officeId: string): readonly Member[] {
      return this.#inner.members(officeId);
    }

    async #pass(method: 'leave' | 'find'): Promise<void> {
      if (method !== this.#method || this.#gate === undefined) return;
      this.#ask();
      await this.#gate;
    }
  }

  it('no call reaches a Computer that has left the office already [R-1-isolation]', async () => {
    const registry = new GatedRegistry('leave');
    await using running = await startServer({ registry });
    await using agent = await Peer.join(running.url, agentAt('office'));
    await using computer = await Peer.join(running.url, computerAt('office'));
    computer.on('client:get_tools', () => [{ tools: [] }]);
    registry.shut();
    const left = computer.call('server:leave_office', { office_id: 'office' });
    await agent.next('notify:leave_office');
    await registry.asked;
    expect(await agent.call('client:get_tools', callOf('laptop'))).toMatchObject([{ code: 404 }]);
    registry.open();
    expect(await left).toEqual([true, null]);
    expect(computer.received).toEqual([]);
  });

  it('no call goes out for an Agent that has left the office meanwhile [R-1-isolation]', async () => {
    const registry = new GatedRegistry('find');
    await using running = await startServer({ registry });
    await using agent = await Peer.join(running.url, agentAt('office'));
    await using computer = await Peer.join(running.url, computerAt('office'));
    registry.shut();
    const answer = agent.call('client:get_tools', callOf('laptop'));
    await registry.asked;
    expect(await agent.call('server:leave_office', { office_id: 'office' })).toEqual([true, null]);
    registry.open();
    expect(await answer).toMatchObject([{ code: 4103 }]);
    await computer.settle();
    expect(computer.eventNames).toEqual(['notify:leave_office']);
  });
});

describe('offices', () => {
  it('joining again under the same name is true, null without a notice [R-3.2-rejoin-same]', async () => {
    await using running = await startServer();
    await using agent = await Peer.join(running.url, agentAt('office'));
    await using computer = await Peer.join(running.url, computerAt('office'));
    expect(await computer.join('computer', 'laptop', 'office')).toEqual([true, null]);
    expect(await agent.join('agent', 'agent', 'office')).toEqual([true, null]);
    await agent.settle();
    await computer.settle();
    expect(agent.eventNames).toEqual(['notify:enter_office']);
    expect(computer.received).toEqual([]);
  });

  it('a new name in the same office is a rename, and the old name is free at once [R-3.2-rename] [F-J-rename]', async () => {
    await using running = await startServer();
    await using agent = await Peer.join(running.url, agentAt('office'));
    await using computer = await Peer.join(running.url, computerAt('office', 'old'));
    computer.on('client:get_tools', () => [{ tools: [] }]);
    expect(await computer.join('computer', 'new', 'office')).toEqual([true, null]);
    expect(agent.received.slice(1).map(({ event, args }) => [event, ...args])).toEqual([
      ['notify:leave_office', { office_id: 'office', computer: 'old' }],
      ['notify:enter_office', { office_id: 'office', computer: 'new' }],
    ]);
    expect(await agent.call('client:get_tools', callOf('old'))).toMatchObject([{ code: 404 }]);
    expect(await agent.call('client:get_tools', callOf('new'))).toEqual([{ tools: [] }]);
    await using other = await Peer.connect(running.url);
    expect(await other.join('computer', 'old', 'office')).toEqual([true, null]);
    expect(await agent.join('agent', 'boss', 'office')).toEqual([true, null]);
    expect(await other.next('notify:leave_office')).toEqual({ office_id: 'office', agent: 'agent' });
    expect(await other.next('notify:enter_office')).toEqual({ office_id: 'office', agent: 'boss' });
  });

  it('an Agent does not move without leaving [R-1-agent-stays] [R-3.2-reasons]', async () => {
    await using running = await startServer();
    await using agent = await Peer.join(running.url, agentAt('one'));
    expect(await agent.join('agent', 'agent', 'two')).toEqual([
      false,
      'Already in another office, leave it first (403)',
    ]);
    expect(await namesIn(agent, 'one')).toEqual(['agent']);
    await agent.call('server:leave_office', { office_id: 'one' });
    expect(await agent.join('agent', 'agent', 'two')).toEqual([true, null]);
  });

  it('a refused join leaves no trace: no role, no name, no room [F-J-no-trace]', async () => {
    await using running = await startServer();
    await using agent = await Peer.join(running.url, agentAt('office'));
    await using loser = await Peer.connect(running.url);
    expect(await loser.join('agent', 'second', 'office')).toEqual([false, 'Room already has an agent (4101)']);
    expect(await namesIn(agent, 'office')).toEqual(['agent']);
    expect(await loser.call('server:update_config', { computer: 'x' })).toMatchObject([{ code: 4103 }]);
    await using computer = await Peer.join(running.url, computerAt('office'));
    await computer.call('server:update_config', { computer: 'laptop' });
    await loser.settle();
    expect(loser.received).toEqual([]);
    expect(await loser.join('computer', 'second', 'office')).toEqual([true, null]);
  });

  it('the role is fixed by the first join that succeeds [R-1-role-fixed] [R-3.2-reasons]', async () => {
    await using running = await startServer();
    await using peer = await Peer.join(running.url, computerAt('office'));
    await peer.call('server:leave_office', { office_id: 'office' });
    expect(await peer.join('agent', 'agent', 'office')).toEqual([false, 'Role mismatch (403)']);
    expect(await peer.join('computer', 'laptop', 'office')).toEqual([true, null]);
  });

  it('auth.role must match the join [R-2-auth-role]', async () => {
    await using running = await startServer();
    await using peer = await Peer.connect(running.url, { auth: { role: 'computer' } });
    expect(await peer.join('agent', 'agent', 'office')).toEqual([false, 'Role mismatch (403)']);
    expect(await peer.join('computer', 'laptop', 'office')).toEqual([true, null]);
    await using silent = await Peer.connect(running.url, { auth: { role: null } });
    expect(await silent.join('agent', 'agent', 'office')).toEqual([true, null]);
  });

  it('leaving uses the own office: another one, or none, is false [R-3.2-own-office] [R-3.2-reasons] [F-J-own-office]', async () => {
    await using running = await startServer();
    await using agent = await Peer.join(running.url, agentAt('one'));
    await using other = await Peer.join(running.url, computerAt('two'));
    expect(await other.call('server:leave_office', { office_id: 'one' })).toEqual([false, 'Not in this office (4103)']);
    await using outsider = await Peer.connect(running.url);
    expect(await outsider.call('server:leave_office', { office_id: 'one' })).toEqual([
      false,
      'Not in this office (4103)',
    ]);
    await agent.settle();
    expect(agent.received).toEqual([]);
  });

  it('an office named like the id of a member gets none of its traffic [R-1-isolation] [F-J-prefixed-rooms]', async () => {
    await using running = await startServer();
    await using agent = await Peer.join(running.url, agentAt('office'));
    await using computer = await Peer.join(running.url, computerAt('office'));
    computer.on('client:get_tools', () => [{ tools: [] }]);
    await using spy = await Peer.join(running.url, computerAt(computer.sid, 'spy'));
    await agent.call('client:get_tools', callOf('laptop'));
    await spy.call('server:update_config', { computer: 'spy' });
    await spy.settle();
    await computer.settle();
    expect(spy.received).toEqual([]);
    expect(computer.eventNames).toEqual(['client:get_tools']);
  });

  it('nothing crosses from one office to another [R-1-isolation] [R-5.2-cross-room] [R-5.2-unknown-computer]', async () => {
    await using running = await startServer();
    await using one = await Peer.join(running.url, agentAt('one'));
    await using two = await Peer.join(running.url, agentAt('two'));
    await using computer = await Peer.join(running.url, computerAt('two', 'only-in-two'));
    const refusal = { code: 404, computer: 'only-in-two', message: 'No Computer named "only-in-two" in this office' };
    expect(await one.call('client:get_tools', callOf('only-in-two'))).toEqual([refusal]);
    expect(await one.call('server:list_room', listOf('two'))).toMatchObject([{ code: 4104 }]);
    await one.call('server:tool_call_cancel', { agent: 'agent', req_id: 'r' });
    await computer.call('server:update_desktop', { computer: 'only-in-two' });
    await computer.settle();
    await one.settle();
    await two.settle();
    expect(computer.received).toEqual([]);
    expect(one.received).toEqual([]);
    expect(two.eventNames).toEqual(['notify:enter_office', 'notify:update_desktop']);
  });

  it('an Agent and a Computer may share a name; calls look among Computers only', async () => {
    await using running = await startServer();
    await using agent = await Peer.join(running.url, agentAt('office'));
    expect(await agent.call('client:get_tools', callOf('agent'))).toMatchObject([{ code: 404, computer: 'agent' }]);
    await using computer = await Peer.join(running.url, computerAt('office', 'agent'));
    computer.on('client:get_tools', () => [{ tools: [] }]);
    expect(await agent.call('client:get_tools', callOf('agent'))).toEqual([{ tools: [] }]);
  });

  it('a live member is never thrown out by a newcomer [R-3.4-no-eviction]', async () => {
    await using running = await startServer();
    await using computer = await Peer.join(running.url, computerAt('office'));
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await using newcomer = await Peer.connect(running.url);
      expect(await newcomer.join('computer', 'laptop', 'office')).toMatchObject([false, expect.any(String)]);
    }
    expect(computer.socket.connected).toBe(true);
    expect(await computer.call('server:update_config', { computer: 'laptop' })).toEqual([]);
  });

  it.each([
    ['a blank name', { name: '  ' }],
    ['an empty office', { office_id: '' }],
    ['a control character', { name: 'a\nb' }],
    ['257 characters', { office_id: 'x'.repeat(257) }],
    ['no name', { name: undefined }],
    ['an unknown role', { role: 'boss' }],
  ])(
    'a join with %s is refused with a reason that names the field and ends in (400) [R-1-name-form]',
    async (_title, wrong) => {
      await using running = await startServer();
      await using peer = await Peer.connect(running.url);
      const place = { role: 'computer', name: 'laptop', office_id: 'office', ...wrong };
      const field = Object.keys(wrong)[0] ?? '';
      expect(await peer.call('server:join_office', place)).toEqual([
        false,
        expect.stringMatching(new RegExp(`^${field}: .+ \\(400\\)$`)),
      ]);
    },
  );

  it('names are any Unicode of up to 256 characters [R-1-name-form]', async () => {
    await using running = await startServer();
    await using peer = await Peer.connect(running.url);
    expect(await peer.join('computer', '办公室-💻'.repeat(2), '😀'.repeat(256))).toEqual([true, null]);
    expect(await peer.join('computer', '__proto__', 'constructor')).toEqual([true, null]);
  });
});
