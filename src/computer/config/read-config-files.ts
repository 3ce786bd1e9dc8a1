import { readFile } from 'node:fs/promises';
import { ConfigError } from './config-error.js';
import { mergeConfigs, parseConfig, type ComputerConfig } from './parse-config.js';

/**
 * Reads one configuration file.
 *
 * @throws ConfigError naming file and field, also when the file is not there or cannot be read.
 */
export async function readConfigFile(file: string): Promise<ComputerConfig> {
  return parseConfig(await read(file), { file });
}

/**
 * Reads several configuration files and merges them, later ones over earlier ones. Protocol §7.2.
 *
 * @throws ConfigError as {@link readConfigFile}, and when they do not go together.
 */
export async function readConfigFiles(files: readonly string[]): Promise<ComputerConfig> {
  const configs: ComputerConfig[] = [];
  for (const file of files) configs.push(await readConfigFile(file));
  return mergeConfigs(configs);
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const problem = code === 'ENOENT' ? 'there is no such file' : `cannot be read (${code ?? 'unknown error'})`;
    throw new ConfigError(problem, { field: '', file });
  }
}
