import { silentLogger, type Logger } from '../protocol/index.js';
import type { Redactor } from './redactor.js';

/** What pino has beside {@link Logger}: lets a line that nobody wants cost nothing. */
interface WithLevels {
  isLevelEnabled?(level: string): boolean;
}

/** A logger that takes every known secret out of fields and messages before they reach the application's logger. */
export function redactingLogger(logger: Logger & WithLevels, redactor: Redactor): Logger {
  if (logger === silentLogger) return logger;
  const guard =
    (level: keyof Logger) =>
    (fields: object, message: string): void => {
      if (logger.isLevelEnabled?.(level) === false) return;
      logger[level](redactor.redactValue(fields) as object, redactor.redact(message));
    };
  return { debug: guard('debug'), info: guard('info'), warn: guard('warn'), error: guard('error') };
}
