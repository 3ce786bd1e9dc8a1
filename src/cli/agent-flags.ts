import { randomUUID } from 'node:crypto';
import type { Agent, AgentOptions } from '../agent/index.js';
import { DEFAULT_PATH, MAX_TIMEOUT_SECONDS } from '../protocol/index.js';
import type { Invocation } from './command.js';
import { UsageError } from './failure.js';
import { officeName, readToken, text, toggle, TOKEN_FLAGS, wholeNumber } from './flags.js';
import { NETWORK_FLAGS, networkOptions } from './network-flags.js';
import { checked, toUsage } from './to-usage.js';

/** The flags of every `a2c agent` command. */
export const AGENT_FLAGS = {
  server: text('URL', 'where the Server is', { env: 'A2C_SERVER' }),
  office: officeName('ID', 'the office to join', { env: 'A2C_OFFICE' }),
  name: officeName('NAME', 'the name of this Agent; "agent-" and a random part by default'),
  ...TOKEN_FLAGS,
  path: text('PATH', 'the HTTP path of Socket.IO', { fallback: DEFAULT_PATH }),
  ...NETWORK_FLAGS,
  timeout: wholeNumber('SECONDS', 'how long it may take', { min: 1, max: MAX_TIMEOUT_SECONDS, fallback: 60 }),
  json: toggle('print the answer as it came, as one line of JSON'),
} as const;

/** How long connecting and joining may take at most, in milliseconds; less where `--timeout` is less. */
const CONNECT_MS = 20_000;
const JOIN_MS = 15_000;

/** What a command asks of its Agent. */
export interface Participation {
  /** Whether the Agent fetches the tools of the office and keeps them current. */
  readonly catalogue?: boolean;
  /** Runs before the Agent connects: the place to listen from the first event on. */
  readonly prepare?: (agent: Agent) => void;
}

/** The flag's value, or an error that says where it may come from. */
function required(value: string | undefined, flag: string, env: string): string {
  if (value === undefined || value === '') throw new UsageError(`${flag} is missing: give it, or set ${env}`);
  return value;
}

/** Runs something as a member of the office: connects, joins, and leaves whatever happens. */
export async function withAgent<T>(
  { flags, logger, signal }: Invocation<typeof AGENT_FLAGS>,
  use: (agent: Agent, office: string) => Promise<T>,
  { catalogue = false, prepare }: Participation = {},
): Promise<T> {
  const office = required(flags.office, '--office', 'A2C_OFFICE');
  const url = required(flags.server, '--server', 'A2C_SERVER');
  const token = readToken(flags);
  const name = flags.name ?? `agent-${randomUUID().slice(0, 8)}`;
  await using agent = await newAgent({
    url,
    path: flags.path,
    name,
    logger,
    ...networkOptions(flags),
    catalog: catalogue,
    // Who waits for Computers waits for them after the join as well.
    catalogWaitMs: 0,
    connectTimeoutMs: Math.min(CONNECT_MS, flags.timeout * 1000),
    joinTimeoutMs: Math.min(JOIN_MS, flags.timeout * 1000),
    ...(token === undefined ? {} : { token }),
  });
  prepare?.(agent);
  await agent.connect({ signal });
  await asUsage(agent.joinOffice(office, { signal }));
  return await use(agent, office);
}

async function newAgent(options: AgentOptions): Promise<Agent> {
  const { Agent } = await import('../agent/index.js');
  return checked(() => new Agent(options));
}

async function asUsage(joining: Promise<void>): Promise<void> {
  try {
    await joining;
  } catch (error) {
    throw toUsage(error);
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
