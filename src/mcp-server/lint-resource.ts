import { z } from 'zod';
import { DpeUri, isJsonObject, lintHost, UriError, WindowUri } from '../protocol/index.js';

const RULES = {
  window: {
    audience: 'assistant',
    annotations: { priority: z.number().min(0).max(1) },
    meta: { fullscreen: z.boolean() },
  },
  dpe: {
    audience: 'user',
    annotations: {},
    meta: {
      keywords: z.array(z.string()),
      file_type: z.string(),
      page_count: z.int().min(1),
      file_uri: z.string(),
    },
  },
} as const;

const lastModified = z.iso.datetime({ offset: true });

/**
 * Advice on a window or document that an MCP server lists, written by hand or made by the helpers: the style of its
 * host, a URI that only lenient readers take, metadata that readers will treat as absent. Resources of other schemes
 * are not judged. Protocol §4.2, §4.3.
 *
 * @returns sentences, none when everything is fine.
 *
 * @example
 * lintResource({ uri: 'window://Editor/main', name: 'main' });
 * // [ 'uri: host "Editor" should be lower case', … ]
 */
export function lintResource(resource: { readonly uri: string; readonly [field: string]: unknown }): string[] {
  const scheme = /^(window|dpe):/i.exec(resource.uri)?.[1]?.toLowerCase();
  if (scheme !== 'window' && scheme !== 'dpe') return [];
  const rules = RULES[scheme];
  const { annotations, _meta: meta } = resource;
  return [
    ...lintUri(scheme, resource.uri),
    ...lintAudience(annotations, rules.audience),
    ...lintFields('annotations', annotations, { ...rules.annotations, lastModified }),
    ...lintFields('_meta', meta, rules.meta),
  ];
}

function lintUri(scheme: 'window' | 'dpe', uri: string): string[] {
  try {
    const parsed = scheme === 'window' ? WindowUri.parseStrict(uri) : DpeUri.parseStrict(uri);
    const canonical = parsed.toString();
    const advice = lintHost(parsed.host).map((sentence) => `uri: ${sentence}`);
    return canonical === uri ? advice : [...advice, `uri: should be written ${canonical}`];
  } catch (error) {
    if (!(error instanceof UriError)) throw error;
    return [`uri: ${error.reason}`];
  }
}

function lintAudience(annotations: unknown, wanted: string): string[] {
  const audience = isJsonObject(annotations) ? annotations['audience'] : undefined;
  if (Array.isArray(audience) && audience.includes(wanted)) return [];
  return [`annotations.audience: should be ["${wanted}"]`];
}

function lintFields(container: string, value: unknown, schemas: Readonly<Record<string, z.ZodType>>): string[] {
  if (value == null) return [];
  if (!isJsonObject(value)) return [`${container}: should be an object`];
  return Object.entries(schemas)
    .filter(([field, schema]) => value[field] != null && !schema.safeParse(value[field]).success)
    .map(([field]) => `${container}.${field}: readers will ignore this value, it is not what the protocol asks for`);
}
