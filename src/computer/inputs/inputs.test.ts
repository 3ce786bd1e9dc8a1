import { spawnSync } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import {
  mcpServerConfigSchema,
  type JsonObject,
  type McpServerConfig,
  type McpServerInput,
} from '../../protocol/index.js';
import { readInputs } from '../config/parse-config.js';
import { MASK, Redactor } from '../redactor.js';
import { InputError } from './input-error.js';
import { InputResolver, type InputResolverOptions } from './input-resolver.js';
import { renderConfig } from './render-config.js';

function stdio(parameters: JsonObject): McpServerConfig {
  return mcpServerConfigSchema.parse({ name: 'a', type: 'stdio', server_parameters: parameters });
}

async function rendered(parameters: JsonObject, values: JsonObject): Promise<JsonObject> {
  const config = await renderConfig(stdio(parameters), (id) => Promise.resolve(values[id]));
  return config.server_parameters;
}

function resolverOf(inputs: readonly JsonObject[], options: Partial<InputResolverOptions> = {}): InputResolver {
  const resolver = new InputResolver({ env: {}, redactor: new Redactor(), ...options });
  resolver.setInputs(readInputs(inputs));
  return resolver;
}

const script = (text: string): JsonObject => ({
  id: 'c',
  type: 'command',
  command: process.execPath,
  args: ['-e', text],
});

describe('renderConfig', () => {
  it('fills placeholders in command, args, env and unknown fields, at any depth [R-7.2-placeholders]', async () => {
    const values = { x: 'X', '../y*': 'Y' };
    const parameters = {
      command: '${input:x}',
      args: ['-${input:x}${input:../y*}'],
      env: { K: 'a ${input:x}' },
      z: [{ q: '${input:x}' }],
    };
    expect(await rendered(parameters, values)).toMatchObject({
      command: 'X',
      args: ['-XY'],
      env: { K: 'a X' },
      z: [{ q: 'X' }],
    });
  });

  it('keeps the own type of a value that stands alone, and writes numbers out where only texts can stand', async () => {
    const values = { n: 7, o: { a: [1] }, b: true };
    const parameters = {
      command: 'x',
      args: ['${input:n}', 'o=${input:o}'],
      env: { B: '${input:b}' },
      extra: '${input:o}',
    };
    expect(await rendered(parameters, values)).toMatchObject({
      args: ['7', 'o={"a":[1]}'],
      env: { B: 'true' },
      extra: { a: [1] },
    });
  });

  it('never looks for placeholders in a value, nor for patterns of replacement', async () => {
    expect(
      await rendered({ command: 'x', args: ['-${input:a}', '${input:a}'] }, { a: '${input:b}$&$1' }),
    ).toMatchObject({
      args: ['-${input:b}$&$1', '${input:b}$&$1'],
    });
  });

  it('leaves keys, and the fields beside server_parameters, alone', async () => {
    const config = { ...stdio({ command: 'x', env: { '${input:a}': 'v' } }), vrl: '${input:a}' };
    const ask = vi.fn();
    expect(await renderConfig(config, ask)).toEqual(config);
    expect(ask).not.toHaveBeenCalled();
  });

  it('asks for each input once', async () => {
    const ask = vi.fn((id: string) => Promise.resolve(id));
    await renderConfig(stdio({ command: '${input:b}', args: ['${input:a}', '${input:b}'] }), ask);
    expect(ask.mock.calls).toEqual([['b'], ['a']]);
  });

  it('refuses an outcome that is no configuration, naming the field and not the value', async () => {
    await expect(rendered({ command: '${input:a}' }, { a: ['secret'] })).rejects.toThrow(
      'servers.a.server_parameters.command: expected a string once its inputs are filled in',
    );
  });
});

describe('InputResolver', () => {
  const prompted: JsonObject = { id: 'api-key', type: 'promptString', default: 'from-default' };

  it('asks the environment, then the prompt, then the default [R-7.2-sources]', async () => {
    const prompt = vi.fn(() => Promise.resolve<unknown>('from-prompt'));
    const env = { A2C_SMCP_API_KEY: 'from-env', A2C_SMCP_api_key: 'lower' };
    expect(await resolverOf([prompted], { env, prompt }).resolve('api-key')).toBe('from-env');
    expect(await resolverOf([prompted], { env: { A2C_SMCP_api_key: 'lower' } }).resolve('api-key')).toBe('lower');
    expect(prompt).not.toHaveBeenCalled();
    expect(await resolverOf([prompted], { prompt }).resolve('api-key')).toBe('from-prompt');
    expect(await resolverOf([prompted], { prompt: () => Promise.resolve(undefined) }).resolve('api-key')).toBe(
      'from-default',
    );
    expect(await resolverOf([prompted]).resolve('api-key')).toBe('from-default');
  });

  it('asks once for all who wait, one question at a time, and again after clear', async () => {
    let open = 0;
    const prompt = vi.fn(async (input: McpServerInput) => {
      open += 1;
      expect(open).toBe(1);
      await Promise.resolve();
      open -= 1;
      return input.id;
    });
    const resolver = resolverOf([prompted, { id: 'b', type: 'pickString', options: ['x'] }], { prompt });
    const all = ['api-key', 'b', 'api-key'].map((id) => resolver.resolve(id));
    expect(await Promise.all(all)).toEqual(['api-key', 'b', 'api-key']);
    expect(prompt).toHaveBeenCalledTimes(2);
    resolver.clear('b');
    await resolver.resolve('b');
    await resolver.resolve('api-key');
    expect(prompt).toHaveBeenCalledTimes(3);
  });

  it('keeps values whose definition did not change', async () => {
    const prompt = vi.fn(() => Promise.resolve('v'));
    const resolver = resolverOf([prompted], { prompt });
    await resolver.resolve('api-key');
    resolver.setInputs(readInputs([prompted, { id: 'b', type: 'promptString' }]));
    await resolver.resolve('api-key');
    expect(prompt).toHaveBeenCalledTimes(1);
    resolver.setInputs(readInputs([{ ...prompted, description: 'new' }]));
    await resolver.resolve('api-key');
    expect(prompt).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['an unknown id', 'nope', {}, 'is not defined'],
    ['nothing that gives a value', 'bare', {}, 'set A2C_SMCP_BARE'],
    ['a prompt that throws', 'bare', { prompt: () => Promise.reject(new Error('typed-secret')) }, 'the prompt failed'],
  ])('says so on %s [R-7.2-failure]', async (_what, id, options, problem) => {
    const failure: unknown = await resolverOf([{ id: 'bare', type: 'promptString' }], options)
      .resolve(id)
      .catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(InputError);
    expect((failure as InputError).message).toContain(problem);
    expect((failure as InputError).message).not.toContain('typed-secret');
  });

  it('tells the redactor every value, and the default of a password at once', async () => {
    const redactor = new Redactor();
    const resolver = resolverOf([{ id: 'p', type: 'promptString', password: true, default: 'pass-default' }], {
      redactor,
      prompt: () => Promise.resolve('typed-secret'),
    });
    expect(redactor.redact('pass-default')).toBe(MASK);
    await resolver.resolve('p');
    expect(redactor.redact('typed-secret')).toBe(MASK);
  });

  it('hides the default of a password from the prompt', async () => {
    const prompt = vi.fn(() => Promise.resolve('x1'));
    const input = { id: 'p', type: 'promptString', password: true, default: 'pass-default' };
    await resolverOf([input], { prompt }).resolve('p');
    expect(JSON.stringify(prompt.mock.calls)).not.toContain('pass-default');
  });

  it('runs a command without a shell, its arguments a list or a map', async () => {
    const show = 'console.log(JSON.stringify(process.argv.slice(1)))';
    const list = resolverOf([{ ...script(show), args: ['-e', show, '$HOME', 'a b; c'] }]);
    expect(await list.resolve('c')).toBe('["$HOME","a b; c"]');
    const map = resolverOf([{ ...script(show), args: { '-e': show, k: 'v' } }]);
    expect(await map.resolve('c')).toBe('["k","v"]');
  });

  it.each([
    ['fails', script('console.log("secret"); process.exit(3)'), 'exit code 3'],
    ['hangs', script('setInterval(() => 0, 1000)'), 'did not end within 300 ms'],
    ['is not there', { id: 'c', type: 'command', command: 'no-such-program-here' }, 'could not be started (ENOENT)'],
  ])('says so when a command %s', async (_what, input, problem) => {
    const commandTimeoutMs = problem.includes('300') ? 300 : 10_000;
    const failure = resolverOf([input], { commandTimeoutMs, env: process.env }).resolve('c');
    await expect(failure).rejects.toThrow(problem);
  });

  it('takes the value of a command that leaves something in the background, and ends that', async () => {
    const value = await resolverOf([{ ...script(''), command: 'sh', args: ['-c', 'sleep 987 & echo $!'] }], {
      env: process.env,
      commandTimeoutMs: 10_000,
    }).resolve('c');
    // A zombie waits for its parent only.
    const isThere = (): boolean => {
      const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(value)], { encoding: 'utf8' });
      return /^[^Z\s]/.test(stdout.trim());
    };
    expect(Number(value)).toBeGreaterThan(0);
    await vi.waitFor(() => {
      expect(isThere()).toBe(false);
    });
  });

  it('ends a running command when it is closed', async () => {
    const resolver = resolverOf([script('setInterval(() => 0, 1000)')]);
    const value = resolver.resolve('c');
    resolver.close();
    await expect(value).rejects.toThrow('cancelled');
  });
});
