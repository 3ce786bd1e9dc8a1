/** An error that the client may see: its code is one of JSON-RPC's, its message says nothing about what is inside. */
export class ResourceError extends Error {
  override readonly name = 'ResourceError';
  /** As in JSON-RPC. */
  readonly code: number;

  private constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }

  /** The client asked for something that is not there, or in a wrong way. */
  static invalidParams(message: string): ResourceError {
    return new ResourceError(-32602, message);
  }

  /** The author's part failed. */
  static internal(message: string): ResourceError {
    return new ResourceError(-32603, message);
  }
}

/** Whether an error was made to be told to the client: one of these, or a `ProtocolError` of the SDK. */
export function isForClient(error: unknown): boolean {
  if (error instanceof ResourceError) return true;
  return (
    error instanceof Error && error.name === 'ProtocolError' && Number.isSafeInteger((error as { code?: unknown }).code)
  );
}
