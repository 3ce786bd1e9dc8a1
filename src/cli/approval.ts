import type { ConfirmToolCall } from '../computer/index.js';
import type { Keyboard } from './keyboard.js';
import { printable } from './printable.js';

/** What `--approve` says. */
export type Approval = 'ask' | 'always' | 'never';

/** How long an argument is shown, in characters. */
const SHOWN = 200;

/**
 * The confirmation of tool calls that the flags ask for; `undefined` where nobody can be asked, so that calls which need
 * confirmation are answered with 4005. Protocol §6.4.
 *
 * @param keyboard - where answers are typed, if anybody can be asked.
 */
export function approval(approve: Approval, keyboard: Keyboard | undefined): ConfirmToolCall | undefined {
  if (approve === 'always') return () => true;
  if (approve === 'never') return () => false;
  if (keyboard === undefined) return undefined;
  return async (call, { signal }) => {
    const params = JSON.stringify(call.params);
    const shown = params.length > SHOWN ? `${params.slice(0, SHOWN)}…` : params;
    const [agent, tool, server] = [call.agent, call.exposedName, call.server].map((name) => JSON.stringify(name));
    const about = printable(`${agent} wants to call ${tool} of ${server} with ${shown}`);
    const typed = await keyboard.ask({ about, question: 'Allow? [y/N] ' }, signal);
    return /^\s*y(es)?\s*$/i.test(typed ?? '');
  };
}
