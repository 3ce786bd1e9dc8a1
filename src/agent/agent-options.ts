import { DEFAULT_TIMEOUT_SECONDS, GET_WAIT_SECONDS, SERVER_GRACE_SECONDS } from '../protocol/index.js';
import type { OfficeConnectionOptions } from '../client/index.js';
import type { DocumentOptions } from './documents/document-options.js';
import { newRequestId, randomDigits } from './request-id.js';

/** How an Agent reaches the Server, and how long it waits. */
export interface AgentOptions extends Omit<OfficeConnectionOptions, 'role'> {
  /**
   * The Agent's name in the office.
   * @default `agent-` and a random part
   */
  readonly name?: string;
  /** The token for `auth.token`, or a function that is asked for it at every connect. */
  readonly token?: string | (() => string | Promise<string>);
  /**
   * How much longer than a tool call's budget its answer is waited for, in milliseconds: the Server's own 5 s, and
   * 2 s more. Protocol §6.2.
   * @default 7_000
   */
  readonly answerGraceMs?: number;
  /**
   * How long a cancelled call's own answer is still waited for, in milliseconds.
   * @default 2_000
   */
  readonly cancelGraceMs?: number;
  /**
   * Whether the Agent keeps a catalogue of the office's tools. Without it `tools` and `computers` stay empty, nothing is
   * fetched that the application did not ask for, and `toolsChanged` does not come.
   * @default true
   */
  readonly catalog?: boolean;
  /**
   * How long `joinOffice` waits for the tools of the Computers that are in the office, in milliseconds. What comes
   * later is taken in later.
   * @default 2_000
   */
  readonly catalogWaitMs?: number;
  /**
   * For how long notices that the tools of one Computer changed are gathered before they are fetched, in milliseconds.
   * @default 50
   */
  readonly catalogWindowMs?: number;
  /** From where documents are fetched, and how much of them; each call may say otherwise. */
  readonly documents?: DocumentOptions;
  /** Makes the ids of requests. @default random UUIDs */
  readonly newRequestId?: () => string;
}

/** The options that are not the connection's, filled in. */
export interface AgentSettings {
  readonly name: string;
  readonly answerGraceMs: number;
  readonly cancelGraceMs: number;
  readonly catalog: boolean;
  readonly catalogWaitMs: number;
  readonly catalogWindowMs: number;
  readonly newRequestId: () => string;
}

/** How much longer than the Server the Agent waits, in milliseconds. Protocol §6.2. */
const BEYOND_SERVER_MS = 2_000;

/** The budget of a call whose caller names none, in milliseconds. Protocol §6.2. */
export const DEFAULT_CALL_MS = DEFAULT_TIMEOUT_SECONDS * 1_000;
/** How long the answer of a call without a budget is waited for, in milliseconds. */
export const DEFAULT_GET_MS = GET_WAIT_SECONDS * 1_000 + BEYOND_SERVER_MS;

/** Fills in the defaults. */
export function agentSettings(options: AgentOptions): AgentSettings {
  return {
    name: options.name ?? `agent-${randomDigits(4)}`,
    answerGraceMs: options.answerGraceMs ?? SERVER_GRACE_SECONDS * 1_000 + BEYOND_SERVER_MS,
    cancelGraceMs: options.cancelGraceMs ?? 2_000,
    catalog: options.catalog ?? true,
    catalogWaitMs: options.catalogWaitMs ?? 2_000,
    catalogWindowMs: options.catalogWindowMs ?? 50,
    newRequestId: options.newRequestId ?? newRequestId,
  };
}

/** The connection's options: the Agent's role, and the token beside what the application's callback gives. */
export function connectionOptions(options: AgentOptions): OfficeConnectionOptions {
  const { token, auth } = options;
  if (token === undefined) return { ...options, role: 'agent' };
  return {
    ...options,
    role: 'agent',
    auth: async () => ({ token: typeof token === 'function' ? await token() : token, ...(await auth?.()) }),
  };
}
