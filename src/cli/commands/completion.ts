import type { Invocation } from '../command.js';
import { bashScript } from '../completion/bash.js';
import { placesOf, type Place } from '../completion/completion-model.js';
import { fishScript } from '../completion/fish.js';
import { SHELLS, type ShellName } from '../completion/shells.js';
import { zshScript } from '../completion/zsh.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { UsageError } from '../failure.js';
import type { Flags } from '../flags/flags.js';

const SCRIPTS: Readonly<Record<ShellName, (places: readonly Place[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

/** `a2c completion` */
export async function runCompletion({ args, terminal, table }: Invocation<Flags>): Promise<ExitCode> {
  const shell = SHELLS.find((name) => name === args[0]);
  if (shell === undefined) throw new UsageError(`SHELL: expected one of ${SHELLS.join(', ')}, got '${args[0] ?? ''}'`);
  terminal.line(SCRIPTS[shell](placesOf(table)).trimEnd());
  return Promise.resolve(EXIT_CODES.ok);
}
