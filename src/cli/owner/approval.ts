import type { CallToConfirm, ConfirmToolCall } from '../../computer/index.js';
import type { Asker } from '../terminal/keyboard.js';
import { printable } from '../terminal/printable.js';
import { shownParams } from './shown-params.js';

/** What `--approve` says. */
export type Approval = 'ask' | 'always' | 'never';

/** What a person may do beside answering once. */
export interface ApprovalOptions {
  /** Where answers are typed, if anybody can be asked. */
  readonly asker: Asker | undefined;
  /** What may be shown of the arguments. */
  readonly redact: (value: unknown) => unknown;
  /** Keeps that a tool needs no confirmation any more; absent: there is no configuration to keep it in. */
  readonly always?: (call: CallToConfirm) => Promise<void>;
  /** Tells the person, who may be looking elsewhere, that there is a question. */
  readonly notify?: (text: string) => void;
  /** Gets why an answer could not be kept. */
  readonly onProblem: (problem: string) => void;
  /** The time, in ms. */
  readonly now?: () => number;
}

type Verdict = 'once' | 'session' | 'always' | 'no';

/** What is typed, by what it means; anything else is asked again. */
const ANSWERS: ReadonlyMap<string, Verdict> = new Map([
  ['y', 'once'],
  ['yes', 'once'],
  ['once', 'once'],
  ['s', 'session'],
  ['session', 'session'],
  ['a', 'always'],
  ['always', 'always'],
  ['n', 'no'],
  ['no', 'no'],
  ['', 'no'],
]);

/**
 * The confirmation of tool calls that the flags ask for; `undefined` where nobody can be asked, so that calls which need
 * confirmation are answered with 4005. Protocol §6.4.
 */
export function approval(approve: Approval, options: ApprovalOptions): ConfirmToolCall | undefined {
  if (approve === 'always') return () => true;
  if (approve === 'never') return () => false;
  const { asker } = options;
  return asker === undefined ? undefined : askingApproval(asker, options);
}

function askingApproval(asker: Asker, options: ApprovalOptions): ConfirmToolCall {
  const { redact, always, notify, onProblem, now = Date.now } = options;
  const forSession = new Set<string>();
  return async (call, { signal, timeoutMs }) => {
    const key = JSON.stringify([call.agent, call.server, call.tool]);
    if (forSession.has(key)) return true;
    const until = now() + timeoutMs;
    if (call.local !== true) notify?.(summaryOf(call));
    const verdict = await ask(asker, {
      about: `${summaryOf(call)} with ${shownParams(redact(call.params))}`,
      question: () => questionOf(always !== undefined, Math.max(0, Math.ceil((until - now()) / 1_000))),
      signal,
      // While it waited, the answer to the question before may have settled this one too.
      isSettled: () => forSession.has(key),
    });
    if (verdict === 'session' || verdict === 'always') forSession.add(key);
    if (verdict === 'always' && always !== undefined) {
      await always(call).catch((error: unknown) => {
        onProblem(`"always" is not kept: ${(error as Error).message}`);
      });
    }
    return verdict !== 'no';
  };
}

interface Asked {
  readonly about: string;
  readonly question: () => string;
  readonly signal: AbortSignal;
  readonly isSettled: () => boolean;
}

async function ask(asker: Asker, { about, question, signal, isSettled }: Asked): Promise<Verdict> {
  for (let problem = ''; ;) {
    const asked = { about: () => (isSettled() ? undefined : `${problem}${about}`), question };
    const typed = await asker.ask(asked, signal);
    if (isSettled()) return 'session';
    const verdict = typed === undefined ? 'no' : ANSWERS.get(typed.trim().toLowerCase());
    if (verdict !== undefined) return verdict;
    problem = 'That is no answer: type y, s, a or n. ';
  }
}

function questionOf(canKeep: boolean, seconds: number): string {
  return `Allow? [y/N] (s: this session${canKeep ? ', a: always' : ''}; ${seconds} s) `;
}

function summaryOf({ agent, local, exposedName, server }: CallToConfirm): string {
  const [who, tool, where] = [agent, exposedName, server].map((name) => JSON.stringify(name));
  return printable(`${local === true ? 'You want' : `${who} wants`} to call ${tool} of ${where}`);
}
