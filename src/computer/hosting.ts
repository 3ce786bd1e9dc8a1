import type { JsonObject, ToolMeta } from '../protocol/index.js';
import type { CancelSignal } from './mcp/cancellation.js';

/** How long a request to an MCP server may take, and what ends it early. */
export interface UpstreamWait {
  /** In milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/**
 * The resources of the hosted MCP servers, as desktop and documents need them. What a server lists comes as it wrote
 * it; items without a URI are left out.
 */
export interface ResourceHost {
  /** Every configured server, in the order of registration. */
  serverNames(): readonly string[];
  /** Whether the server runs and declares `resources`. */
  hasResources(server: string): boolean;
  /** Whether the server runs and declares `resources.subscribe`. */
  canSubscribe(server: string): boolean;
  /** Whether the server declares that it tells when its list of resources is another one. */
  announcesResources(server: string): boolean;
  /** Items of all pages of `resources/list`. */
  listAllResources(server: string, wait: UpstreamWait): Promise<readonly JsonObject[]>;
  /** Items of all pages of `resources/templates/list`. */
  listAllTemplates(server: string, wait: UpstreamWait): Promise<readonly JsonObject[]>;
  /** The answer to `resources/read`; the URI goes up exactly as given. */
  readResource(server: string, uri: string, wait: UpstreamWait): Promise<JsonObject>;
  /** Asks for updates of a resource. */
  subscribe(server: string, uri: string): Promise<void>;
  /** Takes that back. */
  unsubscribe(server: string, uri: string): Promise<void>;
}

/** Where a tool that an Agent names really is. Protocol §7.3. */
export interface ToolRoute {
  /** The MCP server. */
  readonly server: string;
  /** The tool's own name there. */
  readonly tool: string;
  /** Its merged metadata; absent when nothing is configured. */
  readonly meta?: ToolMeta | undefined;
  /** Its `inputSchema`: the same object as long as it stays the same. */
  readonly schema: JsonObject;
}

/** How to call a tool. */
export interface ToolCallWait {
  /** In milliseconds. */
  readonly timeoutMs: number;
  /** Ends the call early. */
  readonly signal?: CancelSignal;
  /** Gets progress until the answer comes; asks the server for it. */
  readonly onProgress?: ((progress: object) => void) | undefined;
}

/** The tools of the hosted MCP servers, as calls need them. */
export interface ToolHost {
  /** Finds a tool by the name that Agents use; `undefined` when it cannot be called, which `callTool` explains. */
  route(exposedName: string): ToolRoute | undefined;
  /** Whether the server runs, so that a call would really be sent. */
  isRunning(server: string): boolean;
  /** @throws ServerNotRunningError when it does not. */
  assertRunning(server: string): void;
  /**
   * Calls a tool with exactly these arguments.
   *
   * @returns what the MCP server answered, as it came.
   * @throws the errors of the MCP client layer.
   */
  callTool(exposedName: string, args: JsonObject, wait: ToolCallWait): Promise<JsonObject>;
}

/** Something that a user of this Computer can mend: logged as a warning and given to the application. */
export interface Diagnostic {
  /** The MCP server it is about, if it is about one. */
  readonly server?: string;
  /** The tool, resource URI, host or field it is about. */
  readonly item?: string;
  /** A sentence for a person, without secrets. */
  readonly problem: string;
}

/** Takes a diagnostic. Never throws. */
export type ReportDiagnostic = (diagnostic: Diagnostic) => void;

/** What a failure says, as one line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
