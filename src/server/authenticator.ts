import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { ErrorCode, ProtocolError, roleSchema, type Role } from '../protocol/index.js';

/** What a connection shows when it is opened. Never logged. */
export interface AuthRequest {
  /** What the client gave as `auth`. */
  readonly auth: Readonly<Record<string, unknown>>;
  /** The headers of the request that opened the connection. */
  readonly headers: IncomingHttpHeaders;
  /** The credential, from where {@link CredentialSource} says; undefined when it is not a string. */
  readonly token: string | undefined;
  /** `auth.role`, where it was sent. */
  readonly role: Role | undefined;
  /** The client's protocol version. */
  readonly a2cVersion: string;
}

/**
 * Decides whether a connection may be opened. It has less than a second: clients in other languages give up then.
 * Throwing refuses as well.
 */
export type Authenticator = (request: AuthRequest) => boolean | Promise<boolean>;

/** Where the credential stands: a field of `auth`, or a header (`Bearer ` in front of it is taken off). Protocol §2. */
export type CredentialSource = { readonly field: string } | { readonly header: string };

/** Lets in who shows this token; compares in constant time. */
export function tokenAuthenticator(token: string): Authenticator {
  // Digests have one length, whatever was sent, so that the comparison tells nothing of it.
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  const expected = digest(token);
  return (request) => request.token !== undefined && timingSafeEqual(digest(request.token), expected);
}

/**
 * `auth.role`: optional, but valid where it is present and not null. Protocol §2.
 *
 * @throws ProtocolError 400 when it is anything else.
 */
export function readDeclaredRole(auth: Readonly<Record<string, unknown>>): Role | undefined {
  const { role } = auth;
  if (role === undefined || role === null) return undefined;
  const parsed = roleSchema.safeParse(role);
  if (!parsed.success) throw new ProtocolError(ErrorCode.BadRequest, 'auth.role: expected "agent" or "computer"');
  return parsed.data;
}

/** Takes the credential from where it stands. */
export function readCredential(
  source: CredentialSource,
  request: Pick<AuthRequest, 'auth' | 'headers'>,
): string | undefined {
  if ('field' in source) {
    const value = Object.hasOwn(request.auth, source.field) ? request.auth[source.field] : undefined;
    return typeof value === 'string' ? value : undefined;
  }
  const value = request.headers[source.header.toLowerCase()];
  return typeof value === 'string' ? value.replace(/^Bearer +/i, '') : undefined;
}

/**
 * Asks an authenticator, for a bounded time.
 *
 * @param limitMs - how long it may take, in milliseconds.
 * @throws ProtocolError 401 when it refuses, throws or takes longer; the original error is its `cause`.
 */
export async function authenticate(authenticator: Authenticator, request: AuthRequest, limitMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`The authenticator took longer than ${limitMs} ms`));
    }, limitMs);
  });
  try {
    const asked = Promise.resolve().then(() => authenticator(request));
    // A truthy mistake of untyped code, such as an object, is not a yes.
    const verdict: unknown = await Promise.race([asked, expiry]);
    if (verdict !== true) throw new ProtocolError(ErrorCode.Unauthorized, 'Unauthorized');
  } catch (error) {
    if (error instanceof ProtocolError && error.code === ErrorCode.Unauthorized) throw error;
    throw Object.assign(new ProtocolError(ErrorCode.Unauthorized, 'Authentication failed'), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
