export { documentResource, type DocumentResourceOptions } from './document-resource.js';
export { lintResource } from './lint-resource.js';
export { type Audience, type McpResource } from './mcp-resource.js';
export { windowResource, type WindowResourceOptions } from './window-resource.js';
