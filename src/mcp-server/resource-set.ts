import type { McpResource } from './mcp-resource.js';
import type { ResourceContent } from './resource-content.js';
import { parseUri, type ParsedUri } from './resource-key.js';

/** What a function that gives content is told. */
export interface ReadRequest {
  /** As the client wrote it. */
  readonly uri: string;
  /** Aborted when the client does not want it any more. */
  readonly signal: AbortSignal;
}

/** One resource that is listed and read. */
export interface ResourceEntry {
  readonly resource: McpResource;
  readonly read: (request: ReadRequest) => Promise<ResourceContent[]>;
}

/** A template as it stands in the answer of MCP's `resources/templates/list`. */
export interface McpTemplate {
  uriTemplate: string;
  name: string;
  description?: string;
  mimeType?: string;
}

/** Documents of one host that are known only when somebody asks. */
export interface ResourceCollection {
  readonly template: McpTemplate;
  /** Lower case. */
  readonly host: string;
  readonly list: (signal: AbortSignal) => Promise<readonly McpResource[]>;
  /** @returns `undefined` when there is no such document. */
  readonly read: (parsed: ParsedUri, request: ReadRequest) => Promise<ResourceContent[] | undefined>;
}

/** The windows and documents of one MCP server. */
export class ResourceSet {
  readonly #entries = new Map<string, ResourceEntry>();
  readonly #collections = new Map<string, ResourceCollection>();

  /** The entry that a URI names. */
  entry(uri: string): ResourceEntry | undefined {
    return this.#entries.get(keyOf(uri));
  }

  /** Adds an entry, or puts it in the place of the one of its URI. */
  put(entry: ResourceEntry): void {
    this.#entries.set(keyOf(entry.resource.uri), entry);
  }

  collection(uriTemplate: string): ResourceCollection | undefined {
    return this.#collections.get(uriTemplate);
  }

  putCollection(collection: ResourceCollection): void {
    this.#collections.set(collection.template.uriTemplate, collection);
  }

  /** @param name - the URI of an entry, or the template of a collection. */
  delete(name: string): void {
    if (!this.#collections.delete(name)) this.#entries.delete(keyOf(name));
  }

  /** What is listed now: entries in the order in which they came, then collections; the first of each URI. */
  async list(signal: AbortSignal): Promise<readonly McpResource[]> {
    const lists = await Promise.all([...this.#collections.values()].map(({ list }) => list(signal)));
    const found = new Map<string, McpResource>();
    for (const { resource } of this.#entries.values()) found.set(keyOf(resource.uri), resource);
    for (const resource of lists.flat()) {
      const key = keyOf(resource.uri);
      if (!found.has(key)) found.set(key, resource);
    }
    return [...found.values()];
  }

  /** The templates of the collections. */
  templates(): McpTemplate[] {
    return [...this.#collections.values()].map(({ template }) => ({ ...template }));
  }

  /** @returns `undefined` when it is none of these resources. */
  async read(request: ReadRequest): Promise<ResourceContent[] | undefined> {
    const parsed = parseUri(request.uri);
    if (parsed === undefined) return undefined;
    const entry = this.#entries.get(parsed.key);
    if (entry !== undefined) return entry.read(request);
    if (parsed.scheme !== 'dpe' || parsed.segments.some(isDots)) return undefined;
    for (const collection of this.#collections.values()) {
      const contents = collection.host === parsed.host ? await collection.read(parsed, request) : undefined;
      if (contents !== undefined) return contents;
    }
    return undefined;
  }
}

/** No document is called that; whoever makes a path of a doc-ref need not know. */
function isDots(segment: string): boolean {
  return segment === '.' || segment === '..';
}

function keyOf(uri: string): string {
  return parseUri(uri)?.key ?? uri;
}
