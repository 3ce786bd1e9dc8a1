import type { JsonObject } from '../../protocol/index.js';
import { hasPlaceholder, replacePlaceholders, withoutPlaceholders } from '../inputs/placeholders.js';
import { EVERYDAY_HEADER, EVERYDAY_VARIABLE } from './everyday.js';
import { maskText } from './mask-config.js';
import { replaceSecrets, SECRET_NAME, type ReplaceSecret } from './secret-places.js';

/** A text in the parameters of a server that is probably a secret. */
export interface LiteralSecret {
  /** As it stands in the configuration: within a URL it is percent-encoded. */
  readonly value: string;
  /** The field of the parameters in which it stands, such as `env`. */
  readonly field: string;
  /** The variable, header, option or parameter that holds it; else `password` of a URL's, or the field. */
  readonly name: string;
}

/**
 * Replaces what is probably a secret in the parameters of a server, where it stands as itself and not as a placeholder:
 * values of `env` and `headers`, of options and of parameters of URLs, passwords in URLs, and texts that look like keys.
 * What evidently is none stays, such as `true`, `8080`, `debug` and paths. In doubt a text is a secret.
 *
 * @param replace - gives what is to stand there. Of `Bearer …` it gets what follows the first word.
 * @returns a copy; the original is left alone.
 */
export function replaceLiteralSecrets(parameters: JsonObject, replace: (secret: LiteralSecret) => string): JsonObject {
  return Object.fromEntries(
    Object.entries(parameters).map(([field, value]) => {
      const judge: ReplaceSecret = (text, place, name) => {
        if (!isSecret(text, { field, name, isUserinfo: place === 'userinfo' })) return text;
        const [, scheme = '', rest = ''] = SCHEME.exec(text) ?? ['', '', text];
        return scheme + replace({ value: rest, field, name: holderOf(field, name, place) });
      };
      const replaced = replaceSecrets({ [field]: value }, judge)[field];
      return [field, keysReplaced(field, replaced, judge)];
    }),
  );
}

function holderOf(field: string, name: string | undefined, place: 'value' | 'userinfo'): string {
  const bare = (name ?? '').replace(/^-+/, '');
  if (bare !== '') return bare;
  return place === 'userinfo' ? 'password' : field;
}

/** The secrets that {@link replaceLiteralSecrets} would replace. */
export function literalSecretsOf(parameters: JsonObject): LiteralSecret[] {
  const found: LiteralSecret[] = [];
  replaceLiteralSecrets(parameters, (secret) => {
    found.push(secret);
    return secret.value;
  });
  return found;
}

const SCHEME = /^((?:bearer|basic|digest|token|api-?key|jwt|bot|oauth)\s+)(\S.*)$/is;
/** Names under which secrets stand, beyond those of {@link SECRET_NAME}. */
const MORE_SECRET_NAMES =
  /pass(?!ive|enger|through|port)|dsn|conn(ection)?_?str|cookie|session|private|webhook|salt|license|(^|[_-])(pin|pat|sid|jwt|pw)($|[_-])/i;
/** Names that sound like one and hold a number or a place. */
const MEASURE = /max|min|limit|count|size|length|timeout|ttl|expir|budget|per_/i;
const PLACE = /(file|path|dir|folder|url|uri|endpoint|host|type|name|mode|method|alias)s?$/i;
const SWITCH = /^(true|false|yes|no|on|off|none|null|enabled|disabled|)$/i;
const NUMBER = /^\d{1,7}(\.\d+)?$/;
/** Names whose values are everyday words, at any length. */
const PLAIN_NAME =
  /level|mode|env|region|zone|lang|locale|format|type|name|user|owner|org|project|workspace|repo|branch|model|provider|version|transport|theme|log|debug|driver|protocol/i;
const WORD = /^[a-z][a-z_-]{0,7}$/i;
/** A word, a version, a place of this machine, a host, an address without anything in it. */
const HARMLESS = new RegExp(
  [
    '[a-z][a-z_-]{0,23}',
    '[a-z]{2,12}(-[a-z]{2,10})*-?\\d{1,4}',
    'v?\\d+(\\.\\d+){1,3}',
    '(~|\\.{1,2})?([/\\\\][\\w .@-]{0,40})+',
    '[a-z]:[\\\\/][\\w .@\\\\/-]*',
    '[a-z][a-z+.-]*://[\\w.-]+(:\\d+)?(/[\\w.-]{0,30})*/?',
    '[a-z][a-z-]*\\d{0,3}(\\.[a-z][a-z-]*\\d{0,3})+(:\\d+)?',
  ]
    .map((form) => `(?:${form})`)
    .join('|')
    .replace(/^(.*)$/s, '^(?:$1)$'),
  'i',
);

interface Place {
  readonly field: string;
  readonly name: string | undefined;
  readonly isUserinfo: boolean;
}

function isSecret(text: string, { field, name = '', isUserinfo }: Place): boolean {
  if (isEveryday(field, name) || maskText(text) === text) return false;
  const bare = hasPlaceholder(text) ? replacePlaceholders(text, () => '') : text;
  if (SWITCH.test(bare)) return false;
  if (SECRET_NAME.test(name) || MORE_SECRET_NAMES.test(name)) return !isMeasureOrPlace(name, bare);
  if (isUserinfo && bare.includes(':')) return true;
  if (looksLikeKey(bare)) return true;
  return !isHarmless(name, bare);
}

function isHarmless(name: string, text: string): boolean {
  if (NUMBER.test(text) || WORD.test(text)) return true;
  return HARMLESS.test(text) && (PLAIN_NAME.test(name) || /[/\\.:]/.test(text));
}

function isEveryday(field: string, name: string): boolean {
  return (field === 'env' && EVERYDAY_VARIABLE.test(name)) || (field === 'headers' && EVERYDAY_HEADER.test(name));
}

function isMeasureOrPlace(name: string, text: string): boolean {
  // Whoever knows the address of a webhook may use it.
  if (/webhook/i.test(name)) return false;
  if (NUMBER.test(text)) return MEASURE.test(name);
  return PLACE.test(name) && HARMLESS.test(text) && !looksLikeKey(text);
}

const KEY_BEGINNING =
  /^((sk|pk|rk|gsk|hf|npm|ntn|fc|re|tvly|pplx|pypi|secret|shpat|lin_api|dop_v1|github_pat|glpat|gh[a-z]|xox[a-z]|xapp)[-_]|AKIA|ASIA|AIza|ya29\.|eyJ|SG\.)[\w.+/=-]{8,}$/;
const KEY_LENGTH = 20;

/** Whether a text is made as keys are: by a well-known beginning, or long, with letters and digits all mixed up. */
function looksLikeKey(text: string): boolean {
  if (KEY_BEGINNING.test(text)) return true;
  if (text.length < KEY_LENGTH || !/^[\w+=~./-]+$/.test(text)) return false;
  return text.split(/[./-]/).some((part) => part.length >= KEY_LENGTH - 4 && turns(part) >= 4) || turns(text) >= 8;
}

/** How often letters and digits, or capitals and small letters within a word, take turns. */
function turns(text: string): number {
  return text.match(/[a-z](?=\d)|\d(?=[a-z])/gi)?.length ?? 0;
}

/** Keys that stand on their own: as an argument without an option, or as part of the path of an address. */
function keysReplaced(field: string, value: unknown, judge: ReplaceSecret): unknown {
  if (field === 'args' && Array.isArray(value)) {
    return (value as unknown[]).map((arg) =>
      typeof arg === 'string' && looksLikeKey(arg) ? judge(arg, 'value') : inPath(arg, judge),
    );
  }
  return field === 'url' ? inPath(value, judge) : value;
}

function inPath(value: unknown, judge: ReplaceSecret): unknown {
  if (typeof value !== 'string' || !/^[a-z][a-z+.-]*:\/\//i.test(value)) return value;
  const { text, restore } = withoutPlaceholders(value);
  const [path, rest] = splitAt(text, text.search(/[?#]/));
  const segments = path
    .split('/')
    .map((part, index) => (index > 2 && looksLikeKey(part) ? judge(part, 'value') : part));
  return restore(segments.join('/') + rest);
}

function splitAt(text: string, index: number): [string, string] {
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index)];
}
