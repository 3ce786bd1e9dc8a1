/** Something in a configuration that was read but will not do what it seems to: nothing stops for it. */
export interface ConfigWarning {
  /** The field, as a path such as `servers.files.server_parameters.agrs`; empty for the whole document. */
  readonly field: string;
  /** The file it stands in, as the caller named it. */
  readonly file?: string | undefined;
  /** The MCP server in whose entry it stands; absent for the rest of the document. */
  readonly server?: string | undefined;
  /** A sentence that names the field and how to mend it. Never a value, because any of them may be a secret. */
  readonly problem: string;
}
