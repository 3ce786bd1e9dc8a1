import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { UsageError } from '../failure.js';
import { toggle } from '../flags/flags.js';
import { printable } from '../terminal/printable.js';
import { expandHome } from '../shell/complete-path.js';
import { assertFree, writeWhole } from '../write-whole.js';
import { define, type ComputerContext } from './computer-context.js';
import { configurationEdits } from './configuration-edits.js';

const save = define({
  path: 'save',
  summary: 'Write what you changed to the configuration file, or the whole configuration to another one',
  args: [
    {
      name: 'FILE',
      help: 'the file; the configuration file itself when left out',
      optional: true,
      completes: ['file'],
    },
  ],
  flags: { force: toggle('also where there is such a file already') },
  examples: ['save', 'save ~/mine.json'],
  run: async ({ context, args: [file], flags, show }) => {
    const files =
      file === undefined ? await saveChanges(context) : await saveAs(context, expandHome(file), flags.force);
    show({ files }, (terminal) => {
      if (files.length === 0) terminal.note('nothing is different from the configuration file');
      for (const written of files) terminal.line(printable(`written: ${written}`));
    });
  },
});

async function saveChanges({ computer, files }: ComputerContext): Promise<string[]> {
  if (files.length === 0)
    throw new UsageError('FILE is missing: this Computer was started without a configuration file');
  const { editConfigFile } = await import('../../computer/index.js');
  const edits = await configurationEdits(computer, files);
  const written: string[] = [];
  for (const [index, file] of files.entries()) {
    if (await editConfigFile(file, edits[index] ?? [])) written.push(file);
  }
  return written;
}

async function saveAs(context: ComputerContext, file: string, force: boolean): Promise<string[]> {
  if (context.files.some((own) => resolve(own) === resolve(file))) return saveChanges(context);
  if (!force) await assertFree(file);
  const text = Buffer.from(context.computer.configurationText());
  // It may hold secrets in the clear.
  await writeWhole(file, Readable.from([text]), { replace: force, mode: 0o600 });
  return [file];
}

/** What keeps the configuration. */
export const SAVE_COMMANDS = [save];
