import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** How to get what the tests of completion need beside tmux. */
export const SHELLS_SETUP = 'apt-get install zsh fish bash-completion, or the like';

/** Where Debian and others keep the package bash-completion. */
export const BASH_COMPLETION = '/usr/share/bash-completion/bash_completion';

/** Whether completion can be tested in all shells. With `CI=true` it always is. */
export function hasShells(): boolean {
  if (process.env['CI'] === 'true') return true;
  return existsSync(BASH_COMPLETION) && ['bash', 'zsh', 'fish'].every(hasShell);
}

function hasShell(name: string): boolean {
  return spawnSync(name, ['-c', ':']).status === 0;
}
