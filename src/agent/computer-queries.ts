import {
  CALL_EVENTS,
  isJsonObject,
  listRoomAnswerSchema,
  type Answer,
  type CallEvent,
  type GetDpeAnswer,
  type JsonObject,
  type Logger,
  type SessionInfo,
  type SmcpTool,
} from '../protocol/index.js';
import { DEFAULT_CALL_MS, DEFAULT_GET_MS } from './agent-options.js';
import type { ComputerConfig, DocumentAccess, OfficeMember, ResourcePage } from './answers.js';
import { budgetSeconds } from './budget.js';
import { readTools } from './read-tools.js';
import type { AskOptions, Requester, RequestOptions } from './requester.js';

/** What `getDesktop` takes. */
export interface DesktopOptions extends RequestOptions {
  /** How many windows at most; all when absent, none when 0 or less. */
  readonly size?: number;
  /** Only the window with this URI. */
  readonly window?: string;
}

/** What `getResources` takes. */
export interface ResourcesOptions extends RequestOptions {
  /** The `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** What the queries need. */
export interface ComputerQueriesParts {
  readonly requester: Requester;
  readonly answerGraceMs: number;
  readonly logger: Logger;
}

/** What an Agent asks of Computers, tool calls aside, and of the Server. Protocol §3.1, §3.2. */
export class ComputerQueries {
  readonly #parts: ComputerQueriesParts;

  constructor(parts: ComputerQueriesParts) {
    this.#parts = parts;
  }

  /** See {@link Agent.getTools}. */
  async getTools(computer: string, options: RequestOptions): Promise<readonly SmcpTool[]> {
    const { tools } = await this.#fetch('client:get_tools', { computer }, waitOf(options));
    return readTools(tools, computer, this.#parts.logger);
  }

  /** See {@link Agent.getConfig}. */
  async getConfig(computer: string, options: RequestOptions): Promise<ComputerConfig> {
    const { servers, inputs } = await this.#fetch('client:get_config', { computer }, waitOf(options));
    return { servers: servers as Readonly<Record<string, JsonObject>>, inputs: inputs ?? [] };
  }

  /** See {@link Agent.getDesktop}. */
  async getDesktop(computer: string, options: DesktopOptions): Promise<readonly string[]> {
    const fields = { computer, ...optional('desktop_size', options.size), ...optional('window', options.window) };
    const { desktops } = await this.#fetch('client:get_desktop', fields, waitOf(options));
    return desktops ?? [];
  }

  /** See {@link Agent.getResources}. */
  async getResources(computer: string, mcpServer: string, options: ResourcesOptions): Promise<ResourcePage> {
    const fields = { computer, mcp_server: mcpServer, ...optional('cursor', options.cursor) };
    const answer = await this.#fetch('client:get_resources', fields, waitOf(options));
    const cursor = answer.next_cursor ?? undefined;
    return { resources: answer.resources.filter(isJsonObject), ...optional('nextCursor', cursor) };
  }

  /** See {@link Agent.getDpe}. */
  async getDpe(computer: string, uri: string, options: RequestOptions): Promise<DocumentAccess> {
    const asked = options.timeoutMs;
    const timeout = asked === undefined ? undefined : budgetSeconds(asked);
    const timeoutMs = (timeout === undefined ? DEFAULT_CALL_MS : timeout * 1_000) + this.#parts.answerGraceMs;
    const fields = { computer, uri, ...optional('timeout', timeout) };
    return readAccess(await this.#fetch('client:get_dpe', fields, { ...waitOf(options), timeoutMs }));
  }

  /** See {@link Agent.listRoom}. */
  async listRoom(officeId: string, options: RequestOptions): Promise<readonly OfficeMember[]> {
    const { sessions } = await this.#parts.requester.fetch(
      { event: 'server:list_room', fields: { office_id: officeId }, answer: listRoomAnswerSchema },
      waitOf(options),
    );
    return sessions.map(readMember);
  }

  async #fetch<E extends CallEvent>(event: E, fields: JsonObject, options: AskOptions): Promise<Answer<E>> {
    const answer = await this.#parts.requester.fetch({ event, fields, answer: CALL_EVENTS[event].answer }, options);
    return answer as Answer<E>;
  }
}

function waitOf({ timeoutMs = DEFAULT_GET_MS, signal, onAck }: RequestOptions): AskOptions {
  budgetSeconds(timeoutMs);
  return { timeoutMs, signal, onAck };
}

function optional<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}

function readMember(session: SessionInfo): OfficeMember {
  const { sid, name, role, office_id: officeId, a2c_version: version } = session;
  return { sid, name, role, officeId, ...optional('protocolVersion', version ?? undefined) };
}

function readAccess(answer: GetDpeAnswer): DocumentAccess {
  const text = (name: string): string | undefined => (typeof answer[name] === 'string' ? answer[name] : undefined);
  const object = (name: string): JsonObject | undefined => (isJsonObject(answer[name]) ? answer[name] : undefined);
  return {
    uri: answer.uri,
    ...optional('mimeType', answer.mime_type ?? undefined),
    ...optional('size', answer.size ?? undefined),
    ...optional('name', text('name')),
    ...optional('description', text('description')),
    ...optional('annotations', object('annotations')),
    ...optional('meta', object('_meta')),
  };
}
