import { ACCESS_COMMANDS } from './access.js';
import { CALL_COMMANDS } from './calls.js';
import { CONNECTION_COMMANDS } from './connection.js';
import type { ComputerContext } from './computer-context.js';
import { INPUT_COMMANDS } from './inputs.js';
import { SAVE_COMMANDS } from './save.js';
import { SERVER_COMMANDS } from './servers.js';
import { VIEWS } from './views.js';
import type { ShellCommand } from '../shell/shell-command.js';

/** Every command of a Computer's shell, in the order of its help; `help` and `quit` are the shell's own. */
export const COMPUTER_COMMANDS: readonly ShellCommand<ComputerContext>[] = [
  ...VIEWS,
  ...CALL_COMMANDS,
  ...SERVER_COMMANDS,
  ...INPUT_COMMANDS,
  ...CONNECTION_COMMANDS,
  ...ACCESS_COMMANDS,
  ...SAVE_COMMANDS,
];
