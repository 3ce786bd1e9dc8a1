import type { Check } from './check.js';
import { configurationCheck, permissionsCheck } from './checks/configuration.js';
import { loginsCheck } from './checks/logins.js';
import { diskCheck, nodeCheck, packageCheck, placesCheck, terminalCheck } from './checks/machine.js';
import { networkCheck } from './checks/network.js';
import { clockCheck, officeCheck, serverCheck } from './checks/server.js';
import { commandsCheck, httpServersCheck, inputsCheck } from './checks/servers.js';

/** Every check, one row each, in the order in which they are shown. */
export const CHECKS: readonly Check[] = [
  nodeCheck,
  packageCheck,
  terminalCheck,
  placesCheck,
  diskCheck,
  configurationCheck,
  permissionsCheck,
  commandsCheck,
  inputsCheck,
  httpServersCheck,
  loginsCheck,
  networkCheck,
  serverCheck,
  clockCheck,
  officeCheck,
];
