import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder of this program's configuration, by the customs of the system. */
function configFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(env['APPDATA'] ?? join(homedir(), 'AppData', 'Roaming'), 'a2c');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'a2c');
  const base = env['XDG_CONFIG_HOME'] ?? '';
  return join(base.startsWith('/') ? base : join(homedir(), '.config'), 'a2c');
}

/** Where the logins at MCP servers are kept, unless the user says otherwise. */
export function loginsFolder(env: NodeJS.ProcessEnv = process.env, platform = process.platform): string {
  return join(configFolder(env, platform), 'logins');
}
