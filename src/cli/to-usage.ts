import { UsageError } from './failure.js';

/** The flags by the options of the library that they fill. */
const FLAGS: Readonly<Record<string, string>> = {
  url: '--server',
  path: '--path',
  name: '--name',
  officeId: '--office',
  corsOrigins: '--cors-origin',
  token: '--token',
  proxy: '--proxy',
  ca: '--ca',
  cert: '--cert',
  key: '--key',
  passphrase: 'A2C_KEY_PASSPHRASE',
};

/** A value that the library finds wrong came from a flag: the same sentence, in the words of the command line. */
export function toUsage(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error;
  const sentence = error.message
    .replace(/^[a-zA-Z]+/, (option) => FLAGS[option] ?? option)
    .replace('"auth" or "headers"', '--token or --token-file')
    .replace('"path"', '--path');
  return new UsageError(sentence);
}

/** Runs what checks its values itself. @throws UsageError for a value that is wrong. */
export function checked<T>(use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw toUsage(error);
  }
}
