import type { SmcpTool, ToolMeta } from '../../protocol/index.js';
import { nearNames } from '../config/nearest-name.js';
import { redactTool } from './redact-tool.js';
import { isUp, type ServerState } from './server-state.js';
import { toSmcpTool, type HiddenTool, type ToolCatalog } from './tool-catalog.js';

/** What is known of one tool. */
export interface ToolDetails {
  /** The name that Agents call, or would call. */
  readonly exposedName: string;
  readonly server: string;
  /** The tool's own name on its server. */
  readonly originalName: string;
  /** As Agents see it, or would see it: description, schemas, metadata. */
  readonly tool: SmcpTool;
  /** Its merged metadata; `undefined` when nothing is configured. */
  readonly meta: ToolMeta | undefined;
  /** Whether it runs without anybody being asked. */
  readonly autoApply: boolean;
  /** It stands in `forbidden_tools`: not listed, and a call gives 4002. */
  readonly forbidden: boolean;
  /** Whether Agents see it in the list of tools. */
  readonly listed: boolean;
}

/** Why a name cannot be called. */
export interface ToolExplanation {
  /**
   * `forbidden`: it stands in `forbidden_tools`. `renamed`: it has an alias, which alone can be called. `server-down`: the
   * server that has it, or had it, does not run. `conflict`: a tool of an earlier server has its name. `unknown`: nobody
   * has it, as far as is known.
   */
  readonly cause: 'forbidden' | 'renamed' | 'server-down' | 'conflict' | 'unknown';
  /** The server that has the tool. */
  readonly server?: string;
  /** The state of that server. */
  readonly state?: ServerState;
  /** The name to call instead; for a conflict the name that both want. */
  readonly exposedAs?: string;
  /** Names of listed tools that may have been meant, nearest first. */
  readonly near?: readonly string[];
  /** The servers that do not run, one of which may have it. */
  readonly down?: readonly { readonly server: string; readonly state: ServerState }[];
}

/** A configured server, and what is known of its tools. */
export interface ExplainedServer {
  readonly name: string;
  readonly state: ServerState;
  /** The names of every tool that it ever listed or that its configuration speaks of, exposed ones too. */
  readonly knownNames: ReadonlySet<string>;
}

/** What a {@link toolDetails} and {@link explainTool} look at. */
export interface ToolFacts {
  readonly catalog: ToolCatalog;
  readonly servers: readonly ExplainedServer[];
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
}

/** What is known of the tool with this exposed name, or of the one that is hidden under this name. */
export function toolDetails(name: string, { catalog, redact }: ToolFacts): ToolDetails | undefined {
  const listed = catalog.tools.get(name);
  if (listed !== undefined) {
    const { server, originalName, tool, meta } = listed;
    return detailsOf({ exposedName: name, server, originalName, tool, meta, forbidden: false, listed: true }, redact);
  }
  const hidden = hiddenAs(name, catalog);
  if (hidden === undefined) return undefined;
  const { server, originalName, exposedName, meta, why } = hidden;
  const tool = toSmcpTool(exposedName, hidden.listed, meta);
  const forbidden = why === 'forbidden';
  return detailsOf({ exposedName, server, originalName, tool, meta, forbidden, listed: false }, redact);
}

/** Why a name cannot be called; `undefined` when it can. */
export function explainTool(name: string, { catalog, servers }: ToolFacts): ToolExplanation | undefined {
  const stateOf = (server: string): ServerState => servers.find((one) => one.name === server)?.state ?? 'stopped';
  const found = catalog.tools.get(name);
  if (found !== undefined) {
    const state = stateOf(found.server);
    return isUp(state) ? undefined : { cause: 'server-down', server: found.server, state };
  }
  const hidden = hiddenAs(name, catalog);
  if (hidden !== undefined) {
    const { server, why } = hidden;
    const cause = WHY[why];
    return {
      cause,
      server,
      state: stateOf(server),
      ...(why === 'conflict' ? { exposedAs: hidden.exposedName } : undefined),
    };
  }
  const renamed = [...catalog.tools].find(([, { originalName }]) => originalName === name);
  if (renamed !== undefined) {
    const [exposedAs, { server }] = renamed;
    return { cause: 'renamed', server, state: stateOf(server), exposedAs };
  }
  const down = servers.filter(({ state }) => !isUp(state));
  const owner = down.find(({ knownNames }) => knownNames.has(name));
  if (owner !== undefined) return { cause: 'server-down', server: owner.name, state: owner.state };
  const near = nearNames(name, [...catalog.tools.keys()]);
  return { cause: 'unknown', near, down: down.map((one) => ({ server: one.name, state: one.state })) };
}

const WHY = { forbidden: 'forbidden', login: 'server-down', conflict: 'conflict' } as const;

/** By its exposed name first: another tool's own name may be the same. */
function hiddenAs(name: string, { hidden }: ToolCatalog): HiddenTool | undefined {
  return (
    hidden.find(({ exposedName }) => exposedName === name) ?? hidden.find(({ originalName }) => originalName === name)
  );
}

function detailsOf(details: Omit<ToolDetails, 'autoApply'>, redact: (text: string) => string): ToolDetails {
  return { ...details, tool: redactTool(details.tool, redact), autoApply: details.meta?.auto_apply === true };
}
