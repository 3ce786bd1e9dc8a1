import type { ConfirmToolCall } from '../computer/index.js';
import { Keyboard, type KeyboardInput } from './keyboard.js';
import { printable } from './printable.js';
import type { Terminal } from './terminal.js';

/** What `--approve` and `--headless` say. */
export interface ApprovalFlags {
  readonly approve: 'ask' | 'always' | 'never';
  readonly headless: boolean;
}

/** How long an argument is shown, in characters. */
const SHOWN = 200;

/**
 * The confirmation of tool calls that the flags ask for; `undefined` where nobody can be asked, so that calls which need
 * confirmation are answered with 4005. Protocol §6.4.
 *
 * @param input - where answers are typed.
 */
export function approval(
  { approve, headless }: ApprovalFlags,
  terminal: Terminal,
  input: KeyboardInput = process.stdin,
): ConfirmToolCall | undefined {
  if (approve === 'always') return () => true;
  if (approve === 'never') return () => false;
  if (headless || !input.isTTY) return undefined;
  const keyboard = new Keyboard(input, terminal);
  // One question at a time: two would share one terminal.
  let last: Promise<unknown> = Promise.resolve();
  return (call, { signal }) => {
    const params = JSON.stringify(call.params);
    const shown = params.length > SHOWN ? `${params.slice(0, SHOWN)}…` : params;
    const [agent, tool, server] = [call.agent, call.exposedName, call.server].map((name) => JSON.stringify(name));
    const about = printable(`${agent} wants to call ${tool} of ${server} with ${shown}`);
    const answer = last.then(() => keyboard.ask({ about, question: 'Allow? [y/N] ' }, signal));
    last = answer.catch(() => undefined);
    return answer.then((typed) => /^\s*y(es)?\s*$/i.test(typed));
  };
}
