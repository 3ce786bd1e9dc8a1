import { ErrorCode, isJsonObject, ProtocolVersionError, type JsonObject } from '../protocol/index.js';
import { ConnectionError } from './errors.js';
import { describeCode } from './tls-problem.js';

/** What a failed attempt to connect means. */
export interface Refusal {
  readonly error: ConnectionError | ProtocolVersionError;
  /** Whether the Server itself said no, so that trying again with the same credentials would not help. */
  readonly final: boolean;
}

/** What no Server answers: without TLS, requests go to the proxy itself, and its answers look like those of the Server. */
const PROXY_AUTHENTICATION_REQUIRED = 407;

const VERSION_HEADER = 'x-a2c-error-code';

/**
 * Reads why a connection could not be made. To be called inside the `connect_error` listener itself: one microtask
 * later the response's body and headers are gone. Protocol §2.2.
 *
 * @param error - what Socket.IO gave to `connect_error`.
 * @param where - the Server's address, for the message.
 * @param clientVersion - the version that this client speaks.
 * @param onTheWay - what is known to have gone wrong on the way to the Server.
 */
export function readRefusal(error: unknown, where: string, clientVersion: string, onTheWay?: string): Refusal {
  // Socket.IO sets `data` on a rejection by the namespace, also when there is none, and on nothing else.
  if (error instanceof Error && 'data' in error) return rejectedByServer(error, error.data, where);
  const description = field(error, 'description');
  const context = field(error, 'context');
  const body = parseBody(readSafely(() => bodyOf(context)));
  const header = readSafely(() => headerOf(context));
  if (body?.['code'] === ErrorCode.ProtocolVersionMismatch || isMismatchHeader(header, body)) {
    return { error: versionError(body, clientVersion), final: true };
  }
  if (onTheWay !== undefined) return { error: cannotConnect(where, onTheWay), final: false };
  return failedTransport(error, body, { where, status: statusOf(description, context) });
}

/** The Server's CONNECT_ERROR: `{ message, data: { code, message } }`. Protocol §2. */
function rejectedByServer(error: Error, data: unknown, where: string): Refusal {
  const code = field(data, 'code');
  const message = text(field(data, 'message')) ?? text(error.message) ?? 'no reason given';
  return {
    error: new ConnectionError(`The Server at ${where} refused the connection: ${message}`, {
      data,
      ...(Number.isInteger(code) ? { code: code as number } : {}),
    }),
    final: true,
  };
}

function failedTransport(
  error: unknown,
  body: JsonObject | undefined,
  at: { readonly where: string; readonly status: number | undefined },
): Refusal {
  if (at.status === PROXY_AUTHENTICATION_REQUIRED) {
    const problem = `the proxy on the way wants other credentials: HTTP status ${at.status}`;
    return { error: cannotConnect(at.where, problem), final: false };
  }
  const reason = text(body?.['message']);
  const code = body?.['code'];
  // Engine.IO's own refusals carry small codes (1: session unknown); a proxy's carry none.
  if (code === ErrorCode.BadRequest && reason !== undefined) {
    const refused = `The Server at ${at.where} refused the connection: ${reason}`;
    return { error: new ConnectionError(refused, { code, data: body }), final: true };
  }
  const systemCode = systemError(error);
  const cause =
    systemCode === undefined ? (text(field(error, 'message')) ?? 'unknown reason') : describeCode(systemCode);
  const status = at.status === undefined ? '' : `HTTP status ${at.status}`;
  // Without a cause: the transport's error holds the whole request, its headers too.
  const why = [status, reason ?? (status === '' ? cause : '')].filter((part) => part !== '').join(', ');
  return { error: cannotConnect(at.where, why, body), final: false };
}

function cannotConnect(where: string, why: string, data?: unknown): ConnectionError {
  return new ConnectionError(`Cannot connect to the Server at ${where}: ${why}`, { data });
}

function versionError(body: JsonObject | undefined, clientVersion: string): ProtocolVersionError {
  const [own, server, min, max] = ['client_version', 'server_version', 'min_supported', 'max_supported'].map((name) =>
    text(body?.[name]),
  );
  // Without a body every field stays undefined, as the protocol says; with one, the client's version is known anyway.
  return new ProtocolVersionError({
    ...(body === undefined ? {} : { clientVersion: own ?? clientVersion }),
    ...(server === undefined ? {} : { serverVersion: server }),
    ...(min === undefined ? {} : { minSupported: min }),
    ...(max === undefined ? {} : { maxSupported: max }),
  });
}

// The header decides only where the body does not say anything else.
function isMismatchHeader(header: unknown, body: JsonObject | undefined): boolean {
  return Number(header) === ErrorCode.ProtocolVersionMismatch && body?.['code'] === undefined;
}

/** An XMLHttpRequest carries `responseText` or `response`; a refused WebSocket what its transport collected. */
function bodyOf(context: unknown): unknown {
  return field(context, 'responseText') ?? field(context, 'response') ?? field(context, 'body');
}

/** An XMLHttpRequest has `getResponseHeader`, a fetch Response `headers.get`, a refused WebSocket plain headers. */
function headerOf(context: unknown): unknown {
  const read = field(context, 'getResponseHeader');
  if (typeof read === 'function') return Reflect.apply(read, context, [VERSION_HEADER]);
  const headers = field(context, 'headers');
  const get = field(headers, 'get');
  return typeof get === 'function' ? Reflect.apply(get, headers, [VERSION_HEADER]) : field(headers, VERSION_HEADER);
}

function parseBody(body: unknown): JsonObject | undefined {
  if (typeof body === 'string') {
    const parsed = readSafely(() => JSON.parse(body) as unknown);
    return isJsonObject(parsed) ? parsed : undefined;
  }
  if (body instanceof ArrayBuffer) return parseBody(new Uint8Array(body));
  if (body instanceof Uint8Array) return parseBody(new TextDecoder().decode(body));
  return isJsonObject(body) ? body : undefined;
}

function statusOf(description: unknown, context: unknown): number | undefined {
  const status = typeof description === 'number' ? description : field(context, 'status');
  return typeof status === 'number' && status > 0 ? status : undefined;
}

/** Node's own word for it (ECONNREFUSED, ENOTFOUND …), where there is one. */
function systemError(error: unknown): string | undefined {
  const places = [field(field(error, 'context'), 'statusText'), field(field(error, 'description'), 'error'), error];
  return places.map((place) => text(field(place, 'code'))).find((code) => code !== undefined);
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as JsonObject)[name] : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function readSafely<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
