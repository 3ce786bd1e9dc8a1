import type { Logger } from '../../src/protocol/index.js';

const SHOWN_PER_KIND = 5;
const SHOWN_PLACES = 4;

/** What went wrong, by kind. */
export class Faults {
  readonly #found = new Map<string, { count: number; readonly examples: string[] }>();

  /** How many there are. */
  get count(): number {
    return [...this.#found.values()].reduce((sum, { count }) => sum + count, 0);
  }

  /** Notes one. @param kind - a short sentence; @param detail - what tells it from others of its kind. */
  add(kind: string, detail = ''): void {
    const known = this.#found.get(kind) ?? { count: 0, examples: [] };
    known.count += 1;
    if (known.examples.length < SHOWN_PER_KIND) known.examples.push(detail);
    this.#found.set(kind, known);
  }

  /** One line a kind, with some examples of each. */
  toString(): string {
    const lines = [...this.#found].map(([kind, { count, examples }]) =>
      [`  ${count} × ${kind}`, ...examples.filter((example) => example !== '').map((text) => `      ${text}`)].join(
        '\n',
      ),
    );
    return lines.join('\n');
  }

  /** A logger for the roles: what they call an error is one. */
  logger(role: string): Logger {
    const ignore = (): void => undefined;
    return {
      debug: ignore,
      info: ignore,
      warn: ignore,
      error: (fields, message) => {
        this.add(`${role} logged an error: ${message}`, JSON.stringify(fields));
      },
    };
  }

  /** Watches the process for what nobody handles. @returns a function that ends that. */
  watchProcess(): () => void {
    const listeners = {
      unhandledRejection: (reason: unknown) => {
        this.add('unhandled rejection', textOf(reason));
      },
      uncaughtException: (error: unknown) => {
        this.add('uncaught exception', textOf(error));
      },
      warning: (warning: Error) => {
        this.add('warning of Node', textOf(warning));
      },
    };
    for (const [event, listener] of Object.entries(listeners)) process.on(event, listener);
    return () => {
      for (const [event, listener] of Object.entries(listeners)) process.off(event, listener);
    };
  }
}

/** What an error says, with the first places of its stack that are ours. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const places = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line) && !line.includes('node:'));
  return [String(error), ...places.slice(0, SHOWN_PLACES).map((line) => line.trim())].join(' | ');
}
