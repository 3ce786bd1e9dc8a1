/** Where a configuration is wrong. */
export interface ConfigErrorPlace {
  /** The field, as a path such as `servers.files.server_parameters.command`; empty for the whole document. */
  readonly field: string;
  /** The file it stands in, as the caller named it. */
  readonly file?: string;
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

  constructor(problem: string, place: ConfigErrorPlace) {
    super([place.file, place.field, problem].filter((part) => part !== undefined && part !== '').join(': '));
    this.field = place.field;
    this.file = place.file;
  }
}
