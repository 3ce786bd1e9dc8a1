import { isDeeperThan, isJsonObject, MAX_PAYLOAD_DEPTH, type JsonObject } from '../../protocol/index.js';
import type { Pages } from './pager.js';

/** The lists that MCP servers offer. */
export type ListKind = 'tools' | 'resources' | 'resourceTemplates';

/** Something in a server's list that was left out or is odd. */
export interface ListDiagnostic {
  readonly server: string;
  readonly kind: ListKind;
  /** The item's name or URI, or its place in the list. */
  readonly item: string;
  /** A sentence for a person. */
  readonly problem: string;
}

/** What could be read of a list: the items as the server wrote them. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  readonly diagnostics: readonly ListDiagnostic[];
}

/** A tool as an MCP server lists it, unchanged. */
export type ListedTool = JsonObject & { readonly name: string };
/** A resource as an MCP server lists it, unchanged. */
export type ListedResource = JsonObject & { readonly uri: string };
/** A resource template as an MCP server lists it, unchanged. */
export type ListedTemplate = JsonObject & { readonly uriTemplate: string };

interface ListOf {
  tools: ListedTool;
  resources: ListedResource;
  resourceTemplates: ListedTemplate;
}

/** Key of what identifies an item of each list. */
export const IDENTITY = { tools: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' } as const;

/**
 * Reads a list item by item: an item needs only its name or URI. Nothing else of it is looked at, so one bad item never
 * costs the others; only one that nests deeper than any payload may is left out, as what walks over it would fall over.
 */
export function readListing<Kind extends ListKind>(server: string, kind: Kind, pages: Pages): Listing<ListOf[Kind]> {
  const identity = IDENTITY[kind];
  const items: JsonObject[] = [];
  const diagnostics: ListDiagnostic[] = [];
  for (const problem of pages.problems) diagnostics.push({ server, kind, item: '(list)', problem });
  for (const [index, item] of pages.items.entries()) {
    const problem = problemWith(item, identity);
    if (problem === undefined) items.push(item as JsonObject);
    else diagnostics.push({ server, kind, item: `#${index + 1}`, problem });
  }
  return { items: items as unknown as ListOf[Kind][], diagnostics };
}

function problemWith(item: unknown, identity: string): string | undefined {
  if (!isJsonObject(item)) return 'left out: it is not an object';
  const value = item[identity];
  if (typeof value !== 'string') return `left out: its ${identity} is not a string`;
  if (value.trim() === '') return `left out: its ${identity} is empty`;
  const isTooDeep = isDeeperThan(item, MAX_PAYLOAD_DEPTH);
  return isTooDeep ? `left out: it nests deeper than ${MAX_PAYLOAD_DEPTH} levels` : undefined;
}

/** The tool's `inputSchema` as it stands, or the schema of any object where the server gave none. */
export function paramsSchemaOf(tool: ListedTool): JsonObject {
  return isJsonObject(tool['inputSchema']) ? tool['inputSchema'] : { type: 'object' };
}

/** The tool's `outputSchema` as it stands, `null` where there is none. */
export function returnSchemaOf(tool: ListedTool): JsonObject | null {
  return isJsonObject(tool['outputSchema']) ? tool['outputSchema'] : null;
}
