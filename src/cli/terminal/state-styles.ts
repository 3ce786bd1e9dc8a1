import type { ServerState } from '../../computer/index.js';
import type { Style } from './terminal.js';

/** How the states of MCP servers are coloured, everywhere; others are dim. */
export const STATE_STYLES: Readonly<Partial<Record<ServerState, Style>>> = {
  running: 'green',
  degraded: 'yellow',
  'needs-input': 'yellow',
  'needs-login': 'yellow',
  'backing-off': 'yellow',
  failed: 'red',
  'crash-loop': 'red',
};
