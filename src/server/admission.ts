import type { Socket } from 'socket.io';
import { ErrorCode, ProtocolError, toErrorPayload, VERSION_QUERY_PARAMETER, type Logger } from '../protocol/index.js';
import {
  authenticate,
  readCredential,
  readDeclaredRole,
  type Authenticator,
  type CredentialSource,
} from './authenticator.js';
import { isOriginAllowed, type AllowedOrigins } from './origin.js';
import type { SessionOrigin } from './session.js';

/** What admission works with. */
export interface AdmissionOptions {
  readonly authenticator: Authenticator | undefined;
  readonly credential: CredentialSource;
  readonly authTimeoutMs: number;
  readonly corsOrigins: AllowedOrigins;
  readonly logger: Logger;
}

/**
 * Lets a connection in or not. A refused one gets CONNECT_ERROR `{ message, data: { code, message } }` and is closed.
 * Protocol §2.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #origins = new WeakMap<Socket, SessionOrigin>();
  /** Connections that are being judged: Socket.IO would let one in several times meanwhile. */
  readonly #judging = new WeakSet<Socket['conn']>();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** The namespace's middleware. */
  readonly middleware = (socket: Socket, next: (error?: Error) => void): void => {
    const { conn } = socket;
    if (this.#judging.has(conn)) {
      this.#refuse(socket, new ProtocolError(ErrorCode.BadRequest, 'Already connecting'), next);
      return;
    }
    this.#judging.add(conn);
    this.#admit(socket)
      .finally(() => this.#judging.delete(conn))
      .then(
        (origin) => {
          this.#origins.set(socket, origin);
          next();
        },
        (error: unknown) => {
          this.#refuse(socket, error, next);
        },
      );
  };

  /** What an admitted connection said about itself. */
  originOf(socket: Socket): SessionOrigin {
    return this.#origins.get(socket) ?? { a2cVersion: '', declaredRole: undefined };
  }

  async #admit(socket: Socket): Promise<SessionOrigin> {
    const { authenticator, credential, authTimeoutMs, corsOrigins } = this.#options;
    const { headers, query } = socket.handshake;
    const auth: Readonly<Record<string, unknown>> = socket.handshake.auth;
    if (!isOriginAllowed(corsOrigins, headers)) {
      throw new ProtocolError(ErrorCode.Forbidden, 'Origin not allowed: pages of that origin may not connect');
    }
    const declaredRole = readDeclaredRole(auth);
    const a2cVersion = String(query[VERSION_QUERY_PARAMETER]);
    if (authenticator !== undefined) {
      const token = readCredential(credential, { auth, headers });
      await authenticate(authenticator, { auth, headers, token, role: declaredRole, a2cVersion }, authTimeoutMs);
    }
    return { a2cVersion, declaredRole };
  }

  #refuse(socket: Socket, error: unknown, next: (error: Error) => void): void {
    const { logger } = this.#options;
    const { code, message } = toErrorPayload(error, (err) => {
      logger.error({ sid: socket.id, err }, 'Connection could not be judged');
    });
    // The cause's message is the application's and may hold the credential: only its kind is told.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined;
    logger.warn({ sid: socket.id, code, reason: message, cause }, 'Connection refused');
    next(Object.assign(new Error(message), { data: { code, message } }));
    // Socket.IO writes the refusal in the next tick; a closing connection takes it along.
    setImmediate(() => {
      socket.conn.close();
    });
  }
}
