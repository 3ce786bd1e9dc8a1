import { linkedSignal } from '../../client/index.js';
import type { AGENT_FLAGS } from '../flags/agent-flags.js';
import { withAgent } from '../with-agent.js';
import type { Invocation } from '../command.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { printable } from '../terminal/printable.js';
import { counted } from '../terminal/render-result.js';
import { stayInOffice } from '../stay-in-office.js';
import { hasPerson, pipeConsole, terminalConsole, type AgentConsole } from './agent-console.js';
import type { AgentContext } from './agent-context.js';
import type { Asking } from './asking.js';
import { EventFeed } from './event-feed.js';
import { Selection } from './selection.js';
import { nobodyThere } from './why-not-there.js';

/** How long Computers have to show their tools before the first command, in milliseconds: for a person, for a script. */
const PERSON_WAITS_MS = 1_000;
const SCRIPT_WAITS_MS = 10_000;

type Repl = Invocation<typeof AGENT_FLAGS>;

/** Joins the office and does what is typed, or piped in, until that is over. */
export async function runRepl(invocation: Repl): Promise<ExitCode> {
  const catalogueWaitMs = hasPerson(invocation.terminal) ? PERSON_WAITS_MS : SCRIPT_WAITS_MS;
  return withAgent(invocation, (asking) => obey(asking, invocation), {
    catalogue: true,
    catalogueWaitMs,
    about: {},
  });
}

async function obey(asking: Asking, { flags, terminal, signal }: Repl): Promise<ExitCode> {
  const { agent, office } = asking;
  const isPerson = hasPerson(terminal);
  using console = isPerson ? terminalConsole(terminal) : pipeConsole(terminal, signal);
  using feed = new EventFeed(agent, { terminal, json: flags.json, on: isPerson });
  const context: AgentContext = {
    agent,
    office,
    url: flags.server ?? '',
    timeout: flags.timeout,
    json: flags.json,
    selection: new Selection(agent, office),
    feed,
    seen: { servers: new Set(), documents: new Set(), windows: new Set() },
    live: console.live,
  };
  greet(context, asking, isPerson);
  return await untilLeft(context, console, signal);
}

function greet({ agent, office, json }: AgentContext, { terminal }: Asking, isPerson: boolean): void {
  if (json) terminal.json({ event: 'joined', office_id: office, name: agent.name });
  if (json || !isPerson) return;
  const there = agent.computers.map((computer) => {
    const tools = agent.tools.filter((tool) => tool.computer === computer);
    return `${computer} (${counted(tools.length, 'tool')})`;
  });
  terminal.note(printable(there.length === 0 ? nobodyThere({ office }) : `in office "${office}": ${there.join(', ')}`));
  terminal.note(terminal.style('dim', 'help lists the commands, Tab completes them, quit leaves'));
}

/** Obeys and stays in the office meanwhile. @throws ProtocolVersionError when another Server has taken its place. */
async function untilLeft(context: AgentContext, console: AgentConsole, signal: AbortSignal): Promise<ExitCode> {
  const leaving = new AbortController();
  const lost = new AbortController();
  const linked = linkedSignal([signal, lost.signal]);
  const staying = stayInOffice(context.agent, context.office, { signal: leaving.signal }).catch((error: unknown) => {
    lost.abort(error);
  });
  try {
    const isFine = await console.run(context, linked.signal);
    lost.signal.throwIfAborted();
    if (signal.aborted) return EXIT_CODES.interrupted;
    return isFine ? EXIT_CODES.ok : EXIT_CODES.failed;
  } finally {
    linked.release();
    leaving.abort();
    await staying;
  }
}
