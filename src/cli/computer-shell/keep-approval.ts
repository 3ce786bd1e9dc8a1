import type { CallToConfirm, Computer } from '../../computer/index.js';

/**
 * Keeps that a tool needs no confirmation any more: in the Computer, and in the configuration file that its server is
 * in, where the one that wins has it.
 *
 * @throws Error when it holds only until the Computer ends.
 */
export async function keepApproval(
  computer: Computer,
  files: readonly string[],
  { server, tool }: Pick<CallToConfirm, 'server' | 'tool'>,
): Promise<void> {
  const { editConfigFile, pathOfServer, readConfigFiles } = await import('../../computer/index.js');
  await computer.setToolMeta(server, tool, { auto_apply: true });
  for (const file of [...files].reverse()) {
    if (!(await readConfigFiles([file])).servers.has(server)) continue;
    await editConfigFile(file, (document) => {
      const path = pathOfServer(document, server);
      return path === undefined ? [] : [{ path: [...path, 'tool_meta', tool, 'auto_apply'], value: true }];
    });
    return;
  }
  throw new Error(`"${server}" is in no configuration file; save FILE writes one`);
}
