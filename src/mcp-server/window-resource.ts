import { z } from 'zod';
import { WindowUri } from '../protocol/index.js';
import type { Audience, McpResource } from './mcp-resource.js';
import { checkOptions, commonShape, filledText, present, segmentsSchema, toIso, uriBuilder } from './options.js';

/** What {@link windowResource} needs to know. */
export interface WindowResourceOptions {
  /** Who owns the window: a reverse domain such as `com.example.editor`, in lower case. */
  readonly host: string;
  /**
   * Where the window is at its host, as plain text that is encoded for you. A text is cut at each `/`; the items of a
   * list are segments of their own, whatever they contain.
   *
   * @default no path: `window://{host}`
   */
  readonly path?: string | readonly string[];
  /** A name for people. */
  readonly name: string;
  /** What the window shows. */
  readonly description?: string;
  /**
   * From 0 to 1; windows of one MCP server are shown in descending order.
   *
   * @default 0, left out
   */
  readonly priority?: number;
  /**
   * Whether it hides the other windows of its MCP server.
   *
   * @default false, left out
   */
  readonly fullscreen?: boolean;
  /** The MIME type of its content. */
  readonly mimeType?: string;
  /** When its content changed: a Date, or ISO 8601 with a time and an offset. */
  readonly lastModified?: Date | string;
  /**
   * For whom it is.
   *
   * @default ['assistant']
   */
  readonly audience?: readonly Audience[];
}

const HELPER = 'windowResource';
const toUri = uriBuilder(HELPER, 'path', (host, segments) => WindowUri.build(host, segments));
const schema = z.strictObject({
  ...commonShape,
  path: segmentsSchema.optional(),
  name: filledText,
  description: z.string({ error: 'expected a string' }).optional(),
  priority: z
    .number({ error: 'expected a number from 0 to 1' })
    .min(0, { error: 'must be at least 0' })
    .max(1, { error: 'must be at most 1' })
    .optional(),
  fullscreen: z.boolean({ error: 'expected true or false' }).optional(),
});

/**
 * Declares a window: the resource that an MCP server lists so that its content shows on the desktop of a Computer.
 * The server must also declare the capability `resources.subscribe`. Protocol §4.2, §4.3, §8.1.
 *
 * @returns an MCP resource with a strict URI, for the answer of `resources/list`.
 * @throws TypeError that names the option at fault.
 *
 * @example
 * windowResource({ host: 'com.example.editor', path: 'open/main.ts', name: 'main.ts', priority: 0.8 });
 * // { uri: 'window://com.example.editor/open/main.ts', name: 'main.ts',
 * //   annotations: { audience: ['assistant'], priority: 0.8 } }
 */
export function windowResource(options: WindowResourceOptions): McpResource {
  const { host, path = [], fullscreen, ...rest } = checkOptions(HELPER, schema, options);
  return present<McpResource>({
    uri: toUri(host, path),
    name: rest.name,
    description: rest.description,
    mimeType: rest.mimeType,
    annotations: present({
      audience: rest.audience ?? ['assistant'],
      priority: rest.priority,
      lastModified: toIso(rest.lastModified),
    }),
    _meta: fullscreen === undefined ? undefined : { fullscreen },
  });
}
