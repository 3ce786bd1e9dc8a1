export { discoverDocuments, type DiscoverOptions, type DiscoveryProblem } from './discover-documents.js';
export { type DiscoveredDocument } from './discovered-document.js';
export { DocumentError, type DocumentFailure, type DocumentPlace } from './document-error.js';
export { type DocumentOptions } from './document-options.js';
export { DocumentPage } from './document-page.js';
export { DocumentPages, type PageOptions, type PagesOptions } from './document-pages.js';
export { Documents, type FetchedDocument, type OpenDocumentOptions } from './documents.js';
export {
  DpeDocument,
  type DocumentMarkdownOptions,
  type Found,
  type Sought,
  type WholeTextOptions,
} from './dpe-document.js';
export {
  type CheckBoxElement,
  type CodeSnippetElement,
  type DocumentElement,
  type ElementOf,
  type ImageElement,
  type ListItemElement,
  type TableElement,
  type TitleElement,
  type UncategorizedTextElement,
} from './elements.js';
export { type DocumentFetcher, type FetchedContent, type FetchRequest } from './fetcher.js';
export { type MarkdownOptions } from './page-markdown.js';
