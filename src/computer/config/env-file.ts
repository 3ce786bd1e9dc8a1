import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import type { McpServerConfig } from '../../protocol/index.js';
import { ConfigError } from './config-error.js';
import { fieldPath } from './field-path.js';
import { parseEnvFile } from './parse-env-file.js';

/** No list of variables is longer, and a system takes no longer one. */
const MAX_BYTES = 1024 * 1024;

/**
 * Where an `envFile`, or another file that a configuration names, is: relative to the folder of the configuration file,
 * or to the working directory when there is none. VS Code's `${workspaceFolder}` is that folder too, or the one around
 * `.vscode`; `${userHome}`, and a `~` at the beginning, is the user's.
 * A path that begins with another placeholder has to be absolute once that is filled in, and stays as it is.
 */
export function envFilePath(written: string, file: string | undefined): string {
  const folder = file === undefined ? resolve() : dirname(resolve(file));
  const workspace = basename(folder) === '.vscode' ? dirname(folder) : folder;
  const path = written
    .replace(/^~(?=$|[/\\])/, () => homedir())
    .replaceAll('${workspaceFolder}', () => workspace)
    .replaceAll('${userHome}', () => homedir());
  return path.startsWith('${') ? path : resolve(folder, path);
}

/**
 * Reads the `envFile` of a rendered configuration, if it has one, and puts its variables under those of `env`. To be
 * called at every start: the file counts as it is then.
 *
 * @returns the configuration with all variables in `env`, which makes secrets of their values; the same object when
 * there is nothing to read.
 * @throws ConfigError naming field, path and line when the file cannot be read.
 */
export async function withEnvFile(config: McpServerConfig): Promise<McpServerConfig> {
  if (config.type !== 'stdio') return config;
  const { name, server_parameters: parameters } = config;
  const path = parameters['envFile'];
  if (path === undefined || path === null) return config;
  const fail = (problem: string): never => {
    throw new ConfigError(problem, { field: fieldPath('servers', name, 'envFile') });
  };
  if (typeof path !== 'string' || !isAbsolute(path))
    return fail('expected an absolute path once its inputs are filled in');
  const variables = parse(await read(path, fail), path, fail);
  // Not a spread into an object: a variable may be called `__proto__`.
  const env = Object.fromEntries([...variables, ...Object.entries(parameters.env ?? {})]);
  return { ...config, server_parameters: { ...parameters, env } };
}

function parse(text: string, path: string, fail: (problem: string) => never): ReadonlyMap<string, string> {
  try {
    return parseEnvFile(text);
  } catch (error) {
    if (error instanceof ConfigError) return fail(`${path}, ${error.message}`);
    throw error;
  }
}

async function read(path: string, fail: (problem: string) => never): Promise<string> {
  try {
    // Without O_NONBLOCK, which Windows does not have, opening a named pipe would wait for somebody to write to it.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) return fail(`${path} is not a file`);
      if (found.size > MAX_BYTES) return fail(`${path} is larger than 1 MiB`);
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    return fail(code === 'ENOENT' ? `there is no file ${path}` : `${path} cannot be read (${code ?? 'unknown error'})`);
  }
}
