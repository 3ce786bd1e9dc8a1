import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Computer, parseConfig, type ComputerOptions } from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { nextEvent, Office, textOf } from '../fixtures/computer/office.js';
import { FAULTY, faulty } from '../fixtures/mcp-servers/faulty.js';
import { marker, processesWith, uniqueSeconds } from '../support/processes.js';

async function started(options: ComputerOptions): Promise<Computer> {
  const computer = new Computer(options);
  computer.start();
  await computer.settled();
  return computer;
}

function statusOf(computer: Computer, server: string) {
  return computer.servers().find((status) => status.server === server);
}

const inState = (computer: Computer, server: string, wanted: string) =>
  nextEvent(computer, 'serverState', (status) => status.server === server && status.state === wanted);

/** A server behind a shell that leaves a process in the background. */
function withGrandchild(seconds: string, options: JsonObject = {}): JsonObject {
  const script = `sleep ${seconds} & exec "$0" "$@"`;
  return { command: 'sh', args: ['-c', script, process.execPath, FAULTY, JSON.stringify(options)] };
}

const configOf = (servers: JsonObject) => parseConfig(JSON.stringify({ servers }));

describe.skipIf(process.platform === 'win32').concurrent('What a server started beside itself', () => {
  it.each<[string, (computer: Computer, seconds: string) => Promise<unknown>]>([
    ['stopped', (computer) => computer.stopServer('a')],
    ['disabled', (computer) => computer.disableServer('a')],
    ['removed', (computer) => computer.removeServer('a')],
    ['left out of the configuration', (computer) => computer.setConfig(configOf({}))],
    ['disabled by its configuration', (computer) => computer.updateServer('a', { command: 'x', disabled: true })],
    ['ended with the Computer', (computer) => computer.close()],
  ])('is gone when the server is %s [F-A-process-group] [F-A-every-path]', async (_how, act) => {
    const seconds = uniqueSeconds();
    await using computer = await started({ servers: { a: withGrandchild(seconds) } });
    expect(statusOf(computer, 'a')?.state).toBe('running');
    expect(processesWith(`sleep ${seconds}`)).toHaveLength(1);
    await act(computer, seconds);
    expect(processesWith(seconds)).toEqual([]);
  });

  it.each<[string, (computer: Computer, seconds: string) => Promise<unknown>]>([
    ['restarted', (computer) => computer.restartServer('a')],
    ['configured anew', (computer, seconds) => computer.updateServer('a', withGrandchild(seconds, { only: [] }))],
    ['loaded anew', (computer, s) => computer.setConfig(configOf({ a: withGrandchild(s, { only: [] }) }))],
  ])('is there once when the server is %s [F-A-every-path]', async (_how, act) => {
    const seconds = uniqueSeconds();
    await using computer = await started({ servers: { a: withGrandchild(seconds) } });
    await act(computer, seconds);
    expect(statusOf(computer, 'a')?.state).toBe('running');
    expect(processesWith(`sleep ${seconds}`)).toHaveLength(1);
  });

  it.each<[string, JsonObject]>([
    ['dies in its start', { dieIn: ['initialize'] }],
    ['does not answer in time', { mute: ['initialize'] }],
    ['lists no tools in time', { mute: ['tools/list'] }],
    ['dies soon after its start', { dieAfter: 'tools/list' }],
    ['writes without end and without a newline', { stdoutBytes: 70 * 1024 * 1024 }],
  ])('is gone when the server %s [F-A-every-path]', async (_how, options) => {
    const seconds = uniqueSeconds();
    await using computer = new Computer({
      servers: { a: withGrandchild(seconds, options) },
      hosting: { startTimeoutMs: 2_000, restarts: { maxRestarts: 0 } },
    });
    const looping = inState(computer, 'a', 'crash-loop');
    computer.start();
    await looping;
    // Asks for nothing: waits only until what has ended is gone.
    await computer.stopServer('a');
    expect(processesWith(seconds)).toEqual([]);
  });
});

describe('Stopping a server', () => {
  it.each([0, 5, 40, 150])(
    '%i ms after its start leaves nothing, and the start says so [F-A-overtaken-start]',
    async (ms) => {
      const word = marker();
      await using computer = await started({});
      const adding = computer.addServer('a', faulty({ word }));
      const outcome = adding.then(
        () => 'running',
        (error: unknown) => (error as Error).name,
      );
      await new Promise((resolve) => setTimeout(resolve, ms));
      await computer.stopServer('a');
      expect(await outcome).toMatch(/^(running|ServerStartError)$/);
      expect(statusOf(computer, 'a')).toMatchObject({ state: 'stopped', tools: 0 });
      expect(computer.tools()).toEqual([]);
      expect(processesWith(word)).toEqual([]);
    },
  );

  it('that is starting can be followed by a start at once: one process, and it runs [F-A-overtaken-start]', async () => {
    const word = marker();
    await using computer = await started({ servers: { a: faulty({ word }) } });
    for (let round = 0; round < 5; round += 1) {
      void computer.stopServer('a');
      await computer.startServer('a');
    }
    expect(statusOf(computer, 'a')?.state).toBe('running');
    expect(processesWith(word)).toHaveLength(1);
  });
});

describe('Starting a server', () => {
  it('many times at once is one start [F-A-single-flight]', async () => {
    const word = marker();
    await using computer = await started({ servers: { a: faulty({ word }) } });
    await computer.stopServer('a');
    const states: string[] = [];
    computer.on('serverState', ({ state }) => void states.push(state));
    await Promise.all(Array.from({ length: 10 }, () => computer.startServer('a')));
    expect(states).toEqual(['starting', 'running']);
    expect(processesWith(word)).toHaveLength(1);
  });

  it('is cut short, five times, by the end of the Computer 10 ms later [F-A-shutdown-while-starting]', async () => {
    const word = marker();
    await using computer = await started({ hosting: { startThrottle: { slots: 5 } } });
    const five = ['a', 'b', 'c', 'd', 'e'].map((name) => computer.addServer(name, faulty({ word })));
    const adding = Promise.allSettled(five);
    await new Promise((resolve) => setTimeout(resolve, 10));
    await computer.close();
    expect(processesWith(word)).toEqual([]);
    for (const outcome of await adding) expect(outcome.status).toBe('rejected');
  });

  it('ten times over, each with another configuration, leaves one child [F-A-replaced-config]', async () => {
    const word = marker();
    await using computer = await started({ servers: { a: faulty({ word }) } });
    const replaced = Array.from({ length: 10 }, (_, round) =>
      computer.setConfig(configOf({ a: faulty({ word, round }) })),
    );
    await Promise.all(replaced);
    expect(statusOf(computer, 'a')?.state).toBe('running');
    const left = processesWith(word);
    expect(left).toHaveLength(1);
    expect(left[0]?.args).toContain('"round":9');
  });

  it.each<[string, JsonObject, RegExp]>([
    ['node', { command: process.execPath, args: ['-e', 'console.error("no key"); process.exit(1)'] }, /no key/],
    ['a shell', { command: 'sh', args: ['-c', 'echo no licence >&2; exit 1'] }, /no licence/],
  ])(
    'that ends at once with exit code 1 (%s) is an error at once, with code and words [F-A-death-at-once] [F-B-stderr-shown]',
    async (_what, server, words) => {
      await using computer = await started({});
      const began = Date.now();
      await expect(computer.addServer('a', server)).rejects.toMatchObject({
        name: 'ServerStartError',
        message: expect.stringContaining('exit code 1') as string,
      });
      // Far below the two minutes that a start may take; a second of it is the machine's.
      expect(Date.now() - began).toBeLessThan(3_000);
      expect(statusOf(computer, 'a')).toMatchObject({ exitCode: 1, reason: expect.stringMatching(words) as string });
    },
  );
});

describe('A server that keeps dying', () => {
  it('is restarted, then left in crash-loop with the reason, can be started by hand, and disturbs nobody [F-A-crash-loop] [F-A-others-untouched]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'a2c-loop-'));
    const flag = join(folder, 'works');
    const script = `if [ -e ${flag} ]; then exec "$0" "$@"; fi; echo the licence has run out >&2; exit 4`;
    await using office = await Office.open({
      servers: { fine: faulty({ only: ['pid', 'echo'] }) },
      hosting: { restarts: { maxRestarts: 2, minMs: 5 } },
    });
    const pid = textOf(await office.call('pid'));
    const states: string[] = [];
    office.computer.on('serverState', ({ server, state }) => void states.push(`${server} ${state}`));
    const looping = inState(office.computer, 'dies', 'crash-loop');
    const args = ['-c', script, process.execPath, FAULTY, '{"only":["die"]}'];
    const adding = office.computer.addServer('dies', { command: 'sh', args });
    await expect(adding).rejects.toThrow('exit code 4');
    expect(await office.call('echo', { still: 'here' })).not.toHaveProperty('meta.error_code');
    const [status] = await looping;
    expect(status).toMatchObject({ exitCode: 4, restarts: 2, tools: 0 });
    expect(status.reason).toMatch(/3 times in a row.*exit code 4.*the licence has run out/);
    expect(states).toEqual([
      ...['starting', 'backing-off', 'starting', 'backing-off', 'starting', 'crash-loop'].map((s) => `dies ${s}`),
    ]);
    expect(textOf(await office.call('pid'))).toBe(pid);

    await writeFile(flag, '');
    await office.computer.startServer('dies');
    expect(statusOf(office.computer, 'dies')).toMatchObject({ state: 'running', tools: 1, restarts: 0 });
    await rm(folder, { recursive: true });
  });

  it('is back soon after the first time, without being asked [F-A-backoff]', async () => {
    const word = marker();
    await using computer = await started({ servers: { a: faulty({ word, only: ['pid'] }) } });
    const [{ pid } = { pid: process.pid }] = processesWith(word);
    expect(pid).not.toBe(process.pid);
    const waiting = inState(computer, 'a', 'backing-off');
    const starting = inState(computer, 'a', 'starting');
    process.kill(pid, 'SIGKILL');
    const [down] = await waiting;
    expect(down).toMatchObject({ signal: 'SIGKILL', tools: 1 });
    const [again] = await starting;
    // At most a second, and what the machine takes on top of its timers.
    expect(again.since - down.since).toBeLessThan(2_000);
    await inState(computer, 'a', 'running');
    expect(processesWith(word)).toHaveLength(1);
  });
});

describe('Names of servers', () => {
  const names = ['a/b', '..', '../../etc/passwd', ' ', 'a b', '电脑 ⚙️', 'x'.repeat(200), 'constructor', 'toString'];
  names.push('$(touch x)', '${env:HOME}', 'C:\\x', '-rf', '%s%n', '\u202Etxt', '0', '__PROTO__', 'prototype');

  it('are data, whatever they are [F-C-names]', async () => {
    const servers = Object.fromEntries(
      names.map((name, index) => [name, faulty({ toolList: [{ name: `tool-${index}` }] })]),
    );
    await using office = await Office.open({ servers, hosting: { startThrottle: { slots: 4 } } });
    expect(
      office.computer
        .servers()
        .map(({ server, state }) => [server, state])
        .sort(),
    ).toEqual(names.map((name) => [name, 'running']).sort());
    const config = await office.ask('client:get_config');
    expect(Object.keys(config['servers'] as object).sort()).toEqual([...names].sort());
    for (const [index, name] of names.entries()) {
      expect(await office.call(`tool-${index}`)).not.toHaveProperty('meta');
      expect(await office.ask('client:get_resources', { mcp_server: name })).toMatchObject({ resources: [] });
      await office.computer.stopServer(name);
      expect(await office.call(`tool-${index}`)).toMatchObject({ meta: { error_code: 4001 } });
    }
    for (const name of ['__proto__', 'valueOf']) {
      expect(await office.ask('client:get_resources', { mcp_server: name })).toMatchObject({ code: 404 });
    }
  });

  it('may not be __proto__, which is said and harms nothing [F-C-names] [F-H-proto]', async () => {
    expect(() => parseConfig('{"servers":{"__proto__":{"command":"x"}}}')).toThrow('__proto__');
    await using computer = await started({ servers: { a: faulty() } });
    await expect(computer.addServer('__proto__', faulty())).rejects.toMatchObject({ name: 'ConfigError' });
    expect(computer.servers().map(({ server }) => server)).toEqual(['a']);
    await computer.addServer('constructor', faulty({ only: ['echo'] }));
    expect(statusOf(computer, 'constructor')?.state).toBe('running');
  });
});

describe('A start that takes its time', () => {
  it('has the state starting, a limit of its own, and then a reason [F-C-start-timeout] [F-X-silent]', async () => {
    await using computer = new Computer({
      servers: { a: faulty({ mute: ['initialize'] }) },
      hosting: { startTimeoutMs: 300, restarts: { maxRestarts: 0 } },
    });
    const looping = inState(computer, 'a', 'crash-loop');
    computer.start();
    await vi.waitFor(() => {
      expect(statusOf(computer, 'a')?.state).toBe('starting');
    });
    const [{ reason }] = await looping;
    expect(reason).toContain('did not finish the handshake within 300 ms');
  });

  it('may take two minutes where nothing else is said [F-C-start-timeout]', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    await using computer = new Computer({ servers: { a: faulty({ mute: ['initialize'] }) } });
    const limits = (): number[] => timers.mock.calls.map(([, ms]) => ms ?? 0).filter((ms) => ms > 100_000);
    computer.start();
    await vi.waitFor(() => {
      expect(limits()).not.toEqual([]);
    });
    // What is left of two minutes by then; the SDK's own limit is a second above ours.
    const least = Math.min(...limits());
    expect(least).toBeGreaterThan(110_000);
    expect(least).toBeLessThanOrEqual(120_000);
    timers.mockRestore();
    expect(statusOf(computer, 'a')?.state).toBe('starting');
  });
});
