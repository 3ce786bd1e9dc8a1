import { describe, expect, it } from 'vitest';
import { readConfig, type ComputerConfig } from '../../computer/index.js';
import { mergeChange } from './merge-change.js';

function config(servers: Readonly<Record<string, string>>, inputs: readonly string[] = []): ComputerConfig {
  return readConfig({
    servers: Object.fromEntries(Object.entries(servers).map(([name, command]) => [name, { command }])),
    inputs: inputs.map((id) => ({ id, type: 'promptString' })),
  });
}

describe('mergeChange', () => {
  const before = config({ a: '1', b: '1' }, ['x']);
  it.each([
    ['takes what is new, other and gone in the files', { a: '1', b: '1' }, { c: '1', a: '2' }, { c: '1', a: '2' }],
    ['keeps what the owner added', { a: '1', b: '1', own: '1' }, { a: '2', b: '1' }, { a: '2', b: '1', own: '1' }],
    ['keeps what the owner changed', { a: 'own', b: '1' }, { a: '1', b: '2' }, { a: 'own', b: '2' }],
    ['keeps away what the owner removed', { b: '1' }, { a: '1', b: '2' }, { b: '2' }],
    ['prefers the files where both changed one', { a: 'own', b: '1' }, { a: '2', b: '1' }, { a: '2', b: '1' }],
    ['brings back what the owner removed and the files changed', { b: '1' }, { a: '2', b: '1' }, { a: '2', b: '1' }],
    [
      'has what was saved just now',
      { a: '1', b: '1', own: '1' },
      { a: '1', b: '1', own: '1' },
      { a: '1', b: '1', own: '1' },
    ],
  ])('%s', (_what, current, after, expected) => {
    const merged = mergeChange(config(current, ['x', 'own']), { before, after: config(after, ['y']) });
    expect(
      [...merged.servers].map(
        ([
          name,
          {
            config: { server_parameters: to },
          },
        ]) => [name, to.command],
      ),
    ).toEqual(Object.entries(expected));
    expect([...merged.inputs.keys()]).toEqual(['y', 'own']);
  });
});
