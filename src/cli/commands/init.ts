import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import type { Invocation } from '../command.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { defaultConfigFile } from '../places.js';
import { shellWord } from '../terminal/shell-word.js';
import { STARTER_CONFIG } from './starter-config.js';
import { assertFree, writeWhole } from '../write-whole.js';
import type { INIT_FLAGS } from '../flags/setup-flags.js';

/** People write tokens into such files, whatever they are told: nobody else is to read them. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** `a2c init` */
export async function runInit({ args, flags, terminal }: Invocation<typeof INIT_FLAGS>): Promise<ExitCode> {
  const file = args[0] ?? defaultConfigFile();
  await write(file, flags.force);
  const next = [
    `a2c config check ${shellWord(file)}`,
    `a2c computer run ${shellWord(file)}`,
    `a2c computer run ${shellWord(file)} --server http://127.0.0.1:8000 --office demo`,
  ];
  if (flags.json) {
    terminal.json({ file, next });
    return EXIT_CODES.ok;
  }
  terminal.line(`wrote ${file}, which only you can read`);
  terminal.line();
  terminal.line('Next:');
  const [check = '', host = '', serve = ''] = next;
  terminal.line(`  ${check}    # what it means on this machine`);
  terminal.line(`  ${host}    # host its servers`);
  terminal.line(`  ${serve}    # and serve them to an office`);
  terminal.line('  a2c import    # take over the servers of other MCP hosts on this machine');
  return EXIT_CODES.ok;
}

async function write(file: string, replace: boolean): Promise<void> {
  if (!replace) await assertFree(file);
  try {
    await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    throw new CommandError(`Cannot write ${file}: ${(error as Error).message}`);
  }
  await writeWhole(file, Readable.from([Buffer.from(STARTER_CONFIG)]), { replace, mode: FILE_MODE });
}
