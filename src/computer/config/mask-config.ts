import { isJsonObject, type JsonObject, type McpServerConfig, type McpServerInput } from '../../protocol/index.js';
import { MASK } from '../redactor.js';
import { hasPlaceholder, replacePlaceholders } from '../inputs/placeholders.js';
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
 * An input as `client:get_config` shows it: the default of a password is masked, and secrets in a command's arguments.
 *
 * @param redact - takes values out that are known by now: what a command prints may stand in its arguments.
 */
export function maskInput(input: McpServerInput, redact: (text: string) => string = (text) => text): McpServerInput {
  if (input.type === 'command') return maskCommandInput(input, redact);
  if (input.type === 'pickString' || input.password !== true || input.default == null) return input;
  return { ...input, default: MASK };
}

type CommandInput = Extract<McpServerInput, { type: 'command' }>;

function maskCommandInput(input: CommandInput, redact: (text: string) => string): CommandInput {
  if (input.args == null) return input;
  const list = Array.isArray(input.args) ? input.args : Object.entries(input.args).flat();
  const masked = replaceSecrets({ args: list }, maskText) as { args: string[] };
  const args = masked.args.map(redact);
  if (Array.isArray(input.args)) return { ...input, args };
  const entries = Object.keys(input.args).map((key, index): [string, string] => [key, args[2 * index + 1] ?? MASK]);
  return { ...input, args: Object.fromEntries(entries) };
}

/**
 * Every literal of a configuration that may be a secret, for the redactor: of a rendered configuration, all that the
 * rules of {@link maskServerConfig} would hide.
 */
export function secretsOf(config: McpServerConfig): string[] {
  const secrets = new Set<string>();
  const collect: ReplaceSecret = (value, place) => {
    for (const reading of readingsOf(value, place)) secrets.add(reading);
    // A value that is a URL holds secrets of its own: programs report a password without the address around it.
    replaceInUrls(value, (part, within) => (part === value ? part : collect(part, within)));
    return value;
  };
  replaceSecrets(withoutEveryday(config.server_parameters), collect);
  for (const [field, value] of Object.entries(config)) if (!KNOWN_BASE.has(field)) replaceAllTexts(value, collect);
  return [...secrets];
}

/** Variables and headers that are never a secret, and that messages must be able to name: the PATH that was searched. */
const EVERYDAY: Readonly<Record<string, RegExp>> = {
  env: /^(PATH|HOME|PWD|SHELL|TERM|TMPDIR|TEMP|TMP|TZ|USER|USERNAME|LANG|LC_\w+|NODE_ENV|NODE_PATH|PYTHONPATH|LOG_LEVEL)$/i,
  headers: /^(accept|accept-\w+|content-type|user-agent)$/i,
};

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
