/** Every error code of the protocol, by name. Protocol §5.1. */
export const ErrorCode = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  Timeout: 408,
  Internal: 500,
  ToolNotFound: 4001,
  ToolDisabled: 4002,
  ToolExecutionFailed: 4003,
  ToolTimedOut: 4004,
  ToolRequiresConfirmation: 4005,
  ToolAuthorizationRequired: 4006,
  ToolAuthorizationFailed: 4007,
  ProtocolVersionMismatch: 4008,
  DpeResolverNotConfigured: 4011,
  InvalidDpeUri: 4012,
  DpeResolutionFailed: 4013,
  McpServerNotFound: 4014,
  McpCapabilityNotSupported: 4015,
  RoomFull: 4101,
  RoomNotFound: 4102,
  NotInRoom: 4103,
  CrossRoomAccess: 4104,
} as const;

/** One of the protocol's error codes. */
export type ErrorCode = (typeof ErrorCode)[keyof typeof ErrorCode];

/** Why a document could not be resolved (4013). Readers treat unknown ones as generic. Protocol §8.3. */
export const DPE_FAILURE_CATEGORIES = [
  'unknown_host',
  'upstream_unavailable',
  'invalid_content',
  'resolver_error',
  'resolver_returned_invalid',
] as const;

/** One of {@link DPE_FAILURE_CATEGORIES}. */
export type DpeFailureCategory = (typeof DPE_FAILURE_CATEGORIES)[number];

/** An error as it crosses the wire: one flat object. Protocol §5.2. */
export interface ErrorPayload {
  /** A code of {@link ErrorCode}, or one that a newer peer knows. */
  readonly code: number;
  /** A sentence for a person. */
  readonly message: string;
  /** For logs only; never shown to end users. */
  readonly details?: unknown;
  /** Fields of that code, at top level. */
  readonly [field: string]: unknown;
}

/**
 * An error that crosses the wire. Thrown by handlers to answer with it, and by clients that got such an answer.
 *
 * @example
 * throw new ProtocolError(ErrorCode.NotFound, 'No Computer named "laptop" in this office', { computer: 'laptop' });
 */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  readonly code: number;
  /** The fields beside `code` and `message`. */
  readonly fields: Readonly<Record<string, unknown>>;

  /**
   * @param code - one of {@link ErrorCode}.
   * @param message - a sentence for a person; no secrets, no addresses.
   * @param fields - what else stands at top level of the payload.
   */
  constructor(code: number, message: string, fields: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.fields = fields;
  }

  /** The error as one flat object. Protocol §5.2. */
  toPayload(): ErrorPayload {
    return { ...this.fields, code: this.code, message: this.message };
  }

  /** The error that a peer sent. */
  static fromPayload(payload: ErrorPayload): ProtocolError {
    const { code, message, ...fields } = payload;
    return new ProtocolError(code, message, fields);
  }
}

/** What a Server said when it refused this SDK's protocol version (4008), or the version itself (400). Protocol §2.2. */
export interface VersionRefusal {
  readonly clientVersion?: string;
  readonly serverVersion?: string;
  readonly minSupported?: string;
  readonly maxSupported?: string;
}

/**
 * The Server speaks another protocol version. Never retried: the fields say which versions would fit, each undefined
 * when only the `X-A2C-Error-Code` header could be read. Protocol §2.2.
 */
export class ProtocolVersionError extends Error {
  override readonly name = 'ProtocolVersionError';
  readonly code = ErrorCode.ProtocolVersionMismatch;
  readonly clientVersion: string | undefined;
  readonly serverVersion: string | undefined;
  readonly minSupported: string | undefined;
  readonly maxSupported: string | undefined;

  constructor(refusal: VersionRefusal) {
    const { clientVersion, serverVersion, minSupported, maxSupported } = refusal;
    const range = minSupported === undefined ? '' : ` (it accepts ${minSupported} to ${maxSupported ?? '?'})`;
    super(
      `Protocol version mismatch: this client speaks ${clientVersion ?? 'an unknown version'}, the Server ${serverVersion ?? 'another one'}${range}. Use a client release for the Server's protocol version.`,
    );
    this.clientVersion = clientVersion;
    this.serverVersion = serverVersion;
    this.minSupported = minSupported;
    this.maxSupported = maxSupported;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asErrorPayload(value: unknown): ErrorPayload | undefined {
  if (!isRecord(value) || !Number.isInteger(value['code']) || value['content'] != null) return undefined;
  const { code, message } = value;
  return { ...value, code: code as number, message: typeof message === 'string' ? message : `Error ${String(code)}` };
}

/**
 * Reads an acknowledgement as an error: an object with an integer `code` at top level and no `content`. The wrapped
 * form `{ error: { code, … } }` that some peers send is accepted too. Protocol §5.2.
 *
 * @returns the flat payload, or `undefined` when the acknowledgement is not an error.
 */
export function readErrorAck(ack: unknown): ErrorPayload | undefined {
  const flat = asErrorPayload(ack);
  if (flat !== undefined) return flat;
  return isRecord(ack) && ack['content'] == null ? asErrorPayload(ack['error']) : undefined;
}
