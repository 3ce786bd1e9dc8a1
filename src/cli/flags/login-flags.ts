import type { ComputerOptions } from '../../computer/index.js';
import { text, type FlagValues } from './flags.js';
import { browserOf } from '../terminal/open-browser.js';
import { loginsFolder } from '../places.js';

/** The flags of what may log in at an MCP server. */
export const LOGIN_FLAGS = {
  logins: text('DIR', 'where logins at MCP servers are kept; a folder of your own configuration by default', {
    env: 'A2C_LOGINS',
  }),
} as const;

/** The options of a Computer that keeps its logins where these flags say. */
export async function loginOptions(
  flags: FlagValues<typeof LOGIN_FLAGS>,
): Promise<Pick<ComputerOptions, 'tokenStore' | 'openBrowser'>> {
  const { FileTokenStore } = await import('../../computer/index.js');
  const openBrowser = browserOf();
  const tokenStore = new FileTokenStore(flags.logins ?? loginsFolder());
  return openBrowser === undefined ? { tokenStore } : { tokenStore, openBrowser };
}
