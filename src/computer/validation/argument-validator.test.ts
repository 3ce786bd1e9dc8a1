import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import { RecordingLogger } from '../../../test/support/recording-logger.js';
import type { Diagnostic } from '../hosting.js';
import { ArgumentValidator } from './argument-validator.js';

const open: ArgumentValidator[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((validator) => validator.close()));
});

const PATIENT_MS = 60_000;

function make(options: { deadlineMs?: number } = {}): {
  diagnostics: Diagnostic[];
  logger: RecordingLogger;
  validator: ArgumentValidator;
  check: (schema: JsonObject, args: JsonObject) => Promise<readonly string[]>;
} {
  const diagnostics: Diagnostic[] = [];
  const logger = new RecordingLogger();
  const validator = new ArgumentValidator({ report: (one) => void diagnostics.push(one), logger, ...options });
  open.push(validator);
  const check = (schema: JsonObject, args: JsonObject): Promise<readonly string[]> =>
    validator.check({ server: 's', tool: 't', schema, args }, PATIENT_MS);
  return { diagnostics, logger, validator, check };
}

const schema = { type: 'object', properties: { a: { type: 'string' } } };
/** Takes two to the power of the length of such a text. */
const catastrophic = { type: 'object', properties: { a: { pattern: '^(a+)+$' } } };
const bait = { a: `${'a'.repeat(60)}!` };

describe('ArgumentValidator', () => {
  it('says what is wrong, many times over and of many schemas', async () => {
    const { check, diagnostics } = make();
    const others = Array.from({ length: 300 }, (_, index) => ({ ...schema, required: [`r${index}`] }));
    for (let round = 0; round < 2; round += 1) {
      expect(await Promise.all([check(schema, { a: 1 }), check(schema, { a: 'x' })])).toEqual([
        ['a: must be string'],
        [],
      ]);
      const found = await Promise.all(others.map((other) => check(other, {})));
      expect(found).toEqual(others.map(({ required: [name] }) => [`${name}: is required`]));
    }
    expect(diagnostics).toEqual([]);
  });

  it('takes arguments of any content', async () => {
    const { check } = make();
    const args = JSON.parse(`{"__proto__":{"x":1},"a":"${'名'.repeat(300_000)}","\\ud800":null}`) as JsonObject;
    expect(await check({ maxProperties: 2 }, args)).toEqual(['the arguments: must NOT have more than 2 properties']);
    expect(await check({ maxProperties: 3 }, args)).toEqual([]);
  });

  it('tells the owner once of a schema that does not compile, and lets its calls through', async () => {
    const { check, diagnostics } = make();
    const broken = { type: 'object', properties: { a: { $ref: '#/$defs/missing' } } };
    for (let round = 0; round < 3; round += 1) expect(await check(broken, { a: 1 })).toEqual([]);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({ server: 's', item: 't' });
    expect(diagnostics[0]?.problem).toMatch(/not validated: its input schema cannot be used: can't resolve reference/);
    expect(await check(schema, { a: 1 })).toEqual(['a: must be string']);
  });

  it('gives up a schema that hangs, after two tries, and goes on with the others', async () => {
    const { check, diagnostics } = make({ deadlineMs: 200 });
    expect(await check(schema, { a: 1 })).toHaveLength(1);
    const began = performance.now();
    const [first, other, second, third] = await Promise.all([
      check(catastrophic, bait),
      check(schema, { a: 1 }),
      check(catastrophic, bait),
      check(catastrophic, bait),
    ]);
    expect([first, second, third]).toEqual([[], [], []]);
    expect(other).toEqual(['a: must be string']);
    expect(performance.now() - began).toBeLessThan(4_500);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]?.problem).toContain('too long or too much memory');
  });

  it('gives up a schema that takes all memory of its thread, the process stays', async () => {
    const { check, diagnostics } = make({ deadlineMs: 20_000 });
    // Each definition is two of the next, and all of them are checked.
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `d${n}`,
        { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
      ]),
    );
    const bomb = { allOf: [{ $ref: '#/$defs/d0' }], $defs: { ...$defs, d40: { type: 'string' } } };
    expect(await check(bomb, {})).toEqual([]);
    expect(await check(schema, { a: 1 })).toEqual(['a: must be string']);
    expect(diagnostics.length).toBeLessThanOrEqual(1);
  }, 30_000);

  it('is not held up longer than its caller waits, and ends with its thread', async () => {
    const { validator, check } = make({ deadlineMs: 5_000 });
    await check(schema, {});
    const began = performance.now();
    const call = { server: 's', tool: 't', schema: catastrophic, args: bait };
    expect(await validator.check(call, 100)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(2_000);
    await validator.close();
    await validator.close();
    expect(await check(schema, { a: 1 })).toEqual([]);
  });
});
