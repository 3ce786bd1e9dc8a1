import { createRequire } from 'node:module';
import type * as Pino from 'pino';
import { printable } from './printable.js';
import type { Logger } from '../../protocol/index.js';

const LEVEL_NAMES: Readonly<Record<number, string>> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const OWN_FIELDS = new Set(['level', 'time', 'msg', 'err']);

function fieldText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

/** One log record as one line for a person: `warn  A tool was left out  server=x tool=y`. */
export function prettyLine(record: Record<string, unknown>): string {
  const level = LEVEL_NAMES[record['level'] as number] ?? 'info';
  const fields = Object.entries(record)
    .filter(([key]) => !OWN_FIELDS.has(key))
    .map(([key, value]) => `${key}=${fieldText(value)}`);
  const error = record['err'] as { message?: string } | undefined;
  if (error?.message !== undefined) fields.push(`err=${JSON.stringify(error.message)}`);
  return printable([level.padEnd(5), record['msg'] as string, ...fields].join(' ')).replaceAll('\n', ' ');
}

/**
 * The logger of the command line. Most commands log nothing, so pino is loaded at the first line that is written.
 *
 * @param level - the lowest level that is written.
 * @param format - lines for a person, or pino's JSON.
 * @param sink - where lines go; stderr, so that results on stdout stay clean.
 */
export function createLogger(level: string, format: 'pretty' | 'json', sink: (line: string) => void): Logger {
  const write = (line: string): void => {
    sink(format === 'json' ? line : `${prettyLine(JSON.parse(line) as Record<string, unknown>)}\n`);
  };
  const start = (): Logger => {
    const { pino } = createRequire(import.meta.url)('pino') as typeof Pino;
    return pino({ level, base: null, serializers: { err: pino.stdSerializers.err } }, { write });
  };
  let started: Logger | undefined;
  const lowest = LEVELS.findIndex((name) => name === level);
  const at =
    (name: (typeof LEVELS)[number]): Logger[typeof name] =>
    (fields, message) => {
      if (LEVELS.indexOf(name) < lowest) return;
      started ??= start();
      started[name](fields, message);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
