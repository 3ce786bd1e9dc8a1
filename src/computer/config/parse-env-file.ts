import { ConfigError } from './config-error.js';

const NAME = /[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*/y;
const BLANK = /[ \t]*(?:#[^\n]*)?(?:\n|$)/y;
const SINGLE_QUOTED = /'([^']*)'/y;
const DOUBLE_QUOTED = /"((?:[^"\\]|\\[^])*)"/y;
const BARE = /[^\n]*/y;

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\n': '' };

/**
 * Reads the text of an `envFile`: lines `NAME=value`, also after `export`; empty lines and comments. A value in single
 * quotes stands for itself; in double quotes `\n`, `\r`, `\t` and a backslash before any other character mean what they
 * mean in a shell; both may go over several lines. A value without quotes ends at the line's end or at ` #`. Nothing is
 * filled in: `$NAME` and `${input:ID}` stay as they are. Byte-order mark and CRLF are fine.
 *
 * @returns the variables in order; of two with one name the later counts.
 * @throws ConfigError naming the line, never what stands in it.
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const variables = new Map<string, string>();
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  const fail = (problem: string): never => {
    throw new ConfigError(`line ${source.slice(0, at).split('\n').length}: ${problem}`, { field: '' });
  };
  if (source.includes('\0')) fail('holds a NUL character; save the file as UTF-8');
  while (at < source.length) {
    if (take(BLANK) !== null) continue;
    const name = take(NAME)?.[1] ?? fail('expected NAME=value');
    variables.delete(name);
    variables.set(name, takeValue(take, source[at], fail));
  }
  return variables;
}

type Take = (pattern: RegExp) => RegExpExecArray | null;

function takeValue(take: Take, first: string | undefined, fail: (problem: string) => never): string {
  if (first !== "'" && first !== '"') {
    return (take(BARE)?.[0] ?? '').replace(/(^|[ \t])#.*$/, '').trim();
  }
  const quoted = take(first === "'" ? SINGLE_QUOTED : DOUBLE_QUOTED)?.[1] ?? fail('a quote is opened and not closed');
  if (take(BLANK) === null) fail('something stands after the closing quote');
  if (first === "'") return quoted;
  return quoted.replace(/\\([^])/g, (_whole, escaped: string) => ESCAPES[escaped] ?? escaped);
}
