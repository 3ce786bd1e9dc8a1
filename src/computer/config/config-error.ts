/** Where a configuration is wrong. */
export interface ConfigErrorPlace {
  /** The field, as a path such as `servers.files.server_parameters.command`; empty for the whole document. */
  readonly field: string;
  /** The file it stands in, as the caller named it. */
  readonly file?: string | undefined;
  /** Where a text that does not parse breaks off. */
  readonly position?: TextPosition | undefined;
}

/** A place in a text. */
export interface TextPosition {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** The line with a mark under the place, over several lines: for a person, and without values. */
  readonly excerpt: string;
}

/**
 * A configuration cannot be used. The message names the file, the field and how to mend it; it never holds a value
 * from the configuration, because any of them may be a secret.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** See {@link ConfigErrorPlace.field}. */
  readonly field: string;
  /** See {@link ConfigErrorPlace.file}. */
  readonly file: string | undefined;
  /** See {@link ConfigErrorPlace.position}. */
  readonly position: TextPosition | undefined;

  constructor(problem: string, place: ConfigErrorPlace) {
    super([place.file, place.field, problem].filter((part) => part !== undefined && part !== '').join(': '));
    this.field = place.field;
    this.file = place.file;
    this.position = place.position;
  }
}
