export { buildDocument, type DocumentInput } from './build-document.js';
export { type DocumentContent, type PagedContent } from './document-content.js';
export {
  documentContents,
  referenceContents,
  DOCUMENT_MIME_TYPE,
  DOCUMENT_REFERENCE_MIME_TYPE,
  INLINE_DOCUMENT_MIME_TYPE,
  type DocumentContentsOptions,
  type DocumentReference,
  type LargeDocument,
} from './document-contents.js';
export { documentResource, type DocumentResourceOptions } from './document-resource.js';
export {
  caption,
  code,
  element,
  image,
  linkedPage,
  listItem,
  page,
  paragraph,
  table,
  title,
  type ElementInput,
  type ElementMetadata,
  type PageFields,
  type PageInput,
  type TableCell,
} from './dpe-elements.js';
export { lintResource } from './lint-resource.js';
export { type Audience, type McpResource } from './mcp-resource.js';
export {
  registerDocumentCollection,
  type DocumentCollection,
  type DocumentRequest,
  type ListedDocument,
  type RegisteredCollection,
} from './register-collection.js';
export {
  registerDocuments,
  type DocumentContentSource,
  type DocumentDefinition,
  type RegisteredDocuments,
} from './register-documents.js';
export {
  registerWindows,
  type RegisteredWindows,
  type WindowContent,
  type WindowDefinition,
} from './register-windows.js';
export { type RegisteredResources } from './registered-resources.js';
export { type ResourceContent } from './resource-content.js';
export { type ReadRequest } from './resource-set.js';
export { windowResource, type WindowResourceOptions } from './window-resource.js';
