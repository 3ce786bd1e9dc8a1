import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ServerStartError, type ConnectionEnding, type StartFailure } from './mcp-errors.js';
import type { ServerStatus } from './server-state.js';
import { Supervisor, type Session, type SupervisorOptions } from './supervisor.js';

/** A server that exists only here: counts how many of its sessions live. */
class FakeServer {
  live = 0;
  launches = 0;
  sessions: { session: Session; die: (ending?: Partial<ConnectionEnding>) => void }[] = [];
  failWith: StartFailure | undefined;
  startMs = 10;
  closeMs = 5;

  readonly launch = async (signal: AbortSignal): Promise<Session> => {
    this.launches += 1;
    expect(this.live).toBe(0);
    this.live += 1;
    try {
      await sleep(this.startMs, signal);
      if (this.failWith !== undefined) throw new ServerStartError(this.failWith, `failed: ${this.failWith}`);
    } catch (error) {
      await sleep(this.closeMs);
      this.live -= 1;
      throw error;
    }
    return this.#session();
  };

  #session(): Session {
    let end: (ending: ConnectionEnding) => void = () => undefined;
    const closed = new Promise<ConnectionEnding>((resolve) => (end = resolve));
    let gone = false;
    const close = async (): Promise<void> => {
      end({ reason: 'closed', closedByUs: true });
      await sleep(this.closeMs);
      if (!gone) this.live -= 1;
      gone = true;
    };
    const session = { tools: 3, closed, close };
    this.sessions.push({
      session,
      die: (ending) => {
        end({ reason: 'it exited', exitCode: 9, ...ending });
      },
    });
    return session;
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Error('aborted'));
    });
  });
}

function make(options: Partial<SupervisorOptions<Session>> = {}) {
  const server = new FakeServer();
  const states: string[] = [];
  const statuses: ServerStatus[] = [];
  const supervisor = new Supervisor<Session>({
    launch: server.launch,
    onState: (status) => {
      states.push(status.state);
      statuses.push(status);
    },
    redact: (text) => text.replaceAll('s3cret', '***'),
    random: () => 0,
    ...options,
  });
  return { server, supervisor, states, statuses };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('Supervisor', () => {
  it('starts once, however often it is asked [F-A-single-flight]', async () => {
    const { server, supervisor, states } = make();
    const both = Promise.all([supervisor.start(), supervisor.start()]);
    await vi.advanceTimersByTimeAsync(20);
    await both;
    await supervisor.start();
    expect(server.launches).toBe(1);
    expect(states).toEqual(['starting', 'running']);
    expect(supervisor.status.tools).toBe(3);
  });

  it('closes a start that a stop overtakes [F-A-overtaken-start]', async () => {
    const { server, supervisor, states } = make();
    const starting = supervisor.start();
    starting.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(5);
    const stopping = supervisor.stop();
    await vi.advanceTimersByTimeAsync(50);
    await stopping;
    await expect(starting).rejects.toMatchObject({ name: 'ServerStartError' });
    expect(server.live).toBe(0);
    expect(states).toEqual(['starting', 'stopped']);
  });

  it('starts anew only after the old session is gone', async () => {
    const { server, supervisor, states } = make();
    void supervisor.start();
    await vi.advanceTimersByTimeAsync(20);
    const restarted = supervisor.restart();
    await vi.advanceTimersByTimeAsync(50);
    await restarted;
    expect(server.launches).toBe(2);
    expect(server.live).toBe(1);
    expect(states).toEqual(['starting', 'running', 'starting', 'running']);
  });

  it('restarts after a crash, ever later, and ends in a crash loop with a reason [F-A-backoff] [F-A-crash-loop]', async () => {
    const { server, supervisor, statuses } = make({ restarts: { maxRestarts: 3 } });
    void supervisor.start();
    const waits: number[] = [];
    for (let crash = 0; crash < 4; crash += 1) {
      await vi.advanceTimersByTimeAsync(20);
      server.sessions.at(-1)?.die({ stderrTail: 'the s3cret is out' });
      const from = Date.now();
      await vi.advanceTimersByTimeAsync(0);
      while (supervisor.status.state === 'backing-off') await vi.advanceTimersByTimeAsync(100);
      waits.push(Date.now() - from);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 0]);
    expect(supervisor.status).toMatchObject({
      state: 'crash-loop',
      exitCode: 9,
      stderrTail: 'the *** is out',
      restarts: 3,
      tools: 0,
      reason: 'It ended 4 times in a row; the last time: it exited; its standard error ends with: the *** is out',
    });
    expect(statuses.find(({ state }) => state === 'backing-off')?.tools).toBe(3);
    void supervisor.start();
    await vi.advanceTimersByTimeAsync(20);
    expect(supervisor.status).toMatchObject({ state: 'running', restarts: 0 });
  });

  it('waits at most a second before the first restart, whatever chance says [F-A-backoff]', async () => {
    await fc.assert(
      fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (chance) => {
        const { server, supervisor } = make({ random: () => chance });
        void supervisor.start();
        await vi.advanceTimersByTimeAsync(20);
        server.sessions[0]?.die();
        await vi.advanceTimersByTimeAsync(1_050);
        expect(supervisor.status.state).toBe('running');
      }),
    );
  });

  it('forgets crashes after a stable period [F-A-backoff]', async () => {
    const { server, supervisor } = make({ restarts: { maxRestarts: 1, stableMs: 5_000 } });
    void supervisor.start();
    for (let round = 0; round < 4; round += 1) {
      await vi.advanceTimersByTimeAsync(6_500);
      expect(supervisor.status.state).toBe('running');
      server.sessions.at(-1)?.die();
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(supervisor.status.state).toBe('backing-off');
  });

  it('starts again at once when only the session was lost', async () => {
    const { server, supervisor } = make();
    void supervisor.start();
    await vi.advanceTimersByTimeAsync(20);
    server.sessions[0]?.die({ sessionLost: true });
    await vi.advanceTimersByTimeAsync(30);
    expect(supervisor.status).toMatchObject({ state: 'running', restarts: 1 });
  });

  it.each<[StartFailure, string]>([
    ['command-not-found', 'failed'],
    ['bad-config', 'failed'],
    ['auth-required', 'needs-login'],
    ['auth-failed', 'needs-login'],
    ['needs-input', 'needs-input'],
    ['exited', 'backing-off'],
    ['timeout', 'backing-off'],
    ['unreachable', 'backing-off'],
  ])('a start that fails with %s ends in %s', async (failure, state) => {
    const { server, supervisor } = make();
    server.failWith = failure;
    const starting = supervisor.start();
    starting.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(50);
    await expect(starting).rejects.toMatchObject({ failure });
    expect(supervisor.status).toMatchObject({ state, failure, reason: `failed: ${failure}` });
  });

  it('takes back a restart that waits', async () => {
    const { server, supervisor } = make();
    void supervisor.start();
    await vi.advanceTimersByTimeAsync(20);
    server.sessions[0]?.die();
    await vi.advanceTimersByTimeAsync(10);
    void supervisor.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(supervisor.status.state).toBe('stopped');
    expect(server.launches).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('starts nothing after it was closed', async () => {
    const { server, supervisor } = make();
    void supervisor.start().catch(() => undefined);
    const closing = supervisor.close();
    await vi.advanceTimersByTimeAsync(50);
    await closing;
    await expect(supervisor.start()).rejects.toMatchObject({ failure: 'cancelled' });
    expect(server.live).toBe(0);
  });

  it('never has two sessions and ends as the last command says, whatever the order', async () => {
    const command = fc.tuple(fc.constantFrom('start', 'stop', 'restart', 'die'), fc.nat(25));
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 12 }), async (commands) => {
        const { server, supervisor } = make();
        let wanted = false;
        for (const [what, ms] of commands) {
          if (what === 'die') server.sessions.at(-1)?.die();
          else void supervisor[what as 'start']().catch(() => undefined);
          if (what !== 'die') wanted = what !== 'stop';
          await vi.advanceTimersByTimeAsync(ms);
          expect(server.live).toBeLessThanOrEqual(1);
        }
        await vi.advanceTimersByTimeAsync(120_000);
        expect(server.live).toBe(wanted ? 1 : 0);
        expect(supervisor.status.state).toBe(wanted ? 'running' : 'stopped');
        void supervisor.close();
        await vi.advanceTimersByTimeAsync(1_000);
        expect(server.live).toBe(0);
      }),
    );
  });
});
