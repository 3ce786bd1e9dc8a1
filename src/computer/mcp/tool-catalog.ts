import {
  isJsonObject,
  mergeToolMeta,
  type McpServerConfig,
  type SmcpTool,
  type ToolMeta,
} from '../../protocol/index.js';
import { paramsSchemaOf, returnSchemaOf, type ListedTool } from './lenient-lists.js';

/** One server's part of the catalogue. */
export interface CatalogServer {
  readonly config: Pick<McpServerConfig, 'name' | 'forbidden_tools' | 'tool_meta' | 'default_tool_meta'>;
  /** What it listed last; empty for a server that never did. */
  readonly tools: readonly ListedTool[];
  /** It waits for a login: its tools are not listed, but a call is told so. Protocol §6.5. */
  readonly waitsForLogin?: boolean;
}

/** One tool and the way to it. */
interface CatalogTool {
  readonly server: string;
  /** The name that the MCP server knows. */
  readonly originalName: string;
  /** As the Agent sees it. */
  readonly tool: SmcpTool;
  /** `tool_meta` over `default_tool_meta`; `undefined` when nothing is configured. */
  readonly meta: ToolMeta | undefined;
}

/** A tool that is not listed, and why. */
export interface HiddenTool {
  readonly why: 'forbidden' | 'login' | 'conflict';
  readonly server: string;
  readonly originalName: string;
  /** The name under which it would be listed. */
  readonly exposedName: string;
  /** As its server listed it. */
  readonly listed: ListedTool;
  readonly meta: ToolMeta | undefined;
}

/** Something in the configuration of tools that a user can mend. */
interface CatalogDiagnostic {
  readonly server: string;
  readonly item: string;
  readonly problem: string;
}

/** What an exposed name leads to. */
export type Route =
  | ({ readonly kind: 'tool' } & CatalogTool)
  | { readonly kind: 'forbidden'; readonly server: string }
  | { readonly kind: 'login'; readonly server: string };

/** The one table from exposed name to server and tool, made when listing. Protocol §4.1, §7.3. */
export interface ToolCatalog {
  /** Listed tools by exposed name, in configuration order. */
  readonly tools: ReadonlyMap<string, CatalogTool>;
  readonly diagnostics: readonly CatalogDiagnostic[];
  /** What the servers have beside those. */
  readonly hidden: readonly HiddenTool[];
  /** Where a call of this name goes; `undefined` for a name that nobody has. */
  readonly route: (exposedName: string) => Route | undefined;
}

type Scalar = string | number | boolean;
type MetaValue = SmcpTool['meta'][string];

const TOOL_META_KEY = 'a2c_tool_meta';
const ANNOTATION_KEY = 'MCP_TOOL_ANNOTATION';

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

function isFlatList(value: unknown): value is MetaValue {
  return Array.isArray(value) && value.every((item) => isScalar(item) && typeof item === typeof value[0]);
}

/** A value of `meta`: flat values as they are, everything else as JSON text. Protocol §4.1. */
function flat(value: unknown): MetaValue {
  return isScalar(value) || isFlatList(value) ? value : JSON.stringify(value);
}

function flatMeta(tool: ListedTool, meta: ToolMeta | undefined): SmcpTool['meta'] {
  // No prototype: a server may call a key `__proto__`.
  const result = Object.create(null) as Record<string, MetaValue>;
  const own = tool['_meta'];
  for (const [key, value] of isJsonObject(own) ? Object.entries(own) : []) {
    // A server cannot pretend to be configured.
    if (key !== TOOL_META_KEY && key !== ANNOTATION_KEY && value !== undefined) result[key] = flat(value);
  }
  if (isJsonObject(tool['annotations'])) result[ANNOTATION_KEY] = JSON.stringify(tool['annotations']);
  if (meta !== undefined) result[TOOL_META_KEY] = JSON.stringify(meta);
  return result;
}

/** A listed tool as the Agent sees it. Protocol §4.1. */
export function toSmcpTool(exposedName: string, tool: ListedTool, meta: ToolMeta | undefined): SmcpTool {
  const { description } = tool;
  return {
    name: exposedName,
    description: typeof description === 'string' ? description : '',
    params_schema: paramsSchemaOf(tool),
    return_schema: returnSchemaOf(tool),
    meta: flatMeta(tool, meta),
  };
}

function ownValue(record: Readonly<Record<string, ToolMeta>>, key: string): ToolMeta | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** The alias, unless it is no usable name. */
function exposedNameOf(originalName: string, meta: ToolMeta | undefined): string {
  const alias = meta?.alias;
  return typeof alias === 'string' && alias.trim() !== '' ? alias : originalName;
}

/**
 * Builds the catalogue from what the servers listed, in configuration order: of two tools with one exposed name the
 * later is left out, with a diagnostic that says how to set an alias. Changes nothing that it is given.
 */
export function buildToolCatalog(servers: readonly CatalogServer[]): ToolCatalog {
  const builder = new CatalogBuilder();
  for (const server of servers) builder.addServer(server);
  return builder.build();
}

class CatalogBuilder {
  readonly #tools = new Map<string, CatalogTool>();
  readonly #aside = new Map<string, Route>();
  readonly #diagnostics: CatalogDiagnostic[] = [];
  readonly #hidden: HiddenTool[] = [];

  addServer(server: CatalogServer): void {
    const seen = new Set<string>();
    for (const tool of server.tools) {
      if (seen.has(tool.name)) this.#report(server, tool.name, 'left out: the server lists this name twice');
      else this.#addTool(server, tool);
      seen.add(tool.name);
    }
    // A server that has listed nothing (yet) has no unknown names.
    if (server.tools.length > 0) this.#reportUnknown(server, seen);
  }

  build(): ToolCatalog {
    const [tools, aside] = [this.#tools, this.#aside];
    const route = (exposedName: string): Route | undefined => {
      const found = tools.get(exposedName);
      return found === undefined ? aside.get(exposedName) : { kind: 'tool', ...found };
    };
    return { tools, diagnostics: this.#diagnostics, hidden: this.#hidden, route };
  }

  #addTool(server: CatalogServer, tool: ListedTool): void {
    const { name, forbidden_tools: forbidden, tool_meta: toolMeta, default_tool_meta: defaults } = server.config;
    const meta = mergeToolMeta(defaults, ownValue(toolMeta, tool.name));
    const exposedName = exposedNameOf(tool.name, meta);
    const hide = (why: HiddenTool['why']): void => {
      this.#hidden.push({ why, server: name, originalName: tool.name, exposedName, listed: tool, meta });
    };
    if (forbidden.includes(tool.name)) {
      hide('forbidden');
      this.#setAside(exposedName, { kind: 'forbidden', server: name });
      this.#setAside(tool.name, { kind: 'forbidden', server: name });
    } else if (server.waitsForLogin === true) {
      hide('login');
      this.#setAside(exposedName, { kind: 'login', server: name });
    } else {
      const other = this.#tools.get(exposedName);
      if (other === undefined) {
        this.#tools.set(exposedName, entry(name, tool, { exposedName, meta }));
      } else {
        hide('conflict');
        this.#report(server, tool.name, conflict(exposedName, other, name));
      }
    }
  }

  #setAside(exposedName: string, route: Route): void {
    if (!this.#aside.has(exposedName)) this.#aside.set(exposedName, route);
  }

  #reportUnknown(server: CatalogServer, known: ReadonlySet<string>): void {
    const { forbidden_tools: forbidden, tool_meta: toolMeta } = server.config;
    const unknown = (field: string, name: string): void => {
      if (!known.has(name)) this.#report(server, name, `${field} names a tool that the server does not list`);
    };
    for (const name of forbidden) unknown('forbidden_tools', name);
    for (const name of Object.keys(toolMeta)) unknown('tool_meta', name);
  }

  #report(server: CatalogServer, item: string, problem: string): void {
    this.#diagnostics.push({ server: server.config.name, item, problem });
  }
}

function entry(
  server: string,
  tool: ListedTool,
  { exposedName, meta }: { exposedName: string; meta: ToolMeta | undefined },
): CatalogTool {
  return { server, originalName: tool.name, tool: toSmcpTool(exposedName, tool, meta), meta };
}

function conflict(exposedName: string, other: CatalogTool, server: string): string {
  const owner = `tool "${other.originalName}" of server "${other.server}"`;
  const where = `servers → "${server}" → tool_meta`;
  return `left out: ${owner} is already called "${exposedName}". Give one of them another name: ${where} → "alias"`;
}

/** The tools on the wire, in order. */
export function listedTools(catalog: ToolCatalog): SmcpTool[] {
  return [...catalog.tools.values()].map(({ tool }) => tool);
}
