import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { VrlError, VrlRunner, type VrlErrorKind } from './index.js';

const SECRET = 'canary-in-the-event';
/** Takes time with the square of a list's length. */
const SLOW = [
  'n = 0',
  'for_each(array!(.list)) -> |_i, _v| { for_each(array!(.list)) -> |_j, _w| { n = n + 1 } }',
  '.n = n',
].join('\n');
const SLOW_EVENT = { list: Array(5000).fill(SECRET) };
const MEMORY_BOMB = `s = "12345678"\n${'s = s + s\n'.repeat(26)}.a = s`;
/** Flat for a count of brackets, deep for the interpreter. */
const DEEP = `.a = ${'!'.repeat(3000)}true`;

const slack = { deadlineMs: 15_000, maxWaitMs: 60_000 };
const brackets = (depth: number): string => `.a = ${'('.repeat(depth)}1${')'.repeat(depth)}`;

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = { a: value };
  return value;
}

async function failureOf(promise: Promise<unknown>): Promise<{ kind: VrlErrorKind; message: string }> {
  const error: unknown = await promise.then(
    () => expect.fail('it went well'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof VrlError)) throw error;
  expect(error.message).not.toContain(SECRET);
  return { kind: error.kind, message: error.message };
}

describe('VrlRunner [R-7.4-script]', { timeout: 60_000 }, () => {
  const runner = new VrlRunner(slack);
  afterAll(() => runner.close());

  it.each<[string, string, unknown, unknown]>([
    ['maps fields', '.name = upcase!(.first) + "!"', { first: 'ada' }, { first: 'ada', name: 'ADA!' }],
    ['deletes fields', 'del(.a)\ndel(.b.c)', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2 } }],
    ['parses JSON', '.x = parse_json!(.x)', { x: '{"y":[1]}' }, { x: { y: [1] } }],
    ['gives timestamps as texts', ".t = t'2020-01-02T03:04:05Z'", {}, { t: '2020-01-02T03:04:05Z' }],
    ['gives what is no object any more', '. = "x"', { a: 1 }, 'x'],
    ['leaves the event alone without statements', '# nothing', { a: [null, true, 1.5] }, { a: [null, true, 1.5] }],
    [
      'reads dates, and drops what JSON does not have',
      '.',
      { d: new Date(0), u: undefined },
      { d: '1970-01-01T00:00:00.000Z' },
    ],
    [
      'keeps fields of any name',
      '.b = 1',
      JSON.parse('{"__proto__":{"a":1}}'),
      JSON.parse('{"__proto__":{"a":1},"b":1}'),
    ],
  ])('%s', async (_title, source, event, expected) => {
    const outcome = await runner.run(source, event);
    expect(JSON.stringify(outcome)).toBe(JSON.stringify(expected));
  });

  it('reads every event of JSON, halves of surrogate pairs too', async () => {
    const anything = fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 });
    await fc.assert(
      fc.asyncProperty(anything, async (value) => {
        await runner.runToJson('.', { value });
      }),
    );
    await expect(runner.run('.', ['\ud800', '\\ud800', '\ud83d\ude00'])).resolves.toEqual(['\ufffd', '\\ud800', '😀']);
  });

  it('says where the script failed, and nothing of the event', async () => {
    const failure = await failureOf(runner.run('.b = 1\n. = parse_json!(.x)', { x: SECRET }));
    expect(failure).toEqual({ kind: 'runtime', message: 'The VRL script failed in parse_json at line 2, column 5' });
  });

  it.each([
    ['abort', 'The VRL script aborted'],
    ['abort to_string!(.x)', 'The VRL script failed'],
    ['.y = get_hostname!()', 'The VRL script uses a function that does not exist here'],
  ])('fails at %j', async (source, message) => {
    expect(await failureOf(runner.run(source, { x: SECRET }))).toEqual({ kind: 'runtime', message });
    const imitated = { x: `Termination;\nfunction call error for "${SECRET}" at (0:5): x` };
    expect(await failureOf(runner.run(source, imitated))).toEqual({ kind: 'runtime', message });
  });

  it('runs in the order of asking', async () => {
    const order: number[] = [];
    const numbers = [...Array(50).keys()];
    const outcomes = await Promise.all(
      numbers.map(async (number) => {
        const outcome = await runner.run('.', number);
        order.push(number);
        return outcome;
      }),
    );
    expect(outcomes).toEqual(numbers);
    expect(order).toEqual(numbers);
  });

  it('goes on after a script that breaks the interpreter', async () => {
    expect(await failureOf(runner.run(DEEP, {}))).toMatchObject({ kind: 'crash' });
    expect(await failureOf(runner.check(DEEP))).toMatchObject({ kind: 'crash' });
    await expect(runner.run('.a = 1', {})).resolves.toEqual({ a: 1 });
  });

  it('stops a script that takes memory without end', async () => {
    expect(await failureOf(runner.run(MEMORY_BOMB, {}))).toMatchObject({ kind: 'crash' });
    await expect(runner.run('.a = 1', {})).resolves.toEqual({ a: 1 });
  });

  it('ends a script at its deadline, and goes on', async () => {
    await using hasty = new VrlRunner({ deadlineMs: 300, maxWaitMs: 60_000 });
    const slow = hasty.run(SLOW, SLOW_EVENT);
    const next = hasty.run('.a = 1', {});
    expect(await failureOf(slow)).toEqual({ kind: 'timeout', message: 'The VRL script ran for more than 300 ms' });
    await expect(next).resolves.toEqual({ a: 1 });
  });

  it('puts a script aside that fails like this three times in a row, until it is checked again', async () => {
    await using patient = new VrlRunner(slack);
    for (let time = 0; time < 3; time += 1) {
      expect(await failureOf(patient.run(DEEP, {}))).toMatchObject({ kind: 'crash' });
    }
    expect(await failureOf(patient.run(DEEP, {}))).toMatchObject({ kind: 'limit' });
    await expect(patient.run('.a = 1', {})).resolves.toEqual({ a: 1 });
    expect(await failureOf(patient.check(DEEP))).toMatchObject({ kind: 'crash' });
  });

  it('gives up on a script whose turn does not come in time', async () => {
    await using busy = new VrlRunner(slack);
    const slow = failureOf(busy.run(SLOW, SLOW_EVENT));
    expect(await failureOf(busy.run('.', {}, { timeoutMs: 5 }))).toMatchObject({ kind: 'timeout' });
    await busy.close();
    expect(await slow).toMatchObject({ kind: 'crash' });
  });
});

describe('the limits of a VrlRunner', { timeout: 60_000 }, () => {
  const refused = new VrlRunner({
    ...slack,
    limits: { maxScriptLength: 2000, maxEventBytes: 3000, maxResultBytes: 3000 },
  });
  afterAll(() => refused.close());

  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;

  it.each<[string, string, unknown]>([
    ['a long script', `.a = "${'x'.repeat(2000)}"`, {}],
    ['350 brackets in each other', brackets(350), {}],
    ['an event 1000 levels deep', '.', nested(1000)],
    ['an event one level too deep', '.', nested(128)],
    ['a large event', '.', { x: 'é'.repeat(1600) }],
    ['an event with a BigInt', '.', { x: 1n }],
    ['an event that is a circle', '.', cyclic],
    ['an event that is nothing', '.', undefined],
    ['a large outcome', '.y = string!(.x) + string!(.x)', { x: 'x'.repeat(2000) }],
  ])('refuse %s', async (_title, source, event) => {
    expect(await failureOf(refused.run(source, event))).toMatchObject({ kind: 'limit' });
    await expect(refused.run('.a = 1', {})).resolves.toEqual({ a: 1 });
  });

  it('let through what is just within', async () => {
    await expect(refused.run(brackets(128), {})).resolves.toEqual({ a: 1 });
    await expect(refused.run('.', nested(127))).resolves.toEqual(nested(127));
  });

  it.each([{ maxWaiting: 2 }, { maxWaitingLength: 2 * '.{}'.length }])('bound the queue: %j', async (limits) => {
    await using small = new VrlRunner({ ...slack, limits });
    const asked = Array.from({ length: 4 }, () => small.run('.', {}));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status)).toContain('rejected');
    expect(outcomes[0]?.status).toBe('fulfilled');
    await expect(small.run('.', {})).resolves.toEqual({});
  });
});

describe('the check of a script', { timeout: 60_000 }, () => {
  const runner = new VrlRunner(slack);
  afterAll(() => runner.close());

  it('finds nothing in a good one', async () => {
    await expect(runner.check('.a = 1')).resolves.toEqual([]);
    await expect(runner.assertCompiles(' ')).resolves.toEqual([]);
  });

  it('gives errors and warnings with place and code', async () => {
    await expect(runner.check('# é日\nx = 1\n  .a = nothing(1)')).resolves.toEqual([
      {
        severity: 'error',
        code: 105,
        message: 'call to undefined function: undefined function',
        line: 3,
        column: 8,
        hints: [expect.stringContaining('did you mean')],
      },
    ]);
    await expect(runner.assertCompiles('x = 1\n.a = 2')).resolves.toMatchObject([
      { severity: 'warning', message: expect.stringContaining('unused variable') as string, line: 1 },
    ]);
  });

  it('shows the errors of a script that does not compile, at its check and at its run', async () => {
    const source = '.ok = 1\n.a = parse_json(.x)';
    const message = expect.stringContaining('line 2, column 6: unhandled fallible assignment') as string;
    expect(await failureOf(runner.assertCompiles(source))).toEqual({ kind: 'compile', message });
    expect(await failureOf(runner.run(source, { x: SECRET }))).toEqual({ kind: 'compile', message });
  });
});

describe('the end of a VrlRunner', { timeout: 60_000 }, () => {
  it('ends what runs and what waits', async () => {
    const runner = new VrlRunner(slack);
    await runner.run('.', {});
    const asked = [runner.run(SLOW, SLOW_EVENT), runner.run('.', {}), runner.check('.')].map(failureOf);
    await Promise.all([runner.close(), runner.close()]);
    expect(await Promise.all(asked)).toMatchObject([{ kind: 'crash' }, { kind: 'crash' }, { kind: 'crash' }]);
    expect(await failureOf(runner.run('.', {}))).toMatchObject({ kind: 'crash' });
  });

  it('comes at once while the interpreter is loaded, and before it was ever needed', async () => {
    const starting = new VrlRunner(slack);
    const asked = failureOf(starting.run('.', {}));
    await starting.close();
    expect(await asked).toMatchObject({ kind: 'crash' });
    await new VrlRunner().close();
  });

  it.each(['', 'await runner.close();'])('keeps no process open: %j', async (ending) => {
    const script = `
      const { VrlRunner } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)});
      const runner = new VrlRunner(${JSON.stringify(slack)});
      process.stdout.write(await runner.runToJson('.a = 1', {}));
      ${ending}`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    expect({ stdout, stderr }).toEqual({ stdout: '{"a":1}', stderr: '' });
  });
});
