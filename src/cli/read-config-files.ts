import { readFile } from 'node:fs/promises';
import type { ComputerConfig } from '../computer/index.js';
import { UsageError } from './failure.js';

/**
 * Reads configuration files and merges them, later ones over earlier ones.
 *
 * @throws UsageError when one cannot be read; ConfigError when one is wrong.
 */
export async function readConfigFiles(files: readonly string[]): Promise<ComputerConfig> {
  const { mergeConfigs, parseConfig } = await import('../computer/index.js');
  const configs: ComputerConfig[] = [];
  for (const file of files) configs.push(parseConfig(await read(file), { file }));
  return mergeConfigs(configs);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(code === 'ENOENT' ? `${file}: there is no such file` : `${file}: cannot be read: ${message}`);
  }
}
