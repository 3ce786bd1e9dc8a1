import type { Computer } from '../../computer/index.js';
import { shellCommands } from '../shell/shell-command.js';
import type { OfficeSession } from './office-session.js';
import type { Suspend } from '../shell/line-editor.js';

/** What the commands of a Computer's shell are about. */
export interface ComputerContext {
  readonly computer: Computer;
  readonly office: OfficeSession;
  /** The configuration files, the one that wins last. */
  readonly files: readonly string[];
  /** Lends the terminal to another program; absent where there is none. */
  readonly suspend: Suspend | undefined;
}

/** Gives a row of the table of the Computer's shell its types. */
export const define = shellCommands<ComputerContext>();
