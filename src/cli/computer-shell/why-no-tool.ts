import type { Computer, ToolExplanation } from '../../computer/index.js';
import { quoteWord } from '../shell/split-line.js';

type Sentence = (tool: string, explanation: ToolExplanation) => string;

/** What to say, and what to type next, by why a tool cannot be called. */
const SENTENCES: Readonly<Record<ToolExplanation['cause'], Sentence>> = {
  forbidden: (tool, { server = '' }) =>
    `"${tool}" is in forbidden_tools of "${server}"; server edit ${quoteWord(server)} takes it out`,
  renamed: (_tool, { exposedAs = '' }) => `it has an alias: call it as ${quoteWord(exposedAs)}`,
  'server-down': (tool, { server = '', state = 'stopped' }) =>
    `"${tool}" is a tool of "${server}", which is ${state}: ${nextFor(server, state)}`,
  conflict: (tool, { server = '', exposedAs = tool }) =>
    `"${exposedAs}" of "${server}" has the name of a tool of an earlier MCP server; give it an alias: tool_meta.${tool}.alias in server edit ${quoteWord(server)}`,
  unknown: (tool, { near = [], down = [] }) => {
    const isNot = `there is no tool "${tool}"`;
    const first = near[0] === undefined ? isNot : `${isNot}; did you mean "${near[0]}"?`;
    const states = down.map(({ server, state }) => `"${server}" is ${state}`).join(', ');
    if (states !== '') return `${first}${near.length === 0 ? ';' : ''} ${states}, status says why`;
    return near.length === 0 ? `${first}; tools lists them` : first;
  },
};

/** What helps a server on, by its state. */
function nextFor(server: string, state: NonNullable<ToolExplanation['state']>): string {
  const word = quoteWord(server);
  if (state === 'disabled') return `enable ${word}`;
  if (state === 'needs-login') return `login ${word}`;
  if (state === 'needs-input') return 'inputs list, then inputs value set';
  if (state === 'starting' || state === 'backing-off') return 'it is being started; status shows when it is there';
  return state === 'stopped' ? `start ${word}` : `logs ${word} says why, restart ${word} tries again`;
}

/** Why a tool cannot be called, and what to do about it. */
export function whyNoTool(computer: Computer, tool: string): string {
  const explanation = computer.explainTool(tool) ?? { cause: 'unknown' };
  return SENTENCES[explanation.cause](tool, explanation);
}
