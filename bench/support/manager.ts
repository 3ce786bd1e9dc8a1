import { McpServerManager, type McpServerManagerOptions } from '../../src/computer/mcp/mcp-server-manager.js';
import { Redactor } from '../../src/computer/redactor.js';
import { silentLogger, type McpServerConfig } from '../../src/protocol/index.js';

/** A manager as a Computer has it, with some secrets to look for. */
export function newManager(options: Partial<McpServerManagerOptions> = {}): McpServerManager {
  const redactor = new Redactor();
  for (const secret of ['sk-live-0123456789', 'pässwörd', 'a much longer secret phrase']) redactor.add(secret);
  return new McpServerManager({
    render: (config) => Promise.resolve(config),
    logger: silentLogger,
    redact: (text) => redactor.redact(text),
    clientInfo: { name: 'bench', version: '1' },
    ...options,
  });
}

/** Starts these servers. @throws Error when one of them does not run. */
export async function startAll(manager: McpServerManager, configs: readonly McpServerConfig[]): Promise<void> {
  await manager.setServers(configs.map((config) => ({ config })));
  const lame = [...manager.states()].filter(([, { state }]) => state !== 'running');
  if (lame.length > 0) throw new Error(`Not all servers run: ${JSON.stringify(lame)}`);
}
