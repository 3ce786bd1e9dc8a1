import { DEFAULT_PATH } from '../../protocol/basics.js';
import { list, text, toggle, TOKEN_FLAGS, wholeNumber } from './flags.js';

/** The flags of `a2c demo`. */
export const DEMO_FLAGS = { json: toggle('print one line of JSON per step') } as const;

/** The flags of `a2c init`. */
export const INIT_FLAGS = {
  force: toggle('replace a file that is there'),
  json: toggle('print one line of JSON'),
} as const;

/** The flags of `a2c import`. */
export const IMPORT_FLAGS = {
  list: toggle('only show what would be taken'),
  output: text('FILE', 'where it is written; the file that a Computer reads by default otherwise'),
  project: text('DIR', 'the project whose own configurations count too; this folder by default'),
  yes: toggle('write without asking'),
  json: toggle('print one line of JSON'),
} as const;

/** The flags of `a2c config check`. */
export const CONFIG_CHECK_FLAGS = {
  strict: toggle('take warnings for failures: exit 1'),
  json: toggle('print one line of JSON'),
} as const;

/** The flags of `a2c server`. */
export const SERVER_FLAGS = {
  host: text('ADDRESS', 'the address to listen on', { fallback: '127.0.0.1' }),
  port: wholeNumber('PORT', 'the port to listen on; 0 takes a free one', { min: 0, max: 65_535, fallback: 8000 }),
  path: text('PATH', 'the HTTP path of Socket.IO', { fallback: DEFAULT_PATH }),
  ...TOKEN_FLAGS,
  corsOrigin: list('ORIGIN', 'let pages of this origin connect'),
  insecure: toggle('listen beyond loopback without a token'),
  json: toggle('print what happens as lines of JSON'),
} as const;
