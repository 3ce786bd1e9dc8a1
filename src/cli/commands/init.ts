import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { defineCommand } from '../command.js';
import { EXIT_CODES } from '../exit-codes.js';
import { CommandError } from '../failure.js';
import { toggle } from '../flags.js';
import { defaultConfigFile } from '../places.js';
import { shellWord } from '../shell-word.js';
import { STARTER_CONFIG } from '../starter-config.js';
import { assertFree, writeWhole } from '../write-whole.js';

/** People write tokens into such files, whatever they are told: nobody else is to read them. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** `a2c init` */
export const initCommand = defineCommand({
  path: 'init',
  summary: 'Write a configuration to begin with, explained in comments',
  args: [
    { name: 'FILE', help: 'where it is written; the file that a Computer reads by default otherwise', optional: true },
  ],
  flags: {
    force: toggle('replace a file that is there'),
    json: toggle('print one line of JSON'),
  },
  examples: ['a2c init', 'a2c init mcp.json && a2c computer run mcp.json'],
  run: async ({ args, flags, terminal }) => {
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
  },
});

async function write(file: string, replace: boolean): Promise<void> {
  if (!replace) await assertFree(file);
  try {
    await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    throw new CommandError(`Cannot write ${file}: ${(error as Error).message}`);
  }
  await writeWhole(file, Readable.from([Buffer.from(STARTER_CONFIG)]), { replace, mode: FILE_MODE });
}
