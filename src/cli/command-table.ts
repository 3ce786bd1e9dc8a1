import type { Command } from './command.js';
import {
  callCommand,
  configCommand,
  desktopCommand,
  documentsCommand,
  dpeCommand,
  replCommand,
  resourcesCommand,
  roomCommand,
  toolsCommand,
  waitCommand,
  watchCommand,
} from './table/agent.js';
import { computerLoginCommand, computerLogoutCommand, computerRunCommand } from './table/computer.js';
import {
  completionCommand,
  configCheckCommand,
  demoCommand,
  doctorCommand,
  importCommand,
  initCommand,
  serverCommand,
} from './table/setup.js';

/** Every command, one row each, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  demoCommand,
  initCommand,
  importCommand,
  configCheckCommand,
  serverCommand,
  doctorCommand,
  completionCommand,
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
