import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { assertContent, readContent, type DocumentContent } from './document-content.js';
import { checkContentsOptions, type DocumentContentsOptions } from './document-contents.js';
import { documentResource, type DocumentResourceOptions } from './document-resource.js';
import type { McpResource } from './mcp-resource.js';
import { checkOptions, filledText, present } from './options.js';
import { ResourceHub } from './resource-hub.js';
import type { ReadRequest, ResourceCollection } from './resource-set.js';

/** A document of a collection as it is listed: everything but the host, which is the collection's. */
export type ListedDocument = Omit<DocumentResourceOptions, 'host'>;

/** What a collection is asked for. */
export interface DocumentRequest extends ReadRequest {
  /**
   * The segments of the doc-ref, decoded one by one; `.` and `..` are refused before. One of them may hold a `/`: none is
   * a name of a file before you judged it.
   */
  readonly segments: readonly string[];
}

/** Documents of one host that are known only when somebody asks: a folder, a database, a search. */
export interface DocumentCollection {
  /** Whose documents they are: a reverse domain such as `com.example.reports`, in lower case. */
  readonly host: string;
  /** A name for people. */
  readonly name: string;
  /** What can be found here. */
  readonly description?: string;
  /**
   * Lists what there is now. A document that is described wrongly is left out, and told to `server.server.onerror`.
   *
   * @default nothing is listed; whoever knows a doc-ref can read it
   */
  readonly list?: (request: {
    readonly signal: AbortSignal;
  }) => Iterable<ListedDocument> | Promise<Iterable<ListedDocument>>;
  /**
   * Gives the content of a document, listed or not; pages may bring a title and the like.
   *
   * @param ref - the doc-ref as it stands in the URI: segments encoded, joined by `/`.
   * @returns `undefined` when there is no such document.
   */
  readonly read: (
    ref: string,
    request: DocumentRequest,
  ) => DocumentContent | undefined | Promise<DocumentContent | undefined>;
}

/** A collection that was registered. */
export interface RegisteredCollection {
  /** What the list function gives is another list. */
  listChanged(): void;
  /**
   * A document is another one: tells its subscribers.
   *
   * @param ref - as in {@link DocumentResourceOptions.ref}.
   */
  update(ref: string | readonly string[]): void;
  /** Takes the collection away. Idempotent. */
  remove(): void;
}

const HELPER = 'registerDocumentCollection';
const functionSchema = z.custom<(...args: never) => unknown>((value) => typeof value === 'function', {
  error: 'expected a function',
});
const schema = z.strictObject({
  host: z.string({ error: 'expected a string' }),
  name: filledText,
  description: z.string({ error: 'expected a string' }).optional(),
  list: functionSchema.optional(),
  read: functionSchema,
});

/**
 * Registers documents that are known only when somebody asks, on a server of the official SDK: the template
 * `dpe://{host}/{+ref}` stands for them, so that Computers find the server by the host. Everything else is as in
 * `registerDocuments`. Protocol §4.2, §8.3.
 *
 * @param server - not connected yet, or made with the capabilities `{ resources: { subscribe: true, listChanged: true } }`.
 * @returns a handle to tell changes by.
 * @throws TypeError that names the option at fault, or a host that has a collection already; Error when it is too late
 *   for this server.
 *
 * @example
 * registerDocumentCollection(server, {
 *   host: 'com.example.wiki',
 *   name: 'The wiki',
 *   read: async (ref) => ({ pages: [page([paragraph(await wiki.text(ref))])] }),
 * });
 */
export function registerDocumentCollection(
  server: McpServer,
  collection: DocumentCollection,
  options: DocumentContentsOptions = {},
): RegisteredCollection {
  checkOptions(HELPER, schema, collection);
  checkContentsOptions(HELPER, options);
  const { host } = collection;
  // Refuses a host that cannot stand in a URI.
  const uriOf = (ref: string | readonly string[]): string => documentResource({ host, ref, title: host }).uri;
  const uriTemplate = uriOf('ref').replace(/ref$/, '{+ref}');
  const hub = ResourceHub.of(HELPER, server);
  if (hub.set.collection(uriTemplate) !== undefined) {
    throw new TypeError(`${HELPER}: host: ${JSON.stringify(host)} has a collection already; remove() it first`);
  }
  const own = toHub(collection, uriTemplate, options, hub);
  hub.set.putCollection(own);
  hub.notices.listChanged();
  return {
    listChanged: () => {
      hub.notices.listChanged();
    },
    update: (ref) => {
      hub.notices.changed(uriOf(ref));
    },
    remove: () => {
      if (hub.set.collection(uriTemplate) !== own) return;
      hub.set.delete(uriTemplate);
      hub.notices.listChanged();
    },
  };
}

function toHub(
  collection: DocumentCollection,
  uriTemplate: string,
  options: DocumentContentsOptions,
  hub: ResourceHub,
): ResourceCollection {
  const { host, name, description } = collection;
  return {
    template: present({ uriTemplate, name, description }),
    host: host.toLowerCase(),
    list: async (signal) => {
      const listed = (await collection.list?.({ signal })) ?? [];
      return [...listed].flatMap((document) => describe(host, document, hub));
    },
    read: async ({ segments }, { uri, signal }) => {
      const ref = segments.map(encodeURIComponent).join('/');
      const content = await collection.read(ref, { uri, signal, segments });
      if (content === undefined) return undefined;
      assertContent(`${HELPER}: ${uri}`, content);
      return readContent(uri, { host, ref: segments, title: ref }, content, options);
    },
  };
}

/** One document that is described wrongly costs itself only. */
function describe(host: string, document: ListedDocument, hub: ResourceHub): McpResource[] {
  try {
    return [documentResource({ ...document, host })];
  } catch (error) {
    hub.report(error);
    return [];
  }
}
