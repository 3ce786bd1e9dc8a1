import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  Computer,
  ConfigError,
  InputError,
  readConfig,
  type ComputerOptions,
  type PromptInput,
} from '../../src/computer/index.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { nextEvent, Office } from '../fixtures/computer/office.js';
import { marker, processesWith } from '../support/processes.js';

const RAW = fileURLToPath(new URL('../fixtures/mcp-servers/raw-server.mjs', import.meta.url));

/** By it the processes of this test are told from those of others. */
let mark = marker();
const open: Computer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((computer) => computer.close()));
  expect(processesWith(mark)).toEqual([]);
  mark = marker();
});

/** A configuration entry for `raw-server.mjs`, whose process is found by `name` and which is given `args`. */
function raw(name: string, args: readonly string[] = [], more: JsonObject = {}): JsonObject {
  return { command: process.execPath, args: [RAW, '{"only":["pid","env"]}', `${mark}-${name}.`, ...args], ...more };
}

function make(options: ComputerOptions): Computer {
  const computer = new Computer({ env: {}, hosting: { restarts: { maxRestarts: 0 } }, ...options });
  open.push(computer);
  return computer;
}

async function started(options: ComputerOptions): Promise<Computer> {
  const computer = make(options);
  computer.start();
  await computer.settled();
  return computer;
}

function pids(...names: string[]): (number | undefined)[] {
  return names.map((name) => {
    const found = processesWith(`${mark}-${name}.`);
    expect(found.length, name).toBeLessThan(2);
    return found[0]?.pid;
  });
}

/** The states by name, and the reasons of those that do not run. */
const statesOf = (computer: Computer): JsonObject =>
  Object.fromEntries(computer.servers().map(({ server, state }) => [server, state]));
const reasonOf = (computer: Computer, name: string): string | undefined =>
  computer.servers().find(({ server }) => server === name)?.reason;

/** What was started from now on. */
function starts(computer: Computer): string[] {
  const names: string[] = [];
  computer.on('serverState', ({ server, state }) => {
    if (state === 'starting') names.push(server);
  });
  return names;
}

const text = (id: string, more: JsonObject = {}): JsonObject => ({ id, type: 'promptString', ...more });

/** A person who never answers, and does not even hear that the question was given up. */
function silentPerson(): { prompt: PromptInput; asked: Map<string, AbortSignal> } {
  const asked = new Map<string, AbortSignal>();
  const prompt: PromptInput = ({ id }, { signal }) => {
    asked.set(id, signal);
    return new Promise(() => undefined);
  };
  return { prompt, asked };
}

async function isAsked(asked: ReadonlyMap<string, AbortSignal>, id: string): Promise<AbortSignal> {
  return vi.waitFor(() => {
    const signal = asked.get(id);
    if (signal === undefined) throw new Error('not asked yet');
    return signal;
  });
}

describe('a missing value', () => {
  it('stops its server only, and says what is missing and how to give it [R-7.2-failure]', async () => {
    const servers = {
      fine: raw('fine', ['${env:THERE}']),
      input: raw('input', ['${input:api-key}']),
      variable: raw('variable', [], { env: { TOKEN: '${env:GONE}' } }),
      within: raw('within', ['${input:made}']),
      option: raw('option', ['${input:region}']),
      circle: raw('circle', ['${input:a}']),
    };
    const inputs = [
      text('api-key'),
      text('made', { default: '${env:GONE}/x' }),
      { id: 'region', type: 'pickString', options: ['eu', 'us'] },
      text('a', { default: '${input:b}' }),
      text('b', { default: '${input:a}' }),
    ];
    const computer = await started({ servers, inputs, env: { THERE: 'x', A2C_SMCP_REGION: 'mars' } });
    const { fine, ...others } = statesOf(computer);
    expect(fine).toBe('running');
    expect(new Set(Object.values(others))).toEqual(new Set(['needs-input']));
    expect(reasonOf(computer, 'input')).toBe(
      'Input "api-key": has no value; set A2C_SMCP_API_KEY or give it a default',
    );
    expect(reasonOf(computer, 'variable')).toMatch(/^Variable "GONE": is not set in the environment; set it where/);
    expect(reasonOf(computer, 'within')).toMatch(/^Input "made": the variable "GONE" of its definition is not set/);
    expect(reasonOf(computer, 'option')).toBe(
      'Input "region": the value of A2C_SMCP_REGION is not one of its options "eu", "us"',
    );
    expect(reasonOf(computer, 'circle')).toContain('"a" → "b" → "a"');
  });

  it('lets its server start once it is given, whatever was missing before', async () => {
    const servers = {
      direct: raw('direct', ['${input:x}']),
      through: raw('through', ['${input:made}']),
      other: raw('o'),
    };
    const computer = await started({ servers, inputs: [text('x'), text('made', { default: '-${input:x}' })] });
    expect(statesOf(computer)).toEqual({ direct: 'needs-input', through: 'needs-input', other: 'running' });
    const [other] = pids('o');
    await computer.setInputValue('x', 'given');
    expect(statesOf(computer)).toEqual({ direct: 'running', through: 'running', other: 'running' });
    expect(processesWith(`${mark}-through`)[0]?.args).toMatch(/ -given$/);
    expect(pids('o')).toEqual([other]);
  });
});

describe('a change of an input', () => {
  const inputs = [text('x', { default: 'one' }), text('made', { default: '-${input:x}' }), text('y', { default: 'y' })];
  const users = ['direct', 'through'];
  const others = ['other', 'plain'];
  const servers = (): JsonObject => ({
    direct: raw('direct', ['${input:x}']),
    through: raw('through', [], { env: { A: 'a ${input:made}' } }),
    stopped: raw('stopped', ['${input:x}']),
    disabled: raw('disabled', ['${input:x}'], { disabled: true }),
    other: raw('other', ['${input:y}']),
    plain: raw('plain'),
  });

  const changes: readonly (readonly [what: string, change: (computer: Computer) => Promise<void>])[] = [
    ['its value is set', (computer) => computer.setInputValue('x', 'two')],
    ['its value is cleared', (computer) => computer.clearInput('x')],
    ['its default is edited', (computer) => computer.setInput(text('x', { default: 'two' }))],
    [
      'its default is edited in the configuration',
      (computer) =>
        computer.setConfig(
          readConfig({ servers: servers(), inputs: [text('x', { default: 'two' }), ...inputs.slice(1)] }),
        ),
    ],
  ];

  it.each(changes)('starts the servers anew that use it, and no others, when %s', async (_what, change) => {
    const computer = await started({ servers: servers(), inputs });
    await computer.stopServer('stopped');
    const states = statesOf(computer);
    const [usersBefore, othersBefore] = [pids(...users), pids(...others)];
    const begun = starts(computer);
    await change(computer);
    expect(begun).toEqual(users);
    expect(statesOf(computer)).toEqual(states);
    expect(pids(...others)).toEqual(othersBefore);
    for (const [index, pid] of pids(...users).entries()) expect(pid).not.toBe(usersBefore[index]);
  });

  it.each<[string, (computer: Computer) => Promise<void>]>([
    ['its description is edited', (computer) => computer.setInput(text('x', { default: 'one', description: 'new' }))],
    ['its value is set to what it was', (computer) => computer.setInputValue('x', 'one')],
    ['one is added', (computer) => computer.setInput(text('z', { default: 'z' }))],
    ['one without a value is cleared', (computer) => computer.clearInput('unused')],
    ['its definition is the same', (computer) => computer.setInput(text('x', { default: 'one' }))],
  ])('starts nothing anew when %s', async (_what, change) => {
    const computer = await started({ servers: servers(), inputs: [...inputs, text('unused')] });
    const begun = starts(computer);
    const before = pids(...users, ...others);
    const values = (): unknown[] => computer.inputValues().map(({ value, hasValue }) => [value, hasValue]);
    const known = values().slice(0, 3);
    await change(computer);
    expect(begun).toEqual([]);
    expect(pids(...users, ...others)).toEqual(before);
    expect(values().slice(0, 3)).toEqual(known);
  });

  it('starts a server once that a new configuration changes as well', async () => {
    const computer = await started({ servers: { direct: raw('direct', ['${input:x}']) }, inputs });
    const begun = starts(computer);
    const changed = { direct: raw('direct', ['${input:x}', 'more']) };
    await computer.setConfig(readConfig({ servers: changed, inputs: [text('x', { default: 'two' })] }));
    expect(begun).toEqual(['direct']);
    expect(processesWith(mark)[0]?.args).toMatch(/ two more$/);
  });

  it.each([
    ['crash-loop', { options: '{"dieAtOnce":3}', command: process.execPath }],
    ['failed', { options: '{}', command: 'no-such-program-here' }],
  ])('starts a server again that is in the state %s', async (state, values) => {
    const server = { command: '${input:command}', args: [RAW, '${input:options}', mark] };
    const computer = make({ servers: { a: server }, inputs: [text('command'), text('options')] });
    for (const [id, value] of Object.entries(values)) await computer.setInputValue(id, value);
    computer.start();
    await computer.settled();
    expect(statesOf(computer)).toEqual({ a: state });
    await computer.setInputValue('options', '{"only":["pid"]}');
    await computer.setInputValue('command', process.execPath);
    expect(statesOf(computer)).toEqual({ a: 'running' });
  });

  it('starts a server again that waits to be started again', async () => {
    const server = { command: process.execPath, args: [RAW, '${input:options}', mark] };
    const computer = make({
      servers: { a: server },
      inputs: [text('options', { default: '{"dieAtOnce":3}' })],
      hosting: { restarts: { minMs: 600_000, maxMs: 600_000 } },
    });
    computer.start();
    await nextEvent(computer, 'serverState', ({ state }) => state === 'backing-off');
    await computer.setInputValue('options', '{}');
    expect(statesOf(computer)).toEqual({ a: 'running' });
  });

  it('is that it is gone: its servers need it, and start when it is back', async () => {
    const computer = await started({ servers: { a: raw('a', ['${input:x}']), plain: raw('plain') }, inputs });
    const [plain] = pids('plain');
    await computer.removeInput('x');
    expect(reasonOf(computer, 'a')).toBe('Input "x": is not defined; add it to "inputs"');
    expect(computer.inputs().map(({ id }) => id)).toEqual(['made', 'y']);
    await computer.setInput(text('x', { default: 'back' }));
    expect(statesOf(computer)).toEqual({ a: 'running', plain: 'running' });
    expect(pids('plain')).toEqual([plain]);
  });

  it('counts before the start too', async () => {
    const computer = make({ servers: { a: raw('a', ['${input:x}', '${input:y}']) }, inputs: [text('x')] });
    await computer.setInput(text('y', { default: 'added' }));
    await computer.setInputValue('x', 'set');
    expect(computer.inputs().map(({ id }) => id)).toEqual(['x', 'y']);
    computer.start();
    await computer.settled();
    expect(processesWith(mark)[0]?.args).toMatch(/ set added$/);
  });

  it('is refused where it cannot be, and changes nothing then', async () => {
    const computer = await started({ servers: { a: raw('a', ['${input:x}']) }, inputs });
    const begun = starts(computer);
    await expect(computer.setInput({ id: 'x', type: 'prompt' })).rejects.toThrow(ConfigError);
    await expect(computer.setInput({ id: 'p', type: 'pickString', options: [] })).rejects.toThrow(
      'input.options: is empty',
    );
    await expect(computer.setInput(text('X'))).rejects.toThrow('would both read A2C_SMCP_X');
    await expect(computer.setInputValue('nope', 1)).rejects.toThrow(InputError);
    await expect(computer.removeInput('nope')).rejects.toThrow('Input "nope": is not defined');
    expect([begun, computer.inputs().length]).toEqual([[], 3]);
  });
});

describe('an open question', () => {
  it('blocks no server whose values are known, nor the end of the Computer', async () => {
    const { prompt, asked } = silentPerson();
    const servers = { waits: raw('waits', ['${input:x}']), known: raw('known', ['${input:y}']), plain: raw('plain') };
    const computer = make({ servers, inputs: [text('x'), text('y')], env: { A2C_SMCP_Y: 'v' }, prompt });
    computer.start();
    const signal = await isAsked(asked, 'x');
    await vi.waitFor(() => {
      expect(statesOf(computer)).toEqual({ waits: 'starting', known: 'running', plain: 'running' });
    });
    expect(computer.inputValues()).toMatchObject([
      { id: 'x', hasValue: false, asking: true },
      { id: 'y', hasValue: true, source: 'environment', asking: false },
    ]);
    await computer.close();
    expect(signal.aborted).toBe(true);
  });

  it.each<[string, (computer: Computer) => Promise<void>]>([
    ['stopped', (computer) => computer.stopServer('a')],
    ['disabled', (computer) => computer.disableServer('a')],
    ['removed', (computer) => computer.removeServer('a')],
    ['configured without it', (computer) => computer.updateServer('a', raw('a'))],
  ])('ends when the last server that waits for it is %s', async (_what, end) => {
    const { prompt, asked } = silentPerson();
    const servers = { a: raw('a', ['${input:x}']), b: raw('b', ['${input:x}']) };
    const computer = make({ servers, inputs: [text('x')], prompt });
    computer.start();
    const signal = await isAsked(asked, 'x');
    await computer.stopServer('b');
    await new Promise((resolve) => setImmediate(resolve));
    expect(signal.aborted).toBe(false);
    await end(computer);
    await vi.waitFor(() => {
      expect(signal.aborted).toBe(true);
    });
  });

  it('ends with the value that the application gives instead', async () => {
    const { prompt, asked } = silentPerson();
    const computer = make({ servers: { a: raw('a', ['${input:x}']) }, inputs: [text('x')], prompt });
    computer.start();
    const signal = await isAsked(asked, 'x');
    await computer.setInputValue('x', 'given');
    expect(statesOf(computer)).toEqual({ a: 'running' });
    expect(signal.aborted).toBe(true);
  });
});

describe('what is seen of inputs', () => {
  it('are placeholders in get_config, and an announcement of a definition but not of a value', async () => {
    const servers = {
      a: raw('a', ['${env:PLACE}', '--key=${env:SECRET}'], {
        env: { TOKEN: 'Bearer ${env:SECRET}', X: '${input:x}' },
        default_tool_meta: { auto_apply: true },
      }),
    };
    await using office = await Office.open({
      servers,
      inputs: [text('x', { default: 'one' }), { id: 'c', type: 'command', command: 'a | b', shell: true, timeout: 9 }],
      env: { PLACE: 'hidden-place', SECRET: 'hidden-secret' },
    });
    const { computer, notices } = office;
    expect(await office.callJson('env', { names: ['TOKEN', 'X'] })).toEqual({
      TOKEN: 'Bearer hidden-secret',
      X: 'one',
    });
    const config = await office.ask('client:get_config');
    expect(config).toMatchObject({
      servers: {
        a: {
          server_parameters: {
            args: [RAW, expect.anything(), expect.anything(), '${env:PLACE}', '--key=${env:SECRET}'],
            env: { TOKEN: 'Bearer ${env:SECRET}', X: '${input:x}' },
          },
        },
      },
      inputs: [
        { id: 'x', default: 'one' },
        { id: 'c', command: '******', shell: true, timeout: 9 },
      ],
    });
    expect(JSON.stringify(config)).not.toContain('hidden-');
    const updates = (): number => notices.filter((notice) => notice.startsWith('update_config')).length;
    await computer.setInputValue('x', 'two');
    // The answer comes after the notices that were sent before it.
    await office.ask('client:get_tools');
    expect(updates()).toBe(0);
    await computer.setInput(text('x', { default: 'one', description: 'new' }));
    await vi.waitFor(() => {
      expect(updates()).toBe(1);
    });
  });

  it('hold no password, and messages no variable but an everyday one', async () => {
    const dying = (name: string, line: string): JsonObject => ({
      command: process.execPath,
      args: ['-e', 'console.error(process.argv[1]); process.exit(1)', line, mark],
      env: { ROOT: '${env:HOME}', [name]: '${env:SECRET}' },
    });
    const computer = await started({
      servers: { a: dying('A', 'at ${env:HOME} with ${env:SECRET} and ${env:ARGUMENT} and ${input:p} and ${input:c}') },
      inputs: [
        text('p', { password: true, default: 'hidden-password' }),
        { id: 'c', type: 'command', command: process.execPath, args: ['-e', 'console.log(process.env.FOR_C)'] },
      ],
      env: { HOME: '/home/somebody', SECRET: 'hidden-secret', ARGUMENT: 'hidden-argument', FOR_C: 'hidden-output' },
    });
    expect(reasonOf(computer, 'a')).toContain('at /home/somebody with ****** and ****** and ****** and ******');
    await computer.setInputValue('p', 'hidden-new');
    const seen = JSON.stringify([computer.servers(), computer.inputs(), computer.inputValues()]);
    expect(seen).not.toContain('hidden-');
    expect(computer.inputs()).toMatchObject([{ id: 'p', default: '******' }, { id: 'c' }]);
    expect(computer.inputValues()).toEqual([
      { id: 'p', hasValue: true, source: 'set', asking: false },
      { id: 'c', hasValue: true, source: 'command', asking: false },
    ]);
  });
});
