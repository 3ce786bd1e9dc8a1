import { describe, expect, it } from 'vitest';
import { silentLogger, PROFILE_0_2 } from '../protocol/index.js';
import { configOf, connectionOptionsOf, type ComputerConnectionOptions } from './computer-options.js';
import { ConfigError } from './config/config-error.js';
import { parseConfig } from './config/parse-config.js';

const common = { logger: silentLogger, profile: PROFILE_0_2 };

async function authOf(options: ComputerConnectionOptions): Promise<unknown> {
  return connectionOptionsOf({ url: 'http://h', ...options }, common).auth?.();
}

describe('configOf', () => {
  it('takes servers as a record or as a list with names, over a configuration that was read before', () => {
    const config = parseConfig('{"servers":{"a":{"command":"1"},"b":{"command":"1"}}}');
    const listed = configOf({
      config,
      servers: [
        { name: 'b', command: '2' },
        { name: 'c', url: 'http://h' },
      ],
    });
    expect(
      [...listed.servers].map(
        ([
          name,
          {
            config: { type },
          },
        ]) => [name, type],
      ),
    ).toEqual([
      ['a', 'stdio'],
      ['b', 'stdio'],
      ['c', 'streamable'],
    ]);
    expect(listed.servers.get('b')?.config.server_parameters).toMatchObject({ command: '2' });
    expect(configOf({ servers: { a: { command: 'x' } } }).servers.size).toBe(1);
    expect(configOf({}).servers.size).toBe(0);
  });

  it('keeps the order of a list also for names that look like numbers', () => {
    const servers = ['10', 'b', '2'].map((name) => ({ name, command: 'x' }));
    expect([...configOf({ servers }).servers.keys()]).toEqual(['10', 'b', '2']);
  });

  it.each([
    [[{ command: 'x' }], 'servers[0].name'],
    [['x'], 'servers[0].name'],
    [
      [
        { name: 'a', command: 'x' },
        { name: 'a', command: 'y' },
      ],
      'servers[1].name',
    ],
    [{ a: 7 }, 'servers.a'],
  ])('refuses the servers %j', (servers, field) => {
    expect(() => configOf({ servers })).toThrow(ConfigError);
    expect(() => configOf({ servers })).toThrow(field);
  });
});

describe('connectionOptionsOf', () => {
  it('needs a URL', () => {
    expect(() => connectionOptionsOf({}, common)).toThrow('url');
  });

  it('puts the token, asked for anew each time, beside what the callback gives', async () => {
    let count = 0;
    const token = (): string => `t${(count += 1)}`;
    const options = connectionOptionsOf({ url: 'http://h', token, auth: () => ({ tenant: 'x' }) }, common);
    expect(options.role).toBe('computer');
    expect([await options.auth?.(), await options.auth?.()]).toEqual([
      { token: 't1', tenant: 'x' },
      { token: 't2', tenant: 'x' },
    ]);
    expect(await authOf({ auth: () => ({ tenant: 'y' }) })).toEqual({ tenant: 'y' });
    expect(await authOf({})).toBeUndefined();
  });
});
