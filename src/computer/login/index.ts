export { FileTokenStore } from './file-token-store.js';
export { LoginError, type LoginFailure } from './login-error.js';
export { Logins } from './logins.js';
export { OAUTH_FIELDS } from './oauth-settings.js';
export { type LoginOptions } from './run-login.js';
export { openSystemBrowser } from './system-browser.js';
export {
  MemoryTokenStore,
  type LoginClient,
  type LoginTokens,
  type StopWatching,
  type StoredLogin,
  type TokenStore,
} from './token-store.js';
