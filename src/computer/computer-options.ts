import type { OfficeConnectionOptions } from '../client/index.js';
import type { Logger, ProtocolProfile } from '../protocol/index.js';
import type { AccessRules } from './access/access-rules.js';
import type { AuditOptions } from './audit/audit-log.js';
import type { ConfirmToolCall } from './calls/confirmation.js';
import type { ToolProgressReport } from './calls/call-progress.js';
import { ConfigError } from './config/config-error.js';
import { fieldPath } from './config/field-path.js';
import { EMPTY_CONFIG, mergeConfigs, readConfig, readServerEntry, type ComputerConfig } from './config/parse-config.js';
import { readInputs } from './config/read-input.js';
import { readRoots } from './config/read-roots.js';
import type { ConfiguredServer } from './config/read-server.js';
import type { DesktopSettings } from './desktop/desktop.js';
import type { DpeResolver } from './dpe/dpe-resolver.js';
import type { SharedHosts } from './dpe/get-dpe.js';
import type { PromptInput } from './inputs/find-value.js';
import type { TokenStore } from './login/index.js';
import type { McpServerManagerOptions } from './mcp/mcp-server-manager.js';
import type { AnswerServerRequest, Root, ServerRequestHandlers } from './mcp/server-requests.js';

/** How a Computer reaches the Server. Protocol §2. */
export interface ComputerConnectionOptions extends Omit<
  OfficeConnectionOptions,
  'role' | 'logger' | 'profile' | 'url'
> {
  /**
   * Where the Server is. Without it the Computer only hosts.
   */
  readonly url?: string;
  /** The token for `auth.token`, or a function that is asked for it at every connect. */
  readonly token?: string | (() => string | Promise<string>);
}

/** How MCP servers are started and watched. */
export type HostingOptions = Pick<
  McpServerManagerOptions,
  'startTimeoutMs' | 'startThrottle' | 'restarts' | 'callsInParallel' | 'pageLimits'
>;

/** Everything that can be said about a Computer. */
export interface ComputerOptions extends ComputerConnectionOptions {
  /**
   * The Computer's name in an office, unless `joinOffice` gives another one. Protocol §1.
   *
   * @default the name of the host
   */
  readonly name?: string;
  /**
   * The MCP servers, as what a configuration file has under `servers`, or as a list with a `name` in each. Everything
   * with a default may be left out. Protocol §7.1.
   *
   * @default none
   */
  readonly servers?: Readonly<Record<string, unknown>> | readonly unknown[];
  /**
   * The inputs that the servers' configurations name as `${input:ID}`. Protocol §7.2.
   *
   * @default none
   */
  readonly inputs?: readonly unknown[];
  /** A configuration that was read already, by `parseConfig` say; `servers` and `inputs` are merged over it. */
  readonly config?: ComputerConfig;
  /** Asks whether a tool may run that is not configured with `auto_apply`. Absent: it may not. Protocol §6.4. */
  readonly confirm?: ConfirmToolCall;
  /**
   * How long `confirm` may take, in milliseconds; never longer than the call's own budget.
   *
   * @default as long as the call's budget lasts
   */
  readonly confirmTimeoutMs?: number;
  /**
   * Whether the arguments of calls are held against the tools' `inputSchema` here. A call whose arguments do not fit fails
   * with 4003 before anybody is asked about it, and the MCP server does not hear of it. Arguments go up as they came in
   * any case. What cannot be checked (a schema that does not compile, or takes too long) is called.
   *
   * @default false
   */
  readonly validateArguments?: boolean;
  /**
   * Which calls of Agents are let through; see also `setAccess`. Others are answered with 4002, and their tools stay
   * listed.
   *
   * @default every call
   */
  readonly access?: AccessRules;
  /** Notes every call in a file: who called what, and what came of it. */
  readonly audit?: AuditOptions;
  /** Asks a person for the value of an input. Absent: only the environment and defaults count. Protocol §7.2. */
  readonly prompt?: PromptInput;
  /**
   * How long a command input may run that has no `timeout` of its own, in milliseconds.
   *
   * @default 30000
   */
  readonly commandTimeoutMs?: number;
  /**
   * Where `A2C_SMCP_<ID>` and `${env:NAME}` are looked up, and the environment of command inputs.
   *
   * @default process.env
   */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /**
   * Where the logins at protected MCP servers are kept. A `FileTokenStore` keeps them beyond this process.
   *
   * @default in memory
   */
  readonly tokenStore?: TokenStore;
  /**
   * Opens the page where a person logs in at an MCP server, on this machine.
   *
   * @default the system's browser
   */
  readonly openBrowser?: (url: string) => Promise<void> | void;
  /** Turns documents into URIs that Agents can fetch; see also `registerDpeResolver`. Protocol §8.3. */
  readonly documents?: DpeResolver;
  /**
   * What happens to documents of a host that several MCP servers use: with `warn` the one configured first is asked,
   * with `refuse` the Agent gets 4013. Either way a warning names the servers and the host. Protocol §8.3.
   *
   * @default 'warn'
   */
  readonly sharedHosts?: SharedHosts;
  /** Settings of the desktop. Protocol §8.1. */
  readonly desktop?: DesktopSettings;
  /** How MCP servers are started and watched. */
  readonly hosting?: HostingOptions;
  /**
   * The folders and files that MCP servers are told of, and may ask for with `roots/list`: paths, relative to the working
   * directory, or `file:` URIs. A server with `roots` of its own in the configuration is told of those instead.
   *
   * @default none
   */
  readonly roots?: readonly (string | Root)[];
  /**
   * Answers an MCP server that wants a text of a language model (`sampling/createMessage`). A person should have a say.
   *
   * @default the request is rejected
   */
  readonly onSampling?: AnswerServerRequest;
  /**
   * Answers an MCP server that wants something from a person (`elicitation/create`): `params` has a form, or with
   * `mode: "url"` an address to open once the person agreed. The result is MCP's:
   * `{ action: 'accept' | 'decline' | 'cancel', content? }`.
   *
   * @default the request is declined
   */
  readonly onElicitation?: AnswerServerRequest;
  /**
   * How long `onSampling` and `onElicitation` may take, in milliseconds.
   *
   * @default 300000
   */
  readonly serverRequestTimeoutMs?: number;
  /** Gets the progress of running calls. Absent: MCP servers are not asked for it. */
  readonly onToolProgress?: (report: ToolProgressReport) => void;
  /**
   * How many calls of the present office `history` keeps, at some 3 KB each at most.
   *
   * @default 100
   */
  readonly historySize?: number;
  /**
   * Gets what happens, without secrets, arguments or results.
   *
   * @default silent
   */
  readonly logger?: Logger;
  /** @default PROFILE_0_2 */
  readonly profile?: ProtocolProfile;
}

/**
 * The configuration that the options describe.
 *
 * @throws ConfigError naming the field.
 */
export function configOf(options: Pick<ComputerOptions, 'config' | 'servers' | 'inputs'>): ComputerConfig {
  const { config = EMPTY_CONFIG, servers, inputs } = options;
  const given = Array.isArray(servers)
    ? { inputs: readInputs(inputs), servers: byName(servers) }
    : readConfig({ servers, inputs });
  return mergeConfigs([config, given]);
}

/** Read one by one and not as an object, which would not keep the order of names such as `10` and `2`. */
function byName(servers: readonly unknown[]): ComputerConfig['servers'] {
  const named = new Map<string, ConfiguredServer>();
  for (const [index, server] of servers.entries()) {
    const field = fieldPath('servers', index, 'name');
    const name = typeof server === 'object' && server !== null ? (server as { name?: unknown }).name : undefined;
    if (typeof name !== 'string') throw new ConfigError('expected a string', { field });
    if (named.has(name)) throw new ConfigError('another server has this name', { field });
    named.set(name, readServerEntry(name, server));
  }
  return named;
}

/**
 * The roots and handlers that the options have for MCP servers.
 *
 * @throws ConfigError naming the root that is none.
 */
export function serverRequestsOf(
  options: Pick<ComputerOptions, 'roots' | 'onSampling' | 'onElicitation' | 'serverRequestTimeoutMs'>,
): { readonly roots: readonly Root[]; readonly serverRequests: ServerRequestHandlers } {
  const { roots = [], onSampling, onElicitation, serverRequestTimeoutMs: timeoutMs } = options;
  const fail = (problem: string, ...path: PropertyKey[]): never => {
    throw new ConfigError(problem, { field: fieldPath('roots', ...path) });
  };
  return { roots: readRoots(roots, { fail }), serverRequests: { onSampling, onElicitation, timeoutMs } };
}

/** The connection's options: the Computer's role, and the token beside what the application's callback gives. */
export function connectionOptionsOf(
  options: ComputerConnectionOptions,
  common: { readonly logger: Logger; readonly profile: ProtocolProfile },
): OfficeConnectionOptions {
  const { url, token, auth, ...rest } = options;
  if (url === undefined) throw new TypeError('url is needed to connect, such as http://127.0.0.1:8000');
  const authenticate = async (): Promise<Record<string, unknown>> => ({
    token: typeof token === 'function' ? await token() : token,
    ...(await auth?.()),
  });
  return { ...rest, ...common, url, role: 'computer', auth: token === undefined ? auth : authenticate };
}
