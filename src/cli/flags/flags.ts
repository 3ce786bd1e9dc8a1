import { readFileSync } from 'node:fs';
import { isName } from '../../protocol/basics.js';
import { UsageError } from '../failure.js';

/** One command-line flag. Help, parsing and the type of its value derive from it. */
export interface Flag<T> {
  readonly kind: 'value' | 'list' | 'toggle';
  /** What stands for the value in the help, such as `URL`. */
  readonly placeholder: string;
  readonly help: string;
  /** The environment variable that stands in for the flag. */
  readonly env?: string;
  /** One letter that stands for it, in the shell. */
  readonly short?: string;
  /** Shown in the help. */
  readonly choices?: readonly string[];
  readonly fallback: T;
  /** @throws UsageError that says what is expected. */
  readonly parse: (raw: string) => unknown;
}

/** A command's flags, by the camel-case name of their value. */
export type Flags = Readonly<Record<string, Flag<unknown>>>;

/** The values of a command's flags. */
export type FlagValues<F extends Flags> = { readonly [K in keyof F]: F[K] extends Flag<infer T> ? T : never };

interface Details<T> {
  readonly env?: string;
  readonly fallback?: T;
}

const itself = (raw: string): string => raw;

/** A flag with a text. */
export function text(placeholder: string, help: string, details: { env?: string; fallback: string }): Flag<string>;
export function text(placeholder: string, help: string, details?: { env?: string }): Flag<string | undefined>;
export function text(placeholder: string, help: string, details: Details<string> = {}): Flag<string | undefined> {
  return { kind: 'value', placeholder, help, fallback: undefined, ...details, parse: itself };
}

/** A flag with the name of an office, or of somebody in one. Protocol §1. */
export function officeName(
  placeholder: string,
  help: string,
  details: { env?: string } = {},
): Flag<string | undefined> {
  const parse = (raw: string): string => {
    if (!isName(raw)) throw new UsageError('expected 1 to 256 characters, not blank, without control characters');
    return raw;
  };
  return { kind: 'value', placeholder, help, fallback: undefined, ...details, parse };
}

/** A flag with a secret. */
function secret(placeholder: string, help: string, details: { env: string }): Flag<string | undefined> {
  const parse = (raw: string): string => {
    // An empty one would look like protection and be none.
    if (raw === '') throw new UsageError('expected a token');
    return raw;
  };
  return { kind: 'value', placeholder, help, fallback: undefined, ...details, parse };
}

/** A flag that takes one of a few words. */
export function choice<C extends string>(
  choices: readonly C[],
  help: string,
  details: { env?: string; fallback: C },
): Flag<C> {
  const parse = (raw: string): C => {
    const found = choices.find((word) => word === raw);
    if (found === undefined) throw new UsageError(`expected one of ${choices.join(', ')}`);
    return found;
  };
  return { kind: 'value', placeholder: 'WORD', help, choices, ...details, parse };
}

/** A flag with a whole number. */
export function wholeNumber(
  placeholder: string,
  help: string,
  range: { min: number; max: number; fallback: number },
): Flag<number>;
export function wholeNumber(
  placeholder: string,
  help: string,
  range: { min: number; max: number },
): Flag<number | undefined>;
export function wholeNumber(
  placeholder: string,
  help: string,
  range: { min: number; max: number; fallback?: number },
): Flag<number | undefined> {
  const parse = (raw: string): number => {
    const value = Number(raw);
    if (!/^-?\d+$/.test(raw) || value < range.min || value > range.max) {
      throw new UsageError(`expected a whole number from ${range.min} to ${range.max}`);
    }
    return value;
  };
  return { kind: 'value', placeholder, help, fallback: range.fallback, parse };
}

/** A flag that may be given several times. */
export function list(placeholder: string, help: string): Flag<readonly string[]> {
  return { kind: 'list', placeholder, help, fallback: [], parse: itself };
}

/** A flag without a value. */
export function toggle(help: string, details: { short?: string } = {}): Flag<boolean> {
  return { kind: 'toggle', placeholder: '', help, fallback: false, ...details, parse: itself };
}

/** `corsOrigin` → `--cors-origin`. */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** The flags that every command has. */
export const COMMON_FLAGS = {
  logLevel: choice(['error', 'warn', 'info', 'debug'], 'how much to log, on stderr', {
    env: 'A2C_LOG_LEVEL',
    fallback: 'warn',
  }),
  logFormat: choice(['pretty', 'json'], 'how to log', { fallback: 'pretty' }),
} as const;

/** The flags of what may need a token. */
export const TOKEN_FLAGS = {
  token: secret('TOKEN', 'the token that the Server asks for', { env: 'A2C_TOKEN' }),
  tokenFile: text('FILE', 'read the token from a file'),
} as const;

/** What no token has: line breaks and other control characters, such as the zeros of UTF-16. */
const NO_TOKEN = /[\p{Cc}\uFFFD]/u;

/**
 * The token that the flags name, if any.
 *
 * @throws UsageError when the file cannot be read, is empty, or holds what is no token.
 */
export function readToken(flags: { token: string | undefined; tokenFile: string | undefined }): string | undefined {
  // A file that was named on purpose wins over a token that may come from the environment.
  if (flags.tokenFile === undefined) return flags.token;
  let content: string;
  try {
    content = readFileSync(flags.tokenFile, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--token-file: cannot read ${flags.tokenFile}: ${(error as Error).message}`);
  }
  if (content === '') throw new UsageError(`--token-file: ${flags.tokenFile} is empty`);
  if (NO_TOKEN.test(content)) {
    throw new UsageError(`--token-file: ${flags.tokenFile} must hold the token alone, on one line, in UTF-8`);
  }
  return content;
}
