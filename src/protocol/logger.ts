/**
 * What every part writes its log to. A `pino` logger fits as it is.
 *
 * Messages are constant sentences, data stands in the fields, so that logs can be searched by either. Fields never
 * hold tool parameters, results, rendered configuration or credentials.
 */
export interface Logger {
  /** Something that helps to follow what happens. */
  debug(fields: object, message: string): void;
  /** Something that an operator wants to see once. */
  info(fields: object, message: string): void;
  /** Something is wrong and was coped with. */
  warn(fields: object, message: string): void;
  /** Something failed. */
  error(fields: object, message: string): void;
}

const ignore = (): void => undefined;

/** The default: says nothing. */
export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
