import type { PromptInput } from '../../computer/index.js';
import type { McpServerInput } from '../../protocol/index.js';
import type { Asker, Question } from '../terminal/keyboard.js';
import { printable } from '../terminal/printable.js';

/** Asks the person at the terminal for the values of inputs. An empty line takes the default. Protocol §7.2. */
export function askInput(asker: Asker): PromptInput {
  return async (input, { signal }) => {
    for (let problem = ''; ;) {
      const typed = await asker.ask(questionOf(input, problem), signal);
      if (typed === undefined || typed === '') return undefined;
      if (input.type !== 'pickString') return typed;
      const chosen = chosenOf(input.options, typed.trim());
      if (chosen !== undefined) return chosen;
      problem = `There is no such choice. `;
    }
  };
}

function questionOf(input: McpServerInput, problem: string): Question {
  const name = printable(input.description === '' ? input.id : `${input.description} (${input.id})`);
  const hidden = input.type === 'promptString' && input.password === true;
  const fallback = input.type === 'command' || input.default == null ? '' : ` [${printable(asText(input.default))}]`;
  if (input.type !== 'pickString') return { about: problem, question: `${name}${fallback}: `, hidden };
  const options = input.options.map((option, index) => `  ${index + 1}. ${printable(asText(option))}`);
  return { about: `${problem}${name}\n${options.join('\n')}`, question: `Which one?${fallback} `, hidden };
}

function chosenOf<T>(options: readonly T[], typed: string): T | undefined {
  const exact = options.find((option) => asText(option) === typed);
  return exact ?? (/^\d+$/.test(typed) ? options[Number(typed) - 1] : undefined);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
