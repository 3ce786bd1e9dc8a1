import type { ShellCommand } from '../shell/shell-command.js';
import type { AgentContext } from './agent-context.js';
import { DESKTOP_COMMANDS } from './desktop-commands.js';
import { DOCUMENT_COMMANDS } from './document-commands.js';
import { COMPUTER_COMMANDS, EVENT_COMMANDS, OFFICE_COMMANDS } from './office-commands.js';
import { TOOL_COMMANDS } from './tool-commands.js';

/** Every command of an Agent's shell, in the order of its help; `help` and `quit` are the shell's own. */
export const AGENT_COMMANDS: readonly ShellCommand<AgentContext>[] = [
  ...OFFICE_COMMANDS,
  ...TOOL_COMMANDS,
  ...DESKTOP_COMMANDS,
  ...DOCUMENT_COMMANDS,
  ...COMPUTER_COMMANDS,
  ...EVENT_COMMANDS,
];
