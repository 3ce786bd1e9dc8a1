import { randomUUID } from 'node:crypto';
import type { Agent, AgentOptions } from '../agent/index.js';
import type { AGENT_FLAGS } from './flags/agent-flags.js';
import type { Asking } from './agent-shell/asking.js';
import { lineBelow } from './agent-shell/call-clock.js';
import { COMMAND_LINE } from './agent-shell/guide.js';
import { explained, whyNotJoined, withReason } from './agent-shell/why-failed.js';
import type { Invocation } from './command.js';
import { UsageError } from './failure.js';
import { readToken } from './flags/flags.js';
import { networkOptions } from './flags/network-flags.js';
import { checked, toUsage } from './to-usage.js';

/** How long connecting and joining may take at most, in milliseconds; less where `--timeout` is less. */
const CONNECT_MS = 20_000;
const JOIN_MS = 15_000;

/** What a command asks of its Agent. */
export interface Participation {
  /** Whether the Agent fetches the tools of the office and keeps them current. */
  readonly catalogue?: boolean;
  /** How long the join waits for the tools of the Computers that are there, in milliseconds. @default 0 */
  readonly catalogueWaitMs?: number;
  /** Runs before the Agent connects: the place to listen from the first event on. */
  readonly prepare?: (agent: Agent) => void;
  /** What the command is about, for what is said of a failure. @default the Computer that its first argument names */
  readonly about?: { readonly computer?: string | undefined; readonly tool?: string | undefined };
}

/** The flag's value, or an error that says where it may come from. */
function required(value: string | undefined, flag: string, env: string): string {
  if (value === undefined || value === '') throw new UsageError(`${flag} is missing: give it, or set ${env}`);
  return value;
}

/** Runs something as a member of the office: connects, joins, and leaves whatever happens. */
export async function withAgent<T>(
  invocation: Invocation<typeof AGENT_FLAGS>,
  use: (asking: Asking) => Promise<T>,
  participation: Participation = {},
): Promise<T> {
  const { flags, terminal, signal } = invocation;
  const office = required(flags.office, '--office', 'A2C_OFFICE');
  await using agent = await newAgent(agentOptions(invocation, participation));
  participation.prepare?.(agent);
  await agent.connect({ signal });
  await joined(agent, office, signal);
  const asking: Asking = {
    agent,
    office,
    signal,
    timeoutMs: flags.timeout * 1000,
    terminal,
    json: flags.json,
    guide: COMMAND_LINE,
    live: flags.json ? () => undefined : lineBelow(terminal),
    show: (value, render) => {
      if (flags.json) terminal.json(value);
      else render(terminal);
    },
  };
  try {
    return await use(asking);
  } catch (error) {
    // A program gets the answer as it came.
    const about = participation.about ?? { computer: invocation.args[0] };
    throw flags.json ? error : await explained(error, asking, about);
  }
}

function agentOptions(
  { flags, logger }: Invocation<typeof AGENT_FLAGS>,
  { catalogue = false, catalogueWaitMs = 0 }: Participation,
): AgentOptions {
  const token = readToken(flags);
  return {
    url: required(flags.server, '--server', 'A2C_SERVER'),
    path: flags.path,
    name: flags.name ?? `agent-${randomUUID().slice(0, 8)}`,
    logger,
    ...networkOptions(flags),
    catalog: catalogue,
    // Who waits for Computers waits for them after the join as well.
    catalogWaitMs: catalogueWaitMs,
    connectTimeoutMs: Math.min(CONNECT_MS, flags.timeout * 1000),
    joinTimeoutMs: Math.min(JOIN_MS, flags.timeout * 1000),
    ...(token === undefined ? {} : { token }),
  };
}

async function newAgent(options: AgentOptions): Promise<Agent> {
  const { Agent } = await import('../agent/index.js');
  return checked(() => new Agent(options));
}

async function joined(agent: Agent, office: string, signal: AbortSignal): Promise<void> {
  try {
    await agent.joinOffice(office, { signal });
  } catch (error) {
    const why = whyNotJoined(error, agent.name);
    throw toUsage(why === undefined ? error : withReason(error as Error, why));
  }
}

/** The acknowledgement of a request as it came, beside what the Agent read in it. */
export async function withAck<T>(
  request: (options: { onAck: (ack: unknown) => void }) => Promise<T>,
): Promise<{ ack: unknown; answer: T }> {
  let ack: unknown;
  const answer = await request({
    onAck: (received) => {
      ack = received;
    },
  });
  return { ack, answer };
}
