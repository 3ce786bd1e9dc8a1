/** Why a login did not come about. */
export type LoginFailure =
  /** The server is not reached over HTTP, or brings its own credentials. */
  | 'not-possible'
  /** The server does not say where to log in, or in a way that this Computer does not understand or trust. */
  | 'not-offered'
  /** The authorization server does not register clients by itself, or refused to. */
  | 'not-registered'
  /** The person, or the authorization server, said no. */
  | 'denied'
  /** Nobody finished it in time. */
  | 'timeout'
  | 'cancelled'
  /** The authorization server failed, or could not be reached. */
  | 'unreachable';

/** A login did not come about. Its message holds no code, token, verifier, state or secret. */
export class LoginError extends Error {
  override readonly name = 'LoginError';
  readonly failure: LoginFailure;

  constructor(failure: LoginFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}
