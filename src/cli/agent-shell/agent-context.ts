import type { Agent } from '../../agent/index.js';
import { MAX_TIMEOUT_SECONDS } from '../../protocol/index.js';
import { officeName, wholeNumber } from '../flags/flags.js';
import { shellCommands, type ShellCall } from '../shell/shell-command.js';
import type { Asking } from './asking.js';
import type { EventFeed } from './event-feed.js';
import { shellGuide } from './guide.js';
import type { Selection } from './selection.js';
import { explained, withReason, type Failed } from './why-failed.js';

/** What the commands of an Agent's shell are about. */
export interface AgentContext {
  readonly agent: Agent;
  readonly office: string;
  /** Where the Server is. */
  readonly url: string;
  /** How long a command may take unless it says otherwise, in seconds. */
  readonly timeout: number;
  /** Whether programs read the answers. */
  readonly json: boolean;
  readonly selection: Selection;
  readonly feed: EventFeed;
  /** What Tab offers beside what the Agent knows. */
  readonly seen: Readonly<Record<'servers' | 'documents' | 'windows', Set<string>>>;
  readonly live: (line: string | undefined) => void;
}

/** Gives a row of the table of the Agent's shell its types. */
export const define = shellCommands<AgentContext>();

/** The flags of what is asked of a Computer. */
export const ASK_FLAGS = {
  computer: officeName('NAME', 'of another Computer than the one in use'),
  timeout: wholeNumber('SECONDS', 'how long it may take; as long as --timeout of a2c agent repl said when left out', {
    min: 1,
    max: MAX_TIMEOUT_SECONDS,
  }),
} as const;

/** What is used of a call of a command with whatever flags. */
type Call = Pick<ShellCall<AgentContext>, 'context' | 'signal' | 'terminal' | 'show'> & { readonly flags: object };

/** The question that a command asks. */
function askingOf({ context, flags, signal, terminal, show }: Call): Asking {
  const { agent, office, timeout, json, selection, live } = context;
  const own = 'timeout' in flags && typeof flags.timeout === 'number' ? flags.timeout : timeout;
  return {
    agent,
    office,
    signal,
    timeoutMs: own * 1_000,
    terminal,
    json,
    guide: shellGuide(() => selection.implied),
    live,
    show,
  };
}

/** Asks something; what fails says what to do about it. */
export async function ask(
  call: Call,
  use: (asking: Asking) => Promise<void>,
  about: Partial<Failed> = {},
): Promise<void> {
  const asking = askingOf(call);
  call.context.feed.refresh();
  try {
    await use(asking);
  } catch (error) {
    throw await helped(error, asking, about);
  }
}

/** Asks the Computer that the command names, or that is in use. */
export async function askComputer(
  call: Call & { flags: { readonly computer: string | undefined } },
  use: (asking: Asking, computer: string) => Promise<void>,
  about: Partial<Failed> = {},
): Promise<void> {
  const computer = call.context.selection.target(call.flags.computer);
  await ask(call, (asking) => use(asking, computer), { computer, ...about });
}

async function helped(error: unknown, asking: Asking, about: Partial<Failed>): Promise<unknown> {
  const { agent, signal } = asking;
  const isOutside = !signal.aborted && agent.membership === undefined;
  // A usage error has nothing to do with it.
  if (isOutside && error instanceof Error && /^(Connection|Protocol|RequestTimeout)Error$/.test(error.name)) {
    return withReason(error, 'the connection is being made again: status shows when it is there');
  }
  return explained(error, asking, about);
}
