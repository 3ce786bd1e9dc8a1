import { describe, expect, it, vi } from 'vitest';
import { mcpServerConfigSchema, type JsonObject, type McpServerConfig } from '../../protocol/index.js';
import { MASK, Redactor } from '../redactor.js';
import { Environment } from './environment.js';
import { InputError } from './input-error.js';
import { renderConfig } from './render-config.js';
import type { PlaceholderValues } from './render-value.js';

function stdio(parameters: JsonObject): McpServerConfig {
  return mcpServerConfigSchema.parse({ name: 'a', type: 'stdio', server_parameters: parameters });
}

function environmentOf(env: Record<string, string>, redactor = new Redactor()): Environment {
  return new Environment({ env, redactor });
}

/** Both kinds of placeholders. */
function valuesOf(inputs: JsonObject, environment = environmentOf({})): PlaceholderValues {
  return { input: (id) => Promise.resolve(inputs[id]), variable: (name) => environment.variable(name) };
}

async function rendered(parameters: JsonObject, inputs: JsonObject, env = {}): Promise<JsonObject> {
  const config = await renderConfig(stdio(parameters), valuesOf(inputs, environmentOf(env)));
  return config.server_parameters;
}

describe('renderConfig', () => {
  it('fills placeholders in command, args, env and unknown fields, at any depth [R-7.2-placeholders]', async () => {
    const parameters = {
      command: '${input:x}',
      args: ['-${input:x}${input:../y*}', '${env:E}/${input:x}'],
      env: { K: 'a ${input:x}', E: '${env:E}' },
      z: [{ q: '${input:x}', r: [['${env:a b}']] }],
    };
    expect(await rendered(parameters, { x: 'X', '../y*': 'Y' }, { E: 'v', 'a b': 'odd' })).toMatchObject({
      command: 'X',
      args: ['-XY', 'v/X'],
      env: { K: 'a X', E: 'v' },
      z: [{ q: 'X', r: [['odd']] }],
    });
  });

  it('keeps the own type of a value that stands alone, and writes numbers out where only texts can stand', async () => {
    const parameters = {
      command: 'x',
      args: ['${input:n}', 'o=${input:o}'],
      env: { B: '${input:b}' },
      extra: '${input:o}',
    };
    expect(await rendered(parameters, { n: 7, o: { a: [1] }, b: true })).toMatchObject({
      args: ['7', 'o={"a":[1]}'],
      env: { B: 'true' },
      extra: { a: [1] },
    });
  });

  it('never looks for placeholders in a value, nor for patterns of replacement', async () => {
    const env = { E: '${input:b} ${env:E}' };
    const parameters = { command: 'x', args: ['-${input:a}', '${input:a}', '${env:E}'] };
    expect(await rendered(parameters, { a: '${input:b}${env:E}$&$1' }, env)).toMatchObject({
      args: ['-${input:b}${env:E}$&$1', '${input:b}${env:E}$&$1', '${input:b} ${env:E}'],
    });
  });

  it('leaves keys, and the fields beside server_parameters, alone', async () => {
    const config = { ...stdio({ command: 'x', env: { '${input:a}': 'v', '${env:a}': 'v' } }), vrl: '${input:a}' };
    const input = vi.fn();
    const variable = vi.fn();
    expect(await renderConfig(config, { input, variable })).toEqual(config);
    expect([input, variable].flatMap(({ mock }) => mock.calls)).toEqual([]);
  });

  it('asks for each input once, and for none when a variable is missing anyway', async () => {
    const input = vi.fn((id: string) => Promise.resolve(id));
    const config = stdio({ command: '${input:b}', args: ['${input:a}', '${input:b}'] });
    await renderConfig(config, { ...valuesOf({}), input });
    expect(input.mock.calls).toEqual([['b'], ['a']]);
    input.mockClear();
    const more = stdio({ command: '${input:b}', args: ['${env:none}'] });
    await expect(renderConfig(more, { ...valuesOf({}), input })).rejects.toThrow(InputError);
    expect(input).not.toHaveBeenCalled();
  });

  it('refuses an outcome that is no configuration, naming the field and not the value', async () => {
    await expect(rendered({ command: '${input:a}' }, { a: ['secret'] })).rejects.toThrow(
      'servers.a.server_parameters.command: expected a string once its inputs are filled in',
    );
  });
});

describe('Environment', () => {
  it('names a variable that is not set, and how to mend it', () => {
    expect(() => environmentOf({}).variable('API_KEY')).toThrow(
      /^Variable "API_KEY": is not set in the environment; set it where this Computer is started/,
    );
    expect(() => environmentOf({}).variable('API_KEY', 'token')).toThrow(/^Input "token": the variable "API_KEY" of/);
  });

  it('sees only what the environment itself has, and takes an empty value for one', () => {
    const environment = environmentOf({ EMPTY: '' });
    expect(environment.variable('EMPTY')).toBe('');
    for (const name of ['toString', '__proto__', 'constructor']) {
      expect(() => environment.variable(name), name).toThrow(InputError);
    }
  });

  it.each([
    ['API_KEY', 'hidden-1', MASK],
    ['HOME', '/home/ann', '/home/ann'],
    ['XDG_CONFIG_HOME', '/home/ann/.config', '/home/ann/.config'],
  ])('makes a secret of %s unless messages must be able to name it', (name, value, shown) => {
    const redactor = new Redactor();
    const environment = environmentOf({ [name]: value }, redactor);
    environment.variable(name);
    // Wherever the value landed.
    if (shown === value) environment.addSecrets([value]);
    expect(redactor.redact(value)).toBe(shown);
  });
});
