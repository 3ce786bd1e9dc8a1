import { type Command } from './command.js';
import { callCommand } from './commands/agent/call.js';
import { dpeCommand } from './commands/agent/dpe.js';
import { waitCommand, watchCommand } from './commands/agent/events.js';
import { configCommand, desktopCommand, resourcesCommand, roomCommand } from './commands/agent/queries.js';
import { toolsCommand } from './commands/agent/tools.js';
import { computerRunCommand } from './commands/computer-run.js';
import { demoCommand } from './commands/demo.js';
import { serverCommand } from './commands/server.js';
import { type Flags } from './flags.js';

/** Lets commands with flags of their own stand in one list. */
function row<F extends Flags>(command: Command<F>): Command {
  return command as unknown as Command;
}

/** Every command, one row each, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  row(demoCommand),
  row(serverCommand),
  row(computerRunCommand),
  row(toolsCommand),
  row(callCommand),
  row(configCommand),
  row(desktopCommand),
  row(resourcesCommand),
  row(dpeCommand),
  row(roomCommand),
  row(watchCommand),
  row(waitCommand),
];

/** What stands above the commands of a group in the help. */
export const GROUPS: Readonly<Record<string, string>> = {
  '': 'A2C-SMCP: an Agent calls tools on remote Computers through a Server with offices',
  computer: 'Host MCP servers and serve them to an office',
  agent: 'Join an office as its Agent: call tools, read desktops, open documents',
};
