import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject, McpServerInput } from '../../protocol/index.js';
import { readInputs } from '../config/read-input.js';
import { MASK, Redactor } from '../redactor.js';
import { Environment } from './environment.js';
import type { PromptInput } from './find-value.js';
import { InputError } from './input-error.js';
import { InputResolver } from './input-resolver.js';

interface Setup {
  readonly env?: Record<string, string>;
  readonly redactor?: Redactor;
  readonly prompt?: PromptInput;
  readonly commandTimeoutMs?: number;
}

const open: InputResolver[] = [];
afterEach(() => {
  for (const resolver of open.splice(0)) resolver.close();
});

function resolverOf(inputs: readonly JsonObject[], setup: Setup = {}): InputResolver {
  const { env = {}, redactor = new Redactor(), ...rest } = setup;
  const resolver = new InputResolver({ environment: new Environment({ env, redactor }), ...rest });
  open.push(resolver);
  resolver.setInputs(readInputs(inputs));
  return resolver;
}

function redefine(resolver: InputResolver, inputs: readonly JsonObject[]): string[] {
  return [...resolver.setInputs(readInputs(inputs))];
}

const text = (id: string, more: JsonObject = {}): JsonObject => ({ id, type: 'promptString', ...more });
const pick = (id: string, options: readonly string[], more: JsonObject = {}): JsonObject => ({
  id,
  type: 'pickString',
  options,
  ...more,
});
const print = (id: string, ...args: string[]): JsonObject => ({
  id,
  type: 'command',
  command: process.execPath,
  args: ['-e', 'console.log(process.argv.slice(1).join("+"))', ...args],
});

/** A person who answers only what a test says, and otherwise leaves the question open, whatever its signal says. */
function person(answers: JsonObject = {}): { prompt: PromptInput; open: Map<string, AbortSignal>; asked: string[] } {
  const questions = new Map<string, AbortSignal>();
  const asked: string[] = [];
  const prompt: PromptInput = ({ id }, { signal }) => {
    asked.push(id);
    if (Object.hasOwn(answers, id)) return Promise.resolve(answers[id]);
    questions.set(id, signal);
    return new Promise(() => undefined);
  };
  return { prompt, open: questions, asked };
}

async function failureOf(promise: Promise<unknown>): Promise<string> {
  const failure: unknown = await promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(InputError);
  return (failure as InputError).message;
}

describe('the value of an input', () => {
  const prompted = text('api-key', { default: 'from-default' });

  it('comes from the environment, then the prompt, then the default [R-7.2-sources]', async () => {
    const prompt = vi.fn(() => Promise.resolve<unknown>('from-prompt'));
    const env = { A2C_SMCP_API_KEY: 'from-env', A2C_SMCP_api_key: 'lower' };
    expect(await resolverOf([prompted], { env, prompt }).resolve('api-key')).toBe('from-env');
    expect(await resolverOf([prompted], { env: { A2C_SMCP_api_key: 'lower' } }).resolve('api-key')).toBe('lower');
    expect(prompt).not.toHaveBeenCalled();
    expect(await resolverOf([prompted], { prompt }).resolve('api-key')).toBe('from-prompt');
    for (const none of [undefined, null]) {
      const silent = resolverOf([prompted], { prompt: () => Promise.resolve(none) });
      expect(await silent.resolve('api-key')).toBe('from-default');
    }
    expect(await resolverOf([prompted]).resolve('api-key')).toBe('from-default');
  });

  it('may be the empty text, from every source', async () => {
    expect(await resolverOf([prompted], { env: { A2C_SMCP_API_KEY: '' } }).resolve('api-key')).toBe('');
    expect(await resolverOf([prompted], { prompt: () => Promise.resolve('') }).resolve('api-key')).toBe('');
    expect(await resolverOf([text('a', { default: '' })]).resolve('a')).toBe('');
    expect(await resolverOf([print('a')]).resolve('a')).toBe('');
  });

  it('is asked for once for all who wait, one question at a time, and again after clear', async () => {
    let asking = 0;
    const prompt = vi.fn(async (input: McpServerInput) => {
      asking += 1;
      expect(asking).toBe(1);
      await Promise.resolve();
      asking -= 1;
      return input.type === 'pickString' ? 'x' : input.id;
    });
    const resolver = resolverOf([prompted, pick('b', ['x'])], { prompt });
    const all = ['api-key', 'b', 'api-key'].map((id) => resolver.resolve(id));
    expect(await Promise.all(all)).toEqual(['api-key', 'x', 'api-key']);
    expect(prompt).toHaveBeenCalledTimes(2);
    expect([...resolver.clear('b')]).toEqual(['b']);
    await resolver.resolve('b');
    await resolver.resolve('api-key');
    expect(prompt).toHaveBeenCalledTimes(3);
  });

  it.each<[string, string, Setup, string]>([
    ['an unknown id', 'nope', {}, 'Input "nope": is not defined; add it to "inputs"'],
    ['an id that is mistyped', 'baer', {}, 'Input "baer": is not defined; did you mean "bare"?'],
    ['nothing that gives a value', 'bare', {}, 'set A2C_SMCP_BARE or give it a default'],
    ['a prompt that throws', 'bare', { prompt: () => Promise.reject(new Error('typed-secret')) }, 'the prompt failed'],
    [
      'a prompt that throws at once',
      'bare',
      {
        prompt: () => {
          throw new Error('typed-secret');
        },
      },
      'the prompt failed',
    ],
    [
      'a variable that is no option',
      'p',
      { env: { A2C_SMCP_P: 'typed-secret' } },
      'Input "p": the value of A2C_SMCP_P is not one of its options "eu", "us"',
    ],
    ['an answer that is no option', 'p', { prompt: () => Promise.resolve('typed-secret') }, 'the answer is not one of'],
    ['an answer of another type', 'p', { prompt: () => Promise.resolve(['eu']) }, 'the answer is not one of'],
    ['an empty answer that is no option', 'p', { prompt: () => Promise.resolve('') }, 'the answer is not one of'],
    ['a default that is no option', 'p', {}, 'its default is not one of its options "eu", "us"'],
    ['a default whose variable is not set', 'v', {}, 'Input "v": the variable "GONE" of its definition is not set'],
  ])('says so on %s [R-7.2-failure]', async (_what, id, setup, problem) => {
    const inputs = [
      text('bare'),
      pick('p', ['eu', 'us'], { default: 'typed-secret' }),
      text('v', { default: '${env:GONE}' }),
    ];
    const message = await failureOf(resolverOf(inputs, setup).resolve(id));
    expect(message).toContain(problem);
    expect(message).not.toContain('typed-secret');
  });

  it('is told to the redactor, the default of a password at once', async () => {
    const redactor = new Redactor();
    const resolver = resolverOf([text('p', { password: true, default: 'pass-default' })], {
      redactor,
      prompt: () => Promise.resolve('typed-secret'),
    });
    expect(redactor.redact('pass-default')).toBe(MASK);
    redefine(resolver, [
      text('p', { password: true }),
      { ...print('c'), args: ['--token', 'given-token', 'plain-word'] },
    ]);
    expect(redactor.redact('given-token plain-word')).toBe(`${MASK} plain-word`);
    await resolver.resolve('p');
    expect(redactor.redact('typed-secret')).toBe(MASK);
    resolver.setValue('p', { deep: ['set-secret'] });
    expect(redactor.redact('set-secret')).toBe(MASK);
  });

  it.each([text('p', { password: true, default: 'hidden-default' }), text('p', { default: '${input:other}' })])(
    'is asked for without a default that must not be shown: %j',
    async (input) => {
      const prompt = vi.fn(() => Promise.resolve('x1'));
      await resolverOf([input], { prompt }).resolve('p');
      expect(prompt).toHaveBeenCalledWith(expect.objectContaining({ id: 'p', default: undefined }), expect.anything());
    },
  );

  it('of a command has arguments that are a list or a map', async () => {
    expect(await resolverOf([print('c', 'a b', '$HOME')]).resolve('c')).toBe('a b+$HOME');
    const map = { ...print('c'), args: { '-e': 'console.log(process.argv.slice(1).join("+"))', k: 'v' } };
    expect(await resolverOf([map]).resolve('c')).toBe('k+v');
  });

  it('of a command has its own time, before that of the Computer', async () => {
    const endless = { ...print('c'), args: ['-e', 'setInterval(() => 0, 1000)'] };
    const message = async (more: JsonObject): Promise<string> =>
      failureOf(resolverOf([{ ...endless, ...more }], { commandTimeoutMs: 200 }).resolve('c'));
    expect(await message({})).toContain('within 200 ms');
    expect(await message({ timeout: 'PT0.1S' })).toContain('within 100 ms');
    expect(await message({ timeout: 0.15 })).toContain('within 150 ms');
  });
});

describe('placeholders in a definition', () => {
  it('are filled in in defaults, commands and their arguments, and never in what comes out', async () => {
    const resolver = resolverOf(
      [
        text('user', { default: '${env:WHO}' }),
        pick('region', ['eu-ann', 'us'], { default: 'eu-${input:user}' }),
        { ...print('c', '${input:user}', '${env:ODD}'), command: '${env:NODE}' },
        text('n', { default: '${input:number}' }),
        text('number'),
        { ...print('m'), args: { '-e': 'console.log(process.argv[1])', '${input:user}': '${input:region}' } },
      ],
      { env: { WHO: 'ann', ODD: '${input:user}', NODE: process.execPath } },
    );
    resolver.setValue('number', 7);
    expect(await resolver.resolve('region')).toBe('eu-ann');
    expect(await resolver.resolve('c')).toBe('ann+${input:user}');
    expect(await resolver.resolve('n')).toBe(7);
    expect(await resolver.resolve('m')).toBe('ann');
  });

  it('fill a line for the shell as data only', async () => {
    const line = { id: 'c', type: 'command', shell: true, command: 'printf %s', args: ['${input:evil}'] };
    const env = { ...(process.env as Record<string, string>), A2C_SMCP_EVIL: '"; echo $(id) `id`; \'' };
    expect(await resolverOf([line, text('evil')], { env }).resolve('c')).toBe(env.A2C_SMCP_EVIL);
  });

  const circle = [
    text('a', { default: '${input:b}' }),
    text('b', { default: 'x ${input:c}' }),
    { ...print('c', '${input:a}') },
    text('outside', { default: '${input:a}' }),
  ];

  it.each([
    [['a'], '"a" → "b" → "c" → "a"'],
    [['outside'], '"a" → "b" → "c" → "a"'],
    [['c', 'a', 'b'], '→'],
  ])('that lead back to themselves are an error that names the way: %j', async (ids, way) => {
    const resolver = resolverOf(circle);
    // All at once: they must not wait for one another.
    for (const message of await Promise.all(ids.map((id) => failureOf(resolver.resolve(id))))) {
      expect(message).toContain('its definition needs its own value');
      expect(message).toContain(way);
    }
    expect(await failureOf(resolverOf([text('self', { default: '-${input:self}' })]).resolve('self'))).toContain(
      '"self" → "self"',
    );
  });

  it('lead nowhere where an input has a value of its own', async () => {
    expect(await resolverOf(circle, { env: { A2C_SMCP_B: 'own' } }).resolve('a')).toBe('own');
    const resolver = resolverOf(circle);
    resolver.setValue('c', 'set');
    expect(await resolver.resolve('outside')).toBe('x set');
  });

  it('take no time in a chain of a thousand', async () => {
    const chain = Array.from({ length: 1000 }, (_, index) => text(`i${index}`, { default: `\${input:i${index + 1}}` }));
    expect(await resolverOf([...chain, text('i1000', { default: 'end' })]).resolve('i0')).toBe('end');
  });
});

describe('a changed definition', () => {
  const base = text('p', { description: 'old', default: 'd' });

  const typed = person({ p: 'typed', other: null });
  const inEnvironment = { env: { A2C_SMCP_P: 'v' } };

  it.each<[what: string, before: JsonObject, after: JsonObject, setup?: Setup]>([
    ['a description', base, { ...base, description: 'new' }],
    ['another default where a person answered', base, { ...base, default: 'e' }, typed],
    ['another default where the environment counts', base, { ...base, default: 'e' }, inEnvironment],
    ['a password', base, { ...base, password: true }],
    ['another type', base, pick('p', ['d'], { default: 'd' })],
    ['more options', pick('p', ['d'], { default: 'd' }), pick('p', ['e', 'd'], { default: 'd' })],
    ['a longer time for a command', print('p'), { ...print('p'), timeout: 9 }],
  ])('keeps the value where it cannot change it: %s', async (_what, before, after, setup) => {
    const resolver = resolverOf([before], setup);
    const value = await resolver.resolve('p');
    expect(redefine(resolver, [after])).toEqual([]);
    expect(resolver.values()).toMatchObject([{ hasValue: true }]);
    expect(await resolver.resolve('p')).toEqual(value);
  });

  it.each<[what: string, before: JsonObject, after: JsonObject, setup?: Setup]>([
    ['another default', base, { ...base, default: 'e' }],
    ['options without it', pick('p', ['d', 'e'], { default: 'd' }), pick('p', ['e'], { default: 'e' })],
    ['other arguments of a command', print('p'), print('p', 'x')],
    ['a shell', print('p'), { ...print('p'), shell: true }],
    ['no command any more', print('p'), base],
    ['a command where a person answered', base, print('p'), typed],
  ])('takes the value away where it may be another one, and no other: %s', async (_what, before, after, setup) => {
    const other = text('other', { default: 'o' });
    const resolver = resolverOf([before, other], setup);
    await Promise.all(['p', 'other'].map((id) => resolver.resolve(id)));
    expect(redefine(resolver, [after, other])).toEqual(['p']);
    expect(resolver.values()).toMatchObject([{ hasValue: false }, { id: 'other', hasValue: true }]);
  });

  it('changes those whose definitions name it, unless they have a value of their own', async () => {
    const inputs = [
      base,
      text('made', { default: '${input:p}' }),
      text('typed', { default: '${input:p}' }),
      text('far', { default: '${input:made}' }),
      text('behind', { default: '${input:typed}' }),
      text('unasked', { default: '${input:p}' }),
      text('in-env', { default: '${input:p}' }),
    ];
    const resolver = resolverOf(inputs, {
      prompt: ({ id }) => Promise.resolve(id === 'typed' ? 't' : undefined),
      env: { A2C_SMCP_IN_ENV: 'v' },
    });
    for (const id of ['far', 'behind', 'in-env']) await resolver.resolve(id);
    const [, ...rest] = inputs;
    expect(redefine(resolver, [{ ...base, default: 'e' }, ...rest]).sort()).toEqual(['far', 'made', 'p', 'unasked']);
    expect(await resolver.resolve('far')).toBe('e');
    expect([...resolver.setValue('p', 'e')]).toEqual([]);
    expect([...resolver.setValue('p', 'f')].sort()).toEqual(['far', 'made', 'p', 'unasked']);
    expect(await resolver.resolve('made')).toBe('f');
  });

  it('that is gone takes its value along, and one that is new has none', async () => {
    const resolver = resolverOf([base]);
    resolver.setValue('p', 'set');
    expect(redefine(resolver, [text('q')])).toEqual(['p', 'q']);
    expect(redefine(resolver, [base])).toEqual(['q', 'p']);
    expect(await resolver.resolve('p')).toBe('d');
  });
});

describe('values that are set and cleared', () => {
  it('come from where they say, and show no password, no output of a command, and nothing that was filled in', async () => {
    const inputs = [
      text('typed'),
      text('secret', { password: true }),
      text('made', { default: '${input:secret}' }),
      text('plain', { default: 'd' }),
      print('c', 'out'),
      pick('env', ['a']),
      text('none'),
    ];
    const resolver = resolverOf(inputs, {
      env: { A2C_SMCP_ENV: 'a' },
      prompt: ({ id }) => Promise.resolve(id === 'typed' ? 't' : undefined),
    });
    resolver.setValue('secret', 'hidden');
    for (const id of ['typed', 'made', 'plain', 'c', 'env']) await resolver.resolve(id);
    expect(resolver.values()).toEqual([
      { id: 'typed', hasValue: true, source: 'prompt', value: 't', asking: false },
      { id: 'secret', hasValue: true, source: 'set', asking: false },
      { id: 'made', hasValue: true, source: 'default', asking: false },
      { id: 'plain', hasValue: true, source: 'default', value: 'd', asking: false },
      { id: 'c', hasValue: true, source: 'command', asking: false },
      { id: 'env', hasValue: true, source: 'environment', value: 'a', asking: false },
      { id: 'none', hasValue: false, asking: false },
    ]);
  });

  it.each<[string, unknown, string]>([
    ['nope', 'x', 'is not defined'],
    ['p', 'x', 'the value is not one of its options "eu"'],
    ['p', undefined, 'clear it'],
    ['p', null, 'clear it'],
  ])('are refused where they cannot be: %s = %j', (id, value, problem) => {
    const resolver = resolverOf([pick('p', ['eu'])]);
    expect(() => resolver.setValue(id, value)).toThrow(problem);
  });

  it('stay one by one: clearing takes what has a value, and leaves what would be the same again', async () => {
    const resolver = resolverOf([text('a', { default: 'd' }), text('b'), text('c')], { env: { A2C_SMCP_B: 'v' } });
    expect([...resolver.clear()]).toEqual([]);
    await resolver.resolve('a');
    await resolver.resolve('b');
    resolver.setValue('c', 'x');
    expect([...resolver.clear('nope')]).toEqual([]);
    expect([...resolver.clear('c')]).toEqual(['c']);
    expect([...resolver.clear()]).toEqual(['a']);
    expect(resolver.values().map(({ hasValue }) => hasValue)).toEqual([false, true, false]);
  });
});

describe('an open question', () => {
  it('keeps nobody from a value that is known, and ends when the last who waits has gone', async () => {
    const { prompt, open: questions } = person();
    const resolver = resolverOf([text('a'), text('known', { default: 'd' })], { prompt, env: { A2C_SMCP_KNOWN: 'v' } });
    const [one, two] = [new AbortController(), new AbortController()];
    const waits = [one, two].map(({ signal }) => resolver.resolve('a', signal));
    const ended = Promise.allSettled(waits);
    await vi.waitFor(() => {
      expect(questions.has('a')).toBe(true);
    });
    expect(await resolver.resolve('known')).toBe('v');
    expect(resolver.values()[0]).toEqual({ id: 'a', hasValue: false, asking: true });
    one.abort();
    await new Promise((resolve) => setImmediate(resolve));
    expect(questions.get('a')?.aborted).toBe(false);
    two.abort();
    await ended;
    await vi.waitFor(() => {
      expect(questions.get('a')?.aborted).toBe(true);
    });
    expect(resolver.values()[0]).toMatchObject({ asking: false });
  });

  it('that was answered is not given up afterwards', async () => {
    let signal: AbortSignal | undefined;
    const prompt: PromptInput = (_input, options) => {
      signal = options.signal;
      return Promise.resolve('answer');
    };
    await resolverOf([text('a')], { prompt }).resolve('a');
    await new Promise((resolve) => setImmediate(resolve));
    expect(signal?.aborted).toBe(false);
  });

  it('goes on for one who comes as the last one leaves', async () => {
    const { prompt, asked, open: questions } = person();
    const resolver = resolverOf([text('a')], { prompt });
    const first = new AbortController();
    const left = resolver.resolve('a', first.signal).catch(() => undefined);
    await vi.waitFor(() => {
      expect(asked).toEqual(['a']);
    });
    first.abort();
    await left;
    const second = resolver.resolve('a').catch(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    expect([asked, questions.get('a')?.aborted]).toEqual([['a'], false]);
    resolver.close();
    await second;
  });

  it('that is given up lets the next one be asked, also if its prompt does not listen', async () => {
    const { prompt, asked } = person({ c: 'answer' });
    const resolver = resolverOf([text('a'), text('b'), text('c')], { prompt });
    const [one, two] = [new AbortController(), new AbortController()];
    const left = Promise.allSettled([resolver.resolve('a', one.signal), resolver.resolve('b', two.signal)]);
    const third = resolver.resolve('c');
    two.abort();
    await vi.waitFor(() => {
      expect(asked).toEqual(['a']);
    });
    one.abort();
    await left;
    expect(await third).toBe('answer');
    // Nobody waited for it when its turn came.
    expect(asked).toEqual(['a', 'c']);
  });

  it('within a default ends with the one who wanted it', async () => {
    const { prompt, open: questions } = person({ outer: undefined });
    const resolver = resolverOf([text('outer', { default: '${input:inner}' }), text('inner')], { prompt });
    const start = new AbortController();
    const left = resolver.resolve('outer', start.signal).catch(() => undefined);
    await vi.waitFor(() => {
      expect(questions.has('inner')).toBe(true);
    });
    start.abort();
    await left;
    await vi.waitFor(() => {
      expect(questions.get('inner')?.aborted).toBe(true);
    });
  });

  it('ends with the value that is set meanwhile', async () => {
    const { prompt, open: questions } = person();
    const resolver = resolverOf([text('a')], { prompt });
    const value = resolver.resolve('a');
    await vi.waitFor(() => {
      expect(questions.has('a')).toBe(true);
    });
    expect([...resolver.setValue('a', 'set')]).toEqual(['a']);
    expect(await value).toBe('set');
    expect(questions.get('a')?.aborted).toBe(true);
    expect(resolver.values()).toMatchObject([{ source: 'set', asking: false }]);
  });

  it('is kept when only its words change, and asked anew when it asks for something else', async () => {
    const { prompt, open: questions } = person();
    const resolver = resolverOf([text('a')], { prompt });
    const value = resolver.resolve('a');
    await vi.waitFor(() => {
      expect(questions.has('a')).toBe(true);
    });
    expect(redefine(resolver, [text('a', { description: 'please' })])).toEqual([]);
    expect(questions.get('a')?.aborted).toBe(false);
    const failure = failureOf(value);
    expect(redefine(resolver, [text('a', { password: true })])).toEqual(['a']);
    expect(await failure).toContain('was changed while it was asked for');
    expect(questions.get('a')?.aborted).toBe(true);
  });

  it('ends when the resolver is closed, with all that wait in line; nothing is asked after that', async () => {
    const { prompt, asked } = person();
    const endless = { ...print('c'), args: ['-e', 'setInterval(() => 0, 1000)'] };
    const resolver = resolverOf([text('a'), text('b'), endless], { prompt });
    const all = ['a', 'b', 'c'].map((id) => failureOf(resolver.resolve(id)));
    await vi.waitFor(() => {
      expect(asked).toEqual(['a']);
    });
    resolver.close();
    for (const message of await Promise.all(all)) expect(message).toContain('the Computer is closing');
    expect(await failureOf(resolver.resolve('b'))).toContain('the Computer is closing');
    expect(asked).toEqual(['a']);
  });
});
