import { describe, expect, it } from 'vitest';
import { childEnvironment, safeEnvironment, shellTarget, spawnTarget } from './spawn-command.js';

describe('the environment of a child', () => {
  it('holds nothing but safe variables and those that were added [F-C-env-added]', () => {
    const source = { PATH: '/bin', HOME: '/h', API_KEY: 'x', SHELL: '() { :; }' };
    expect(safeEnvironment(source)).toEqual({ PATH: '/bin', HOME: '/h' });
    const env = childEnvironment(JSON.parse('{"__proto__":"p","A":"b"}') as Record<string, string>);
    expect(Object.entries(env)).toEqual(
      expect.arrayContaining([
        ['__proto__', 'p'],
        ['A', 'b'],
      ]),
    );
  });

  it('replaces a variable of another case on Windows only', () => {
    const path = process.env['PATH'];
    expect(childEnvironment({ Path: 'x' }, 'win32')).toMatchObject({ PATH: 'x' });
    expect(childEnvironment({ Path: 'x' }, 'linux')).toMatchObject({ PATH: path, Path: 'x' });
  });
});

describe('spawnTarget', () => {
  const files = new Set(['C:\\node\\npx.cmd', 'C:\\node\\node.exe', 'C:\\my tools\\run.bat']);
  const system = {
    platform: 'win32' as const,
    env: { PATH: 'C:\\win;C:\\node', PATHEXT: '.exe;.cmd', COMSPEC: 'C:\\win\\cmd.exe' },
    exists: (path: string) => files.has(path),
  };

  it('passes commands on as they are where there is no cmd.exe', () => {
    expect(spawnTarget('npx', ['-y', 'a b'], { ...system, platform: 'linux' })).toEqual({
      command: 'npx',
      args: ['-y', 'a b'],
      verbatim: false,
    });
  });

  it('finds programs through PATH and PATHEXT on Windows', () => {
    expect(spawnTarget('node', ['x'], system)).toEqual({ command: 'C:\\node\\node.exe', args: ['x'], verbatim: false });
    expect(spawnTarget('nothing', [], system)).toEqual({ command: 'nothing', args: [], verbatim: false });
  });

  it.each([
    ['plain', '^^^"plain^^^"'],
    ['a b', '^^^"a^^^ b^^^"'],
    ['100%', '^^^"100^^^%^^^"'],
    ['say "hi"', '^^^"say^^^ \\^^^"hi\\^^^"^^^"'],
    ['back\\', '^^^"back\\\\^^^"'],
    ['a&calc.exe', '^^^"a^^^&calc.exe^^^"'],
  ])('quotes %j for a .cmd file', (arg, quoted) => {
    expect(spawnTarget('npx', [arg], system)).toEqual({
      command: 'C:\\win\\cmd.exe',
      args: ['/d', '/s', '/c', `"C:\\node\\npx.cmd ${quoted}"`],
      verbatim: true,
    });
  });

  it('runs a script that is given by its path', () => {
    expect(spawnTarget('C:\\my tools\\run.bat', [], system).args[3]).toBe('"C:\\my^ tools\\run.bat"');
  });
});

describe('shellTarget', () => {
  it('gives /bin/sh the arguments beside the line, and never after a line break', () => {
    const system = { platform: 'linux' as const, env: {} };
    expect(shellTarget('a | b', [], system).args).toEqual(['-c', 'a | b']);
    expect(shellTarget('a | b \n', ['$(x)', '"'], system)).toEqual({
      command: '/bin/sh',
      args: ['-c', 'a | b "$@"', 'sh', '$(x)', '"'],
      verbatim: false,
    });
  });

  it('quotes the arguments for cmd.exe on Windows', () => {
    const system = { platform: 'win32' as const, env: { COMSPEC: 'C:\\win\\cmd.exe' } };
    expect(shellTarget('pass show | more', ['a b', '%PATH%', 'x"&calc'], system)).toEqual({
      command: 'C:\\win\\cmd.exe',
      args: ['/d', '/s', '/c', '"pass show | more ^"a^ b^" ^"^%PATH^%^" ^"x\\^"^&calc^""'],
      verbatim: true,
    });
  });
});
