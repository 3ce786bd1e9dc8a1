export { Agent } from './agent.js';
export { type AgentEvents } from './agent-events.js';
export { type AgentOptions } from './agent-options.js';
export { type ComputerConfig, type DocumentAccess, type OfficeMember, type ResourcePage } from './answers.js';
export { type DesktopOptions, type ResourcesOptions } from './computer-queries.js';
export {
  DocumentError,
  DocumentPage,
  DocumentPages,
  DpeDocument,
  type CheckBoxElement,
  type CodeSnippetElement,
  type DiscoveredDocument,
  type DiscoverOptions,
  type DiscoveryProblem,
  type DocumentElement,
  type DocumentFailure,
  type DocumentFetcher,
  type DocumentMarkdownOptions,
  type DocumentOptions,
  type DocumentPlace,
  type ElementOf,
  type FetchedContent,
  type FetchedDocument,
  type FetchRequest,
  type Found,
  type ImageElement,
  type ListItemElement,
  type MarkdownOptions,
  type OpenDocumentOptions,
  type PageOptions,
  type PagesOptions,
  type Sought,
  type TableElement,
  type TitleElement,
  type UncategorizedTextElement,
  type WholeTextOptions,
} from './documents/index.js';
export { isMcpServerNotFound } from './mcp-server-not-found.js';
export { type RequestOptions } from './requester.js';
export { type CallToolOptions } from './tool-caller.js';
export { type CatalogTool } from './tool-catalog.js';
export { type WatchDesktopOptions } from './watch-desktop.js';
export {
  ConnectionError,
  JoinRefusedError,
  PacketTooLargeError,
  RequestTimeoutError,
  UnsendablePayloadError,
  type Membership,
  type TransportName,
  type Unsubscribe,
} from '../client/index.js';
