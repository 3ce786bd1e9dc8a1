import { isJsonObject, type JsonObject, type McpServerConfig } from '../../protocol/index.js';
import { MASK } from '../redactor.js';
import { hasPlaceholder, replacePlaceholders } from '../inputs/placeholders.js';
import { EVERYDAY_HEADER, EVERYDAY_VARIABLE } from './everyday.js';
import { replaceAllTexts, replaceInUrls, replaceSecrets, type ReplaceSecret } from './secret-places.js';

/** The words that may stand before a placeholder without being a secret themselves: `Bearer ${input:token}`. */
const SCHEME_WORD =
  /^(bearer|basic|digest|token|api-?key|key|jwt|bot|oauth|negotiate|hmac|aws4-hmac-sha256)?[\s:=,;]*$/i;

const KNOWN_BASE = new Set([
  'name',
  'type',
  'disabled',
  'forbidden_tools',
  'tool_meta',
  'default_tool_meta',
  'vrl',
  'server_parameters',
]);

/** What an Agent sees of a text that may be a secret: placeholders, else the mask. Protocol §7.1. */
export function maskText(text: string): string {
  if (!hasPlaceholder(text)) return MASK;
  return SCHEME_WORD.test(replacePlaceholders(text, () => '').trim()) ? text : MASK;
}

/**
 * One server's unresolved configuration as `client:get_config` shows it: literals that may be secrets are masked,
 * placeholders stay, and so does everything else. Fields that this version does not know keep their keys only.
 * Protocol §7.1.
 *
 * @returns a copy; the original is left alone.
 */
export function maskServerConfig(config: McpServerConfig): McpServerConfig {
  const entries = Object.entries(config).map(([field, value]): [string, unknown] => [
    field,
    KNOWN_BASE.has(field) ? value : replaceAllTexts(value, maskText),
  ]);
  const shown = Object.fromEntries(entries) as McpServerConfig;
  return { ...shown, server_parameters: replaceSecrets(config.server_parameters, maskText) } as McpServerConfig;
}

/**
 * Every literal of a configuration that may be a secret, for the redactor: of a rendered configuration, all that the
 * rules of {@link maskServerConfig} would hide.
 */
export function secretsOf(config: McpServerConfig): string[] {
  const secrets = new Set(secretsOfParameters(withoutEveryday(config.server_parameters)));
  const collect = collectInto(secrets);
  for (const [field, value] of Object.entries(config)) if (!KNOWN_BASE.has(field)) replaceAllTexts(value, collect);
  return [...secrets];
}

/** The same for parameters alone, such as `{ args: […] }`. */
export function secretsOfParameters(parameters: JsonObject): string[] {
  const secrets = new Set<string>();
  replaceSecrets(parameters, collectInto(secrets));
  return [...secrets];
}

function collectInto(secrets: Set<string>): ReplaceSecret {
  const collect: ReplaceSecret = (value, place) => {
    for (const reading of readingsOf(value, place)) secrets.add(reading);
    // A value that is a URL holds secrets of its own: programs report a password without the address around it.
    replaceInUrls(value, (part, within) => (part === value ? part : collect(part, within)));
    return value;
  };
  return collect;
}

const EVERYDAY: Readonly<Record<string, RegExp>> = { env: EVERYDAY_VARIABLE, headers: EVERYDAY_HEADER };

function withoutEveryday(parameters: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([field, value]) => {
      const everyday = Object.hasOwn(EVERYDAY, field) ? EVERYDAY[field] : undefined;
      if (everyday === undefined || !isJsonObject(value)) return [field, value];
      return [field, Object.fromEntries(Object.entries(value).filter(([name]) => !everyday.test(name)))];
    }),
  );
}

/** A header's credentials also without the scheme word; userinfo also as its two halves; everything decoded too. */
function readingsOf(value: string, place: 'value' | 'userinfo'): string[] {
  const colon = value.indexOf(':');
  const halves = place === 'userinfo' && colon !== -1 ? [value.slice(0, colon), value.slice(colon + 1)] : [];
  const afterScheme = /^[\w-]+\s+(\S.*)$/s.exec(value)?.[1];
  const readings = [value, ...(afterScheme === undefined ? [] : [afterScheme]), ...halves];
  // Shorter ones are switches and versions, not secrets: hiding each `1` and `dev` would make every message useless.
  return [...readings, ...readings.map(decoded)].filter((part) => part.length > 3 && !hasPlaceholder(part));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
