/** What a command's exit code says. The same for every command. */
export const EXIT_CODES = {
  /** It worked; also a `server` or `computer run` that a signal ended. */
  ok: 0,
  /** The operation failed: an `isError` result, an error answer, a taken port, a wait that ran out. */
  failed: 1,
  /** Wrong usage or configuration. */
  usage: 2,
  /** Cannot connect or join. */
  unreachable: 3,
  /** The Server speaks another protocol version. */
  versionMismatch: 4,
  /** An `agent` command was interrupted. */
  interrupted: 130,
} as const;

/** One of {@link EXIT_CODES}. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
