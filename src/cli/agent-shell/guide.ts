import { shellWord } from '../terminal/shell-word.js';
import { quoteWord } from '../shell/split-line.js';

/** How a command about a Computer is written where the person is: the next thing to type. */
export interface Guide {
  /**
   * @param words - what follows the Computer, as it is typed.
   */
  command(verb: string, computer?: string, words?: string): string;
}

/** In a shell of the system. */
export const COMMAND_LINE: Guide = {
  command: (verb, computer, words) =>
    joined('a2c agent', verb, computer === undefined ? undefined : shellWord(computer), words),
};

/** In the shell of the Agent, which has a Computer in use. */
export function shellGuide(used: () => string | undefined): Guide {
  return {
    command: (verb, computer, words) => {
      const other = computer === undefined || computer === used() ? undefined : `--computer ${quoteWord(computer)}`;
      return joined(verb, words, other);
    },
  };
}

function joined(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== '').join(' ');
}
