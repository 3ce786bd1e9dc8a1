import { DEFAULT_PATH } from '../../protocol/basics.js';
import { list, officeName, text, toggle, TOKEN_FLAGS, wholeNumber } from '../flags/flags.js';
import { LOGIN_FLAGS } from '../flags/login-flags.js';
import { NETWORK_FLAGS } from '../flags/network-flags.js';

/** The flags of `a2c doctor`. */
export const DOCTOR_FLAGS = {
  config: list('FILE', 'a configuration file; later ones win'),
  server: text('URL', 'where the Server is', { env: 'A2C_SERVER' }),
  office: officeName('ID', 'join this office as its Agent for a moment, and leave it'),
  ...TOKEN_FLAGS,
  path: text('PATH', 'the HTTP path of Socket.IO', { fallback: DEFAULT_PATH }),
  ...NETWORK_FLAGS,
  ...LOGIN_FLAGS,
  timeout: wholeNumber('SECONDS', 'how long each check may take', { min: 1, max: 300, fallback: 10 }),
  json: toggle('print each finding as one line of JSON'),
} as const;
