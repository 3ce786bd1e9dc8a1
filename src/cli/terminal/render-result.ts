import { printable } from './printable.js';
import { isJsonObject, type CallToolResult, type ContentBlock, type JsonObject } from '../../protocol/index.js';

/** A number of bytes for a person. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** `1 tool`, `2 tools`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** A tool's result as lines for a person: texts as they are, anything else named. */
export function renderResult(result: CallToolResult): string[] {
  const lines = result.content.map((block) => printable(renderBlock(block)));
  if (lines.length > 0 || result.structuredContent === undefined) return lines;
  return [JSON.stringify(result.structuredContent, null, 2)];
}

function renderBlock(block: ContentBlock): string {
  const { type, text, data, mimeType, uri, resource } = block;
  if (type === 'text' && typeof text === 'string') return text;
  if (typeof data === 'string') return `[${String(type)} ${String(mimeType)}, ${base64Size(data)}]`;
  if (type === 'resource_link') return `[link ${String(uri)}]`;
  if (isJsonObject(resource)) return renderResource(resource);
  return JSON.stringify(block);
}

function renderResource({ text, blob, uri, mimeType }: JsonObject): string {
  if (typeof text === 'string') return text;
  const facts = [
    ...(typeof mimeType === 'string' ? [mimeType] : []),
    ...(typeof blob === 'string' ? [base64Size(blob)] : []),
  ];
  return `[${[`resource ${String(uri)}`, ...facts].join(', ')}]`;
}

function base64Size(base64: string): string {
  return byteSize(Buffer.byteLength(base64, 'base64'));
}
