import type { McpServer } from '@modelcontextprotocol/server';
import { assertContent, pageCountOf, readContent, type DocumentContent } from './document-content.js';
import { checkContentsOptions, type DocumentContentsOptions } from './document-contents.js';
import { documentResource, type DocumentResourceOptions } from './document-resource.js';
import { present } from './options.js';
import { RegisteredResources, type Registered } from './registered-resources.js';
import { ResourceHub } from './resource-hub.js';
import type { ReadRequest } from './resource-set.js';

/** The content of a document, or a function that is asked each time somebody reads it. */
export type DocumentContentSource =
  DocumentContent | ((request: ReadRequest) => DocumentContent | Promise<DocumentContent>);

/** A document and its content. The number of its pages is filled in where the content is given by value. */
export interface DocumentDefinition extends DocumentResourceOptions {
  readonly content: DocumentContentSource;
}

const HELPER = 'registerDocuments';

/**
 * Registers documents on a server of the official SDK: they are listed, read and subscribed to, and Agents open them
 * through the Computer that hosts the server. May be called several times, together with `registerWindows` and beside
 * resources of your own. What your functions throw goes to `server.server.onerror`; the client is told that the document
 * could not be read, and no more. Protocol §4.2, §4.3, §8.3, §8.5.
 *
 * @param server - not connected yet, or made with the capabilities `{ resources: { subscribe: true, listChanged: true } }`.
 * @param documents - what there is now; {@link registerDocumentCollection} is for what is known only when somebody asks.
 * @param options - how pages are given: as they are, or by reference where they are large.
 * @returns a handle to change them by.
 * @throws TypeError that names the option at fault; Error when it is too late for this server.
 *
 * @example
 * registerDocuments(server, [
 *   {
 *     host: 'com.example.reports',
 *     ref: '2026/annual',
 *     title: 'Annual report',
 *     content: { pages: [page([title('Annual report'), paragraph('It was a good year.')])] },
 *   },
 * ]);
 */
export function registerDocuments(
  server: McpServer,
  documents: readonly DocumentDefinition[],
  options: DocumentContentsOptions = {},
): RegisteredDocuments {
  return RegisteredDocuments.register(server, documents, options);
}

/** The documents that {@link registerDocuments} registered. */
export class RegisteredDocuments extends RegisteredResources<DocumentDefinition, DocumentContentSource> {
  readonly #options: DocumentContentsOptions;

  private constructor(hub: ResourceHub, options: DocumentContentsOptions) {
    super(HELPER, hub);
    this.#options = options;
  }

  /** See {@link registerDocuments}. */
  static register(
    server: McpServer,
    documents: readonly DocumentDefinition[],
    options: DocumentContentsOptions,
  ): RegisteredDocuments {
    checkContentsOptions(HELPER, options);
    const registered = new RegisteredDocuments(ResourceHub.of(HELPER, server), options);
    registered.addAll(documents);
    return registered;
  }

  protected override register(definition: DocumentDefinition): Registered<DocumentDefinition> {
    const { content, ...options } = definition;
    const described = present({ ...options, pageCount: options.pageCount ?? pageCountOf(content) });
    const resource = documentResource(described);
    if (typeof content !== 'function') assertContent(`${HELPER}: ${resource.uri}`, content);
    return {
      definition,
      entry: {
        resource,
        read: async (request) => {
          const given: unknown = typeof content === 'function' ? await content(request) : content;
          assertContent(`${HELPER}: ${resource.uri}`, given);
          return readContent(request.uri, options, given, this.#options);
        },
      },
    };
  }

  protected override withContent(definition: DocumentDefinition, content: DocumentContentSource): DocumentDefinition {
    return { ...definition, content };
  }
}
