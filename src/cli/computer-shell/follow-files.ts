import type { Computer, ComputerConfig, ConfigWatcher } from '../../computer/index.js';
import { excerptOf } from '../describe-failure.js';
import { printable } from '../terminal/printable.js';
import type { Terminal } from '../terminal/terminal.js';
import { mergeChange } from './merge-change.js';

/** What {@link followFiles} works with. */
export interface FollowFilesOptions {
  readonly parseConfig: (text: string) => ComputerConfig;
  readonly terminal: Terminal;
}

/** Takes what changes in the configuration files while the Computer runs, until disposed. */
export function followFiles(
  files: ConfigWatcher,
  computer: Computer,
  { parseConfig, terminal }: FollowFilesOptions,
): Disposable {
  let isOver = false;
  let before = files.config;
  const stops = [
    files.on('changed', (after) => {
      // What the owner did in the shell and has not saved yet stays.
      const current = parseConfig(computer.configurationText());
      const config = before === undefined ? after : mergeChange(current, { before, after });
      before = after;
      computer.setConfig(config).catch((error: unknown) => {
        if (!isOver) terminal.error((error as Error).message);
      });
    }),
    files.on('problem', (problem) => {
      terminal.note(`${problem.message}; the last configuration stays in force`);
      const excerpt = excerptOf(problem);
      if (excerpt !== undefined) terminal.note(printable(excerpt));
    }),
  ];
  return {
    [Symbol.dispose]: () => {
      isOver = true;
      for (const stop of stops) stop();
    },
  };
}
