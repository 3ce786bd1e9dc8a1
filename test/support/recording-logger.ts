import type { Logger } from '../../src/protocol/index.js';

/** One line of a log. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

/** A logger that remembers. */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[] = [];

  debug(fields: object, message: string): void {
    this.lines.push({ level: 'debug', fields, message });
  }

  info(fields: object, message: string): void {
    this.lines.push({ level: 'info', fields, message });
  }

  warn(fields: object, message: string): void {
    this.lines.push({ level: 'warn', fields, message });
  }

  error(fields: object, message: string): void {
    this.lines.push({ level: 'error', fields, message });
  }

  /** Everything as one text, to look for what must not be in it. */
  get text(): string {
    return JSON.stringify(this.lines, (_key, value: unknown) => (value instanceof Error ? String(value.stack) : value));
  }

  /** The lines of one level. */
  of(level: LogLine['level']): readonly LogLine[] {
    return this.lines.filter((line) => line.level === level);
  }
}
