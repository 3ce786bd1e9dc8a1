import { ErrorCode, isJsonObject, ProtocolError, type JsonObject } from '../../protocol/index.js';
import { shellWord } from '../terminal/shell-word.js';
import { nearest } from '../shell/parse-call.js';
import type { Asking } from './asking.js';
import { computersThere, ifKnown, listed, looking, whyNoComputer, whyNoTool, type Search } from './why-not-there.js';

/** What was asked when it failed. */
export interface Failed extends Search {
  readonly computer?: string | undefined;
  readonly tool?: string | undefined;
  /** How long it could take, in seconds. */
  readonly seconds: number;
  /** The acknowledgement, if one came. */
  readonly ack?: unknown;
}

/** What is known of a failure, of which it depends what helps. */
interface Occurrence extends Failed {
  readonly computer: string;
  /** What came beside the code. */
  readonly fields: JsonObject;
}

type Help = (failed: Occurrence) => string | undefined | Promise<string | undefined>;

const OWNER = 'ask the owner of the Computer';

/** What helps, by the code of a failure: an error answer, or a result that failed. */
const HELP: Readonly<Partial<Record<number, Help>>> = {
  [ErrorCode.NotFound]: (failed) =>
    'mcp_server_name' in failed.fields
      ? whyNoMcpServer(failed, failed.fields['mcp_server_name'])
      : whyNoComputer(failed, failed.computer),
  [ErrorCode.McpServerNotFound]: (failed) => whyNoMcpServer(failed, failed.fields['mcp_server_name']),
  [ErrorCode.Timeout]: (failed) => whyNoAnswer(failed, 'the Server has given up'),
  [ErrorCode.NotInRoom]: () => 'the connection was lost meanwhile: try again',
  [ErrorCode.ToolNotFound]: (failed) => whyNoTool(failed, { computer: failed.computer, tool: failed.tool ?? '' }),
  [ErrorCode.ToolDisabled]: ({ guide, computer }) =>
    `only the owner of the Computer can allow it; ${guide.command('tools', computer)} lists what may be called`,
  [ErrorCode.ToolTimedOut]: (failed) =>
    `the Computer ended the tool; ${longer(failed)}, and its owner sees why it takes so long (logs in its shell)`,
  [ErrorCode.ToolRequiresConfirmation]: () =>
    `${OWNER} to answer the question there, or to let the tool run without asking (auto_apply)`,
  [ErrorCode.ToolAuthorizationRequired]: (failed) => login(failed),
  [ErrorCode.ToolAuthorizationFailed]: (failed) => login(failed),
  [ErrorCode.McpCapabilityNotSupported]: ({ guide, computer }) =>
    `${guide.command('config', computer)} shows the other MCP servers`,
  [ErrorCode.DpeResolverNotConfigured]: () => `${OWNER} to start it with --documents file, http or s3`,
  [ErrorCode.InvalidDpeUri]: ({ guide, computer }) => `${guide.command('documents', computer)} lists the documents`,
  [ErrorCode.DpeResolutionFailed]: ({ guide, computer }) =>
    `${guide.command('documents', computer)} lists the documents`,
};

/** What to do about a question that failed with an error; `undefined` where the error says all there is. */
export async function whyFailed(error: unknown, failed: Failed): Promise<string | undefined> {
  const { computer } = failed;
  if (computer === undefined || !(error instanceof Error)) return undefined;
  if (error instanceof ProtocolError) return HELP[error.code]?.({ ...failed, computer, fields: error.fields });
  // By name: the class would load the Agent.
  if (error.name !== 'RequestTimeoutError') return undefined;
  return whyNoAnswer({ ...failed, computer, fields: {} }, 'neither the Computer nor the Server has answered');
}

/** What to do about a call whose result is a failure; `undefined` where the result says all there is. */
export async function whyCallFailed(result: JsonObject, failed: Failed): Promise<string | undefined> {
  const { computer, ack } = failed;
  const { isError, meta } = result;
  if (isError !== true || !isJsonObject(meta) || computer === undefined) return undefined;
  const occurrence = { ...failed, computer, fields: meta };
  if (meta['timeout'] === true) {
    return whyNoAnswer(
      occurrence,
      ack === undefined ? 'neither the Computer nor the Server has answered' : 'the Server has given up',
    );
  }
  const code = meta['error_code'];
  return typeof code === 'number' ? HELP[code]?.(occurrence) : undefined;
}

async function whyNoAnswer(failed: Occurrence, side: string): Promise<string> {
  const { computer } = failed;
  const names = await computersThere(failed);
  if (names === undefined) return `${side}, and the Server does not say who is there: is the connection good?`;
  if (!names.includes(computer)) {
    const others = names.length === 0 ? 'no Computer is there' : `there is ${listed(names)}`;
    return `${side}: "${computer}" has left the office (${others}); does it run?`;
  }
  const longTool = failed.tool === undefined ? 'it is busy or hangs' : 'it is busy, hangs, or waits for its owner';
  return `${side}, and "${computer}" is in the office: ${longTool}; ${longer(failed)}`;
}

/** The same with more time. */
function longer({ guide, computer, tool, seconds }: Occurrence): string {
  const more = Math.min(3_600, seconds * 5);
  if (more <= seconds) return `${seconds} s is all that a call can have`;
  if (tool === undefined) return `--timeout ${more} gives it more time`;
  return `${guide.command('call', computer, `${shellWord(tool)} --timeout ${more} …`)} gives it more time`;
}

function login({ fields }: Occurrence): string {
  const server = fields['mcp_server'];
  const name = typeof server === 'string' ? ` ${shellWord(server)}` : '';
  return `${OWNER} to log in there (login${name} in its shell, or a2c computer login${name})`;
}

async function whyNoMcpServer(failed: Occurrence, server: unknown): Promise<string | undefined> {
  if (typeof server !== 'string') return undefined;
  const { agent, computer, guide } = failed;
  const config = await ifKnown(failed, () => agent.getConfig(computer, looking(failed)));
  if (config === undefined) return undefined;
  const names = Object.keys(config.servers);
  if (names.length === 0) return `"${computer}" has no MCP servers`;
  const near = nearest(server.toLowerCase(), names);
  return near === undefined
    ? `there is ${listed(names)} (${guide.command('config', computer)})`
    : `did you mean "${near}"?`;
}

/** What to do about an office that was not joined under this name. */
export function whyNotJoined(error: unknown, name: string): string | undefined {
  if (!(error instanceof Error) || error.name !== 'JoinRefusedError' || !('code' in error)) return undefined;
  if (error.code === ErrorCode.RoomFull) {
    return 'an office has room for one, and the Server does not say which Agent it is: end that one (a2c agent repl, watch, or a program), or take another office with --office';
  }
  if (error.code === ErrorCode.Forbidden) return `is the name "${name}" taken? --name gives another one`;
  if (error.code === ErrorCode.BadRequest) return 'check --office and --name';
  return undefined;
}

/** The same failure, with what to do about it in its sentence. */
export async function explained(error: unknown, asking: Asking, about: Partial<Failed>): Promise<unknown> {
  if (asking.signal.aborted || !asking.agent.connected) return error;
  const why = await whyFailed(error, { ...asking, seconds: Math.ceil(asking.timeoutMs / 1_000), ...about });
  if (why === undefined || !(error instanceof Error)) return error;
  return withReason(error, why);
}

/** The same failure with something more in its sentence. Its name stays: it decides on the exit code. */
export function withReason(error: Error, why: string): Error {
  const message = `${error.message}; ${why}`;
  if (error instanceof ProtocolError) return new ProtocolError(error.code, message, error.fields);
  return Object.assign(new Error(message, { cause: error }), { name: error.name });
}
