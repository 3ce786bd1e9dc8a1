import { z } from 'zod';
import { DpeUri } from '../protocol/index.js';
import type { Audience, McpResource } from './mcp-resource.js';
import {
  absoluteUri,
  checkOptions,
  commonShape,
  filledText,
  present,
  segmentsSchema,
  toIso,
  uriBuilder,
} from './options.js';

/** What {@link documentResource} needs to know. */
export interface DocumentResourceOptions {
  /** Who owns the document: a reverse domain such as `com.example.reports`, in lower case. */
  readonly host: string;
  /**
   * The document's name at its host, as plain text that is encoded for you. A text is cut at each `/`; the items of a
   * list are segments of their own, whatever they contain.
   */
  readonly ref: string | readonly string[];
  /** The title; stands in the resource's `name`. */
  readonly title: string;
  /** What the document says, in a few sentences; stands in the resource's `description`. */
  readonly summary?: string;
  /** Words to find it by. */
  readonly keywords?: readonly string[];
  /** What the source is: `pdf`, `xlsx`, … */
  readonly fileType?: string;
  /** How many pages it has, at least 1. */
  readonly pageCount?: number;
  /** The absolute URI of the source, where Agents may know it. */
  readonly fileUri?: string;
  /** When it changed: a Date, or ISO 8601 with a time and an offset. */
  readonly lastModified?: Date | string;
  /**
   * The MIME type of what reading it yields.
   *
   * @default 'application/json', a DPE document
   */
  readonly mimeType?: string;
  /**
   * For whom it is.
   *
   * @default ['user']
   */
  readonly audience?: readonly Audience[];
}

const HELPER = 'documentResource';
const toUri = uriBuilder(HELPER, 'ref', (host, segments) => DpeUri.build(host, segments));
const schema = z.strictObject({
  ...commonShape,
  ref: segmentsSchema,
  title: filledText,
  summary: z.string({ error: 'expected a string' }).optional(),
  keywords: z.array(filledText, { error: 'expected a list of strings' }).optional(),
  fileType: filledText.optional(),
  pageCount: z.int({ error: 'expected a whole number' }).min(1, { error: 'must be at least 1' }).optional(),
  fileUri: absoluteUri.optional(),
});

/**
 * Declares a document: the resource that an MCP server lists so that Agents find it and open it by its URI. Protocol
 * §4.2, §4.3, §8.3.
 *
 * @returns an MCP resource with a strict URI, for the answer of `resources/list`.
 * @throws TypeError that names the option at fault.
 *
 * @example
 * documentResource({ host: 'com.example.reports', ref: '2026/annual', title: 'Annual report', pageCount: 42 });
 * // { uri: 'dpe://com.example.reports/2026/annual', name: 'Annual report', mimeType: 'application/json',
 * //   annotations: { audience: ['user'] }, _meta: { page_count: 42 } }
 */
export function documentResource(options: DocumentResourceOptions): McpResource {
  const { host, ref, ...rest } = checkOptions(HELPER, schema, options);
  const meta = present({
    keywords: rest.keywords,
    file_type: rest.fileType,
    page_count: rest.pageCount,
    file_uri: rest.fileUri,
  });
  return present<McpResource>({
    uri: toUri(host, ref),
    name: rest.title,
    description: rest.summary,
    mimeType: rest.mimeType ?? 'application/json',
    annotations: present({ audience: rest.audience ?? ['user'], lastModified: toIso(rest.lastModified) }),
    _meta: Object.keys(meta).length === 0 ? undefined : meta,
  });
}
