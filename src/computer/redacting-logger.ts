import { type Logger } from '../protocol/index.js';
import { type Redactor } from './redactor.js';

/** A logger that takes every known secret out of fields and messages before they reach the application's logger. */
export function redactingLogger(logger: Logger, redactor: Redactor): Logger {
  const guard =
    (level: keyof Logger) =>
    (fields: object, message: string): void => {
      logger[level](redactor.redactValue(fields) as object, redactor.redact(message));
    };
  return { debug: guard('debug'), info: guard('info'), warn: guard('warn'), error: guard('error') };
}
