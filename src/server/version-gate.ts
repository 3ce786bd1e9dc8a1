import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  ErrorCode,
  isCompatible,
  parseVersion,
  profileVersion,
  VERSION_QUERY_PARAMETER,
  type ErrorPayload,
  type ProtocolProfile,
} from '../protocol/index.js';

/** The header that marks a 4008 answer, for clients that cannot read the body. Protocol §2.1. */
export const ERROR_CODE_HEADER = 'X-A2C-Error-Code';

/** How much of a broken version is shown in the answer, in characters. Protocol §2.1. */
const SHOWN_VERSION_LENGTH = 64;

/** Judges the versions in a URL query. @returns the body of the refusal, undefined for a version that fits. */
export type VersionCheck = (given: readonly string[]) => ErrorPayload | undefined;

/**
 * The rules of Protocol §2.1 for the version of a profile.
 *
 * @throws TypeError when the profile's version is not `MAJOR.MINOR.PATCH`.
 */
export function versionCheck(profile: ProtocolProfile): VersionCheck {
  const { version: server, range } = profileVersion(profile);
  return (given) => {
    const [value = ''] = given;
    if (given.length > 1) return invalid('given more than once');
    if (value === '')
      return { code: ErrorCode.BadRequest, message: `Missing ${VERSION_QUERY_PARAMETER} query parameter` };
    const client = parseVersion(value);
    if (client === undefined) return invalid(Array.from(value).slice(0, SHOWN_VERSION_LENGTH).join(''));
    if (isCompatible(client, server)) return undefined;
    return {
      code: ErrorCode.ProtocolVersionMismatch,
      message: 'Protocol version mismatch',
      server_version: profile.version,
      client_version: value,
      min_supported: range.min,
      max_supported: range.max,
    };
  };
}

function invalid(shown: string): ErrorPayload {
  return { code: ErrorCode.BadRequest, message: `Invalid ${VERSION_QUERY_PARAMETER}: ${shown}` };
}

/** A request as Engine.IO prepares it. */
type EngineRequest = IncomingMessage & { readonly _query?: Readonly<Record<string, unknown>> };

/**
 * The version check as an Engine.IO middleware. Engine.IO runs its middlewares for every request and every upgrade
 * before it opens a session, so no transport gets around it and nothing an application registers can disable it.
 *
 * @param check - judges the version.
 * @param onRefused - gets the body of each refusal, for the log.
 */
export function versionGate(
  check: VersionCheck,
  onRefused: (body: ErrorPayload) => void,
): (request: EngineRequest, response: unknown, next: () => void) => void {
  return (request, response, next) => {
    // The requests of a session that is open were judged when it was opened.
    if (isPresent(request._query?.['sid'])) {
      next();
      return;
    }
    // `searchParams` and not Engine.IO's `_query`, which keeps only the last of several values.
    const given = new URL(request.url ?? '', 'http://localhost').searchParams.getAll(VERSION_QUERY_PARAMETER);
    const body = check(given);
    if (body === undefined) {
      next();
      return;
    }
    onRefused(body);
    if (response instanceof ServerResponse) refuseRequest(request, response as ServerResponse, body);
    else refuseUpgrade(request.socket, body);
  };
}

function isPresent(sid: unknown): boolean {
  return sid !== undefined && sid !== '';
}

function headersOf(body: ErrorPayload, text: string): Record<string, string> {
  return {
    Connection: 'close',
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(text)),
    ...(body.code === ErrorCode.ProtocolVersionMismatch ? { [ERROR_CODE_HEADER]: String(body.code) } : {}),
  };
}

/** Headers and body leave in one write: some clients close before they read a second one. */
function refuseRequest(request: IncomingMessage, response: ServerResponse, body: ErrorPayload): void {
  const text = JSON.stringify(body);
  request.resume();
  response.writeHead(400, headersOf(body, text)).end(text);
}

/** For an upgrade, Engine.IO's response object throws everything away and destroys the socket. */
function refuseUpgrade(socket: Duplex, body: ErrorPayload): void {
  const text = JSON.stringify(body);
  const head = Object.entries(headersOf(body, text)).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${head.join('')}\r\n${text}`);
}
