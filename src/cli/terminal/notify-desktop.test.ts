import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { desktopNotifier } from './notify-desktop.js';

const folder = mkdtempSync(join(tmpdir(), 'a2c-notify-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A program of that name which writes its arguments, each on a line, to `shown`. */
function fake(name: string): string {
  const shown = join(folder, `${name}.txt`);
  writeFileSync(
    join(folder, name),
    `#!/bin/sh\nprintf '%s\\n' "$@" > '${shown}.part' && mv '${shown}.part' '${shown}'\n`,
  );
  chmodSync(join(folder, name), 0o700);
  return shown;
}

const PATH = [folder, process.env['PATH'] ?? ''].join(delimiter);

describe.skipIf(process.platform === 'win32')('desktopNotifier', () => {
  it.each([
    ['linux', { DISPLAY: ':0' }, 'notify-send', ['--app-name=a2c', '--', 'A2C', '-t "$(x)" wants to call']],
    [
      'linux',
      { WAYLAND_DISPLAY: 'wayland-0' },
      'notify-send',
      ['--app-name=a2c', '--', 'A2C', '-t "$(x)" wants to call'],
    ],
    ['darwin', {}, 'osascript', ['A2C', '-t "$(x)" wants to call']],
  ] as const)('shows a notification on %s with %j, its text as it is', async (platform, env, program, args) => {
    const shown = fake(program);
    desktopNotifier({ PATH, ...env }, platform)?.('A2C', '-t "$(x)" wants to call');
    await vi.waitFor(() => {
      expect(existsSync(shown)).toBe(true);
    });
    expect(readFileSync(shown, 'utf8').trimEnd().split('\n').slice(-args.length)).toEqual(args);
    rmSync(shown);
  });

  it.each([
    ['linux', {}],
    ['linux', { DISPLAY: '' }],
    ['win32', { DISPLAY: ':0' }],
  ] as const)('has none on %s with %j', (platform, env) => {
    expect(desktopNotifier({ PATH, ...env }, platform)).toBeUndefined();
  });

  it('takes it calmly when the program is not there', async () => {
    desktopNotifier({ PATH: '/nowhere', DISPLAY: ':0' }, 'linux')?.('A2C', 'text');
    // The error of a child that could not be started comes with the next turns of the loop; unhandled it would fail the run.
    await new Promise((resolve) => setImmediate(resolve));
  });
});
