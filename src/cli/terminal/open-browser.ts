import { spawn } from 'node:child_process';

/**
 * How to open an address for a person: with the program that `BROWSER` names, as other programs do, else with the
 * system's browser (`undefined`).
 */
export function browserOf(env: NodeJS.ProcessEnv = process.env): ((url: string) => Promise<void>) | undefined {
  const [command, ...args] = (env['BROWSER'] ?? '').split(' ').filter((word) => word !== '');
  if (command === undefined) return undefined;
  const hasPlace = args.some((arg) => arg.includes('%s'));
  return (url) => {
    const filled = hasPlace ? args.map((arg) => arg.replaceAll('%s', () => url)) : [...args, url];
    const child = spawn(command, filled, { stdio: 'ignore', detached: true });
    child.unref();
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  };
}
