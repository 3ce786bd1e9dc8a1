import { createInterface } from 'node:readline/promises';
import type { ConfirmToolCall } from '../computer/index.js';
import { printable } from './printable.js';

/** What `--approve` and `--headless` say. */
export interface ApprovalFlags {
  readonly approve: 'ask' | 'always' | 'never';
  readonly headless: boolean;
}

/** How long an argument is shown, in characters. */
const SHOWN = 200;

/**
 * The confirmation callback that the flags ask for; `undefined` where nobody can be asked: the call is then refused
 * with the text of the FAQ. Protocol §6.4.
 */
export function approval({ approve, headless }: ApprovalFlags): ConfirmToolCall | undefined {
  if (approve === 'always') return () => true;
  if (approve === 'never') return () => false;
  if (headless || !process.stdin.isTTY) return undefined;
  // One question at a time: two would share one terminal.
  let last: Promise<unknown> = Promise.resolve();
  return (call, { signal }) => {
    const params = JSON.stringify(call.params);
    const shown = params.length > SHOWN ? `${params.slice(0, SHOWN)}…` : params;
    const [agent, tool, server] = [call.agent, call.exposedName, call.server].map((name) => JSON.stringify(name));
    const question = printable(`${agent} wants to call ${tool} of ${server} with ${shown}\nAllow? [y/N] `);
    const answer = last.then(() => ask(question, signal));
    last = answer.catch(() => undefined);
    return answer;
  };
}

async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^\s*y(es)?\s*$/i.test(await prompt.question(question, { signal }));
  } finally {
    prompt.close();
  }
}
