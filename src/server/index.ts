export { Server } from './server.js';
export { SERVER_DEFAULTS, type ServerOptions } from './options.js';
export { type AllowedOrigins } from './origin.js';
export { ListenError, type ListeningAddress } from './http-host.js';
export { tokenAuthenticator, type Authenticator, type AuthRequest, type CredentialSource } from './authenticator.js';
export {
  MemoryOfficeRegistry,
  type Awaitable,
  type JoinOutcome,
  type JoinRefusal,
  type Member,
  type OfficeRegistry,
} from './office-registry.js';
export { type TimerHandle, type Timers } from './timers.js';
