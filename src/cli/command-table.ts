import type { Command } from './command.js';
import { callCommand } from './commands/agent/call.js';
import { documentsCommand } from './commands/agent/documents.js';
import { dpeCommand } from './commands/agent/dpe.js';
import { waitCommand, watchCommand } from './commands/agent/events.js';
import { desktopCommand } from './commands/agent/desktop.js';
import { configCommand, resourcesCommand, roomCommand } from './commands/agent/queries.js';
import { replCommand } from './commands/agent/repl.js';
import { toolsCommand } from './commands/agent/tools.js';
import { computerLoginCommand, computerLogoutCommand } from './commands/computer-login.js';
import { computerRunCommand } from './commands/computer-run.js';
import { configCheckCommand } from './commands/config-check.js';
import { demoCommand } from './commands/demo.js';
import { doctorCommand } from './commands/doctor.js';
import { importCommand } from './commands/import.js';
import { initCommand } from './commands/init.js';
import { serverCommand } from './commands/server.js';

/** Every command, one row each, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  demoCommand,
  initCommand,
  importCommand,
  configCheckCommand,
  serverCommand,
  doctorCommand,
  computerRunCommand,
  computerLoginCommand,
  computerLogoutCommand,
  replCommand,
  toolsCommand,
  callCommand,
  configCommand,
  desktopCommand,
  resourcesCommand,
  documentsCommand,
  dpeCommand,
  roomCommand,
  watchCommand,
  waitCommand,
];

/** What stands above the commands of a group in the help. */
export const GROUPS: Readonly<Record<string, string>> = {
  '': 'A2C-SMCP: an Agent calls tools on remote Computers through a Server with offices',
  config: 'Look at configuration files of a Computer',
  computer: 'Host MCP servers and serve them to an office',
  agent: 'Join an office as its Agent: call tools, read desktops, open documents',
};
