import { pathsLike, type HostContext } from './host-context.js';

/**
 * How a host writes variables: like VS Code (`${env:NAME}`, `${workspaceFolder}`, `${input:ID}`), in braces (`${NAME}`,
 * `${NAME:-default}`), like a shell (also `$NAME`), like opencode (`{env:NAME}`), like Continue (`${{ secrets.NAME }}`), or not at all.
 */
export type VariableSyntax = 'editor' | 'braces' | 'shell' | 'opencode' | 'continue' | 'none';

/** What a translation needs and tells. */
export interface VariableUse {
  readonly context: HostContext;
  /** Gives the id of an input that stands for what only the host knows. */
  readonly inputFor: (name: string, description: string, isSecret: boolean) => string;
  /** Gives the id of the input that stands for one that the host's own file defines. */
  readonly inputOf: (id: string) => string;
  /** Takes a sentence for the user. */
  readonly note: (sentence: string) => void;
}

type Translate = (match: readonly string[], use: VariableUse) => string | undefined;

const BRACES = /\$\{(\w+)(?::-([^}]*))?\}/g;

const SYNTAX: Readonly<Record<VariableSyntax, readonly (readonly [RegExp, Translate])[]>> = {
  none: [],
  editor: [[/\$\{([^}]*)\}/g, ([, name = ''], use) => editorVariable(name, use)]],
  braces: [[BRACES, ([, name = '', usual], use) => shellVariable(name, usual, use)]],
  shell: [
    [BRACES, ([, name = '', usual], use) => shellVariable(name, usual, use)],
    [/\$([A-Z_][A-Z0-9_]*)\b/g, ([, name = '']) => `\${env:${name}}`],
  ],
  opencode: [
    [/\{env:([^}]+)\}/g, ([, name = '']) => `\${env:${name}}`],
    [/\{file:([^}]+)\}/g, ([, name = ''], use) => onlyHostKnows('file', name, use)],
  ],
  continue: [
    [
      /\$\{\{\s*(?:secrets|inputs)\.([\w.-]+)\s*\}\}/g,
      ([, name = ''], { inputFor }) => placeholder(inputFor(name, `${name} of Continue`, true)),
    ],
  ],
};

/** A text with the variables of a host in our own way; what has no equal becomes an input, with a note. */
export function translateVariables(text: string, syntax: VariableSyntax, use: VariableUse): string {
  return SYNTAX[syntax].reduce(
    (now, [pattern, translate]) =>
      now.replace(pattern, (...found: unknown[]) => {
        const groups = found.filter((part, index) => index === 0 || typeof part === 'string' || part === undefined);
        return translate(groups as string[], use) ?? String(found[0]);
      }),
    text,
  );
}

function placeholder(id: string): string {
  return `\${input:${id}}`;
}

/** `undefined`: it means the same here. */
function editorVariable(name: string, use: VariableUse): string | undefined {
  const { context } = use;
  const paths = pathsLike(context);
  if (name.startsWith('env:')) return undefined;
  if (name.startsWith('input:')) return placeholder(use.inputOf(name.slice('input:'.length)));
  const known: Readonly<Record<string, string>> = {
    workspaceFolder: context.project,
    workspaceRoot: context.project,
    workspaceFolderBasename: paths.basename(context.project),
    cwd: context.project,
    userHome: context.home,
    pathSeparator: paths.sep,
    '/': paths.sep,
  };
  const value = Object.hasOwn(known, name) ? known[name] : undefined;
  if (value === undefined) return onlyHostKnows(...kindOf(name), use);
  use.note(`\${${name}} is written out`);
  return value;
}

function kindOf(name: string): [kind: string, rest: string] {
  const colon = name.indexOf(':');
  return colon === -1 ? ['variable', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

function onlyHostKnows(kind: string, name: string, { inputFor, note }: VariableUse): string {
  note(`the ${kind} "${name.slice(0, 40)}" is only known there: it is asked for`);
  return placeholder(inputFor(name, `The ${kind} ${name.slice(0, 40)} of the other host`, true));
}

function shellVariable(name: string, usual: string | undefined, { context, note }: VariableUse): string {
  if (usual === undefined || context.env[name] !== undefined) return `\${env:${name}}`;
  note(`$${name} is not set: its default is written`);
  return usual;
}
