/** What is known about why a connection failed. */
export interface ConnectionErrorInfo {
  /** The protocol's code (401, 400 …), when the Server said one. */
  readonly code?: number;
  /** What the Server sent along, as it came. */
  readonly data?: unknown;
  readonly cause?: unknown;
}

/** There is no connection to the Server: it could not be made, was refused, or has gone. Never crosses the wire. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** The protocol's code, when the Server said one: 401 for refused credentials. Protocol §2. */
  readonly code: number | undefined;
  /** What the Server sent along, as it came. */
  readonly data: unknown;

  constructor(message: string, info: ConnectionErrorInfo = {}) {
    super(message, info.cause === undefined ? undefined : { cause: info.cause });
    this.code = info.code;
    this.data = info.data;
  }
}

/** The Server refused a join. Protocol §3.2. */
export class JoinRefusedError extends Error {
  override readonly name = 'JoinRefusedError';
  /** The code that the reason ends with: 4101 (the office has an Agent), 403 (the name is taken) … */
  readonly code: number | undefined;
  /** The Server's sentence. */
  readonly reason: string;

  constructor(officeId: string, reason: string, code?: number) {
    super(`Could not join office "${officeId}": ${reason}`);
    this.reason = reason;
    this.code = code;
  }
}

/** No answer came within the time that the caller allowed. */
export class RequestTimeoutError extends Error {
  override readonly name = 'RequestTimeoutError';
  readonly event: string;
  /** How long the wait was, in milliseconds. */
  readonly timeoutMs: number;

  constructor(event: string, timeoutMs: number) {
    super(`No answer to ${event} within ${timeoutMs} ms`);
    this.event = event;
    this.timeoutMs = timeoutMs;
  }
}

/** A packet is larger than the Server accepts. It was not sent: it would have ended the connection. Protocol §5.2. */
export class PacketTooLargeError extends Error {
  override readonly name = 'PacketTooLargeError';
  readonly event: string;
  /** The size of the packet, in bytes. */
  readonly size: number;
  /** The largest size that is accepted, in bytes. */
  readonly limit: number;

  constructor(event: string, size: number, limit: number) {
    super(`${event} is ${size} bytes large, the limit is ${limit}; send less, or pass a reference`);
    this.event = event;
    this.size = size;
    this.limit = limit;
  }
}

/** A payload that has no form on the wire: a cycle, a BigInt, or nested too deep. It was not sent. Protocol §3. */
export class UnsendablePayloadError extends Error {
  override readonly name = 'UnsendablePayloadError';
  readonly event: string;

  constructor(event: string, why: string, cause?: unknown) {
    super(`${event} cannot be sent: ${why}`, cause === undefined ? undefined : { cause });
    this.event = event;
  }
}
