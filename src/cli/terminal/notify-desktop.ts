import { spawn } from 'node:child_process';

/** How one system shows a notification: the program and its arguments. */
type Notifier = (title: string, text: string) => readonly [command: string, ...args: string[]];

/** AppleScript has no arguments that need no quoting, but takes these of `run`. */
const APPLE_SCRIPT = 'on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)\nend run';

function notifierOf(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): Notifier | undefined {
  if (platform === 'darwin') return (title, text) => ['osascript', '-e', APPLE_SCRIPT, title, text];
  const hasDesktop = (env['DISPLAY'] ?? '') !== '' || (env['WAYLAND_DISPLAY'] ?? '') !== '';
  if (platform === 'win32' || !hasDesktop) return undefined;
  return (title, text) => ['notify-send', '--app-name=a2c', '--', title, text];
}

/**
 * What shows notifications on this system's desktop; `undefined` where there is none. A program that is not there, or
 * fails, is no fault: the question stands in the terminal too.
 */
export function desktopNotifier(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
): ((title: string, text: string) => void) | undefined {
  const notifier = notifierOf(env, platform);
  if (notifier === undefined) return undefined;
  return (title, text) => {
    const [command, ...args] = notifier(title, text);
    const child = spawn(command, args, { stdio: 'ignore', detached: true, env: { ...env } });
    child.on('error', () => undefined);
    child.unref();
  };
}
