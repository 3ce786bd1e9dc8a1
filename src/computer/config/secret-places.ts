import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import { OAUTH_FIELDS } from '../login/oauth-settings.js';
import { withoutPlaceholders } from '../inputs/placeholders.js';

/**
 * Decides what stands in the place of a text that may be a secret; userinfo is `user:password`, percent-encoded. The name
 * is that of the variable, header, option or parameter that holds it, where there is one.
 */
export type ReplaceSecret = (value: string, place: 'value' | 'userinfo', name?: string) => string;

/** Options and variables whose value is a secret. Protocol §7.1. */
export const SECRET_NAME =
  /key(?!board|word|stroke|frame)|token|secret|passw|passphrase|pwd|auth(?!ors?(?![a-z]))|credential|bearer/i;
const URL_TEXT = /[A-Za-z][A-Za-z0-9+.-]*:\/\/[^\s"'<>]+/g;

/**
 * Walks the `server_parameters` of a configuration and replaces every text that may be a secret: `env` and `headers`
 * values, values of secret-like options in `args`, userinfo and query values of URLs wherever they stand, and every
 * text in a field that this version does not know. Protocol §7.1.
 *
 * @returns a copy; the original is left alone.
 */
export function replaceSecrets(parameters: JsonObject, replace: ReplaceSecret): JsonObject {
  return mapValues(parameters, (value, field) => {
    if (field === 'env' || field === 'headers') return replaceAllTexts(value, replace);
    if (field === 'args' && Array.isArray(value)) return replaceInArgs(value, replace);
    if (field === 'url' && typeof value === 'string') return replaceInWholeUrl(value, replace);
    if (field === 'oauth' && isJsonObject(value)) return replaceInOAuth(value, replace);
    if (KNOWN_PLAIN.has(field)) return typeof value === 'string' ? replaceInUrls(value, replace) : value;
    return replaceAllTexts(value, replace);
  });
}

const KNOWN_PLAIN = new Set([
  'command',
  'cwd',
  'envFile',
  'encoding',
  'encoding_error_handler',
  'timeout',
  'sse_read_timeout',
  'terminate_on_close',
]);

/** Of a login, the client and what it asks for are no secrets, and messages must be able to say `read`. */
function replaceInOAuth(oauth: JsonObject, replace: ReplaceSecret): JsonObject {
  return mapValues(oauth, (value, key) => (OAUTH_PLAIN.has(key) ? value : replaceAllTexts(value, replace, key)));
}

const OAUTH_PLAIN = new Set(OAUTH_FIELDS.filter((field) => !SECRET_NAME.test(field)));

/** Every text within a value replaced; keys stay. */
export function replaceAllTexts(value: unknown, replace: ReplaceSecret, name?: string): unknown {
  if (typeof value === 'string') return replace(value, 'value', name);
  if (Array.isArray(value)) return value.map((item) => replaceAllTexts(item, replace, name));
  return isJsonObject(value) ? mapValues(value, (item, key) => replaceAllTexts(item, replace, key)) : value;
}

function mapValues(object: JsonObject, map: (value: unknown, key: string) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));
}

function replaceInArgs(args: readonly unknown[], replace: ReplaceSecret): unknown[] {
  return args.map((arg, index) => {
    if (typeof arg !== 'string') return arg;
    const previous = args[index - 1];
    return replaceInArg(arg, typeof previous === 'string' ? previous : '', replace);
  });
}

function replaceInArg(arg: string, previous: string, replace: ReplaceSecret): string {
  // First: a key in base64 that ends with `=` looks like an assignment.
  if (isSecretOption(previous) && !/^--[A-Za-z]/.test(arg)) return replace(arg, 'value', previous);
  const assignment = /^(-{0,2}[A-Za-z_][\w.-]*)=(.*)$/s.exec(arg);
  if (assignment !== null) {
    const [, name = '', value = ''] = assignment;
    return `${name}=${SECRET_NAME.test(name) ? replace(value, 'value', name) : replaceInUrls(value, replace)}`;
  }
  const header = /^(-H|--headers?)$/i.test(previous) ? /^([\w-]+)(:\s*)(.+)$/s.exec(arg) : null;
  if (header !== null) {
    const [, name = '', colon = '', value = ''] = header;
    return `${name}${colon}${replace(value, 'value', name)}`;
  }
  return replaceInUrls(arg, replace);
}

function isSecretOption(arg: string): boolean {
  return /^--?[A-Za-z][\w.-]*$/.test(arg) && SECRET_NAME.test(arg);
}

/** A text that is one URL, blanks and all. */
function replaceInWholeUrl(text: string, replace: ReplaceSecret): string {
  const { text: bare, restore } = withoutPlaceholders(text);
  return restore(replaceInUrl(bare, (part, place, name) => replace(restore(part), place, name)));
}

/** Every URL within a text. */
export function replaceInUrls(text: string, replace: ReplaceSecret): string {
  const { text: bare, restore } = withoutPlaceholders(text);
  const inUrl: ReplaceSecret = (part, place, name) => replace(restore(part), place, name);
  return restore(bare.replace(URL_TEXT, (url) => replaceInUrl(url, inUrl)));
}

/** Split by hand: with placeholders in it a URL need not parse, and what does not parse must not slip through. */
function replaceInUrl(url: string, replace: ReplaceSecret): string {
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*:\/\/)?([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url);
  if (parts === null) return url;
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts;
  const at = authority.lastIndexOf('@');
  const userinfo = at === -1 ? '' : `${replace(authority.slice(0, at), 'userinfo')}@`;
  const pairs =
    query === ''
      ? ''
      : `?${query
          .slice(1)
          .split('&')
          .map((pair) => replaceInPair(pair, replace))
          .join('&')}`;
  const rest = fragment.length < 2 ? fragment : `#${replace(fragment.slice(1), 'value')}`;
  return scheme + userinfo + authority.slice(at + 1) + path + pairs + rest;
}

function replaceInPair(pair: string, replace: ReplaceSecret): string {
  const equals = pair.indexOf('=');
  if (equals === -1) return pair === '' ? '' : replace(pair, 'value');
  const value = pair.slice(equals + 1);
  const name = pair.slice(0, equals);
  return `${name}=${value === '' ? '' : replace(value, 'value', name)}`;
}
