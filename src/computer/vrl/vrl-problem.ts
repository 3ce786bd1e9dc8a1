import type { RawDiagnostic } from './vrl-messages.js';

/** Something that the compiler says of a script. */
export interface VrlProblem {
  /** A script with an error cannot run. */
  readonly severity: 'error' | 'warning';
  /** The compiler's number for this kind of problem. */
  readonly code: number;
  /** What is wrong, in one line. */
  readonly message: string;
  /** Counted from 1. */
  readonly line: number;
  /** In characters, counted from 1. */
  readonly column: number;
  /** How it may be mended. */
  readonly hints: readonly string[];
}

/** Makes a diagnostic readable: where it is, in lines and columns, and its parts in order of their weight. */
export function toProblem(source: string, raw: RawDiagnostic): VrlProblem {
  const [main, ...others] = raw.labels.toSorted((one, two) => Number(two.primary) - Number(one.primary));
  return {
    severity: raw.severity === 'warning' || raw.severity === 'note' ? 'warning' : 'error',
    code: raw.code,
    message: [raw.message, main?.message].filter((part) => part !== undefined && part !== '').join(': '),
    ...placeOf(source, main?.span[0] ?? 0),
    hints: others.map((label) => label.message),
  };
}

/**
 * Where a byte of a script is.
 *
 * @param offset - in bytes of UTF-8.
 */
function placeOf(source: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = Buffer.from(source).subarray(0, offset).toString().split('\n');
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
}

const MOST_SHOWN = 5;

/** The errors of a script as one message. */
export function describeProblems(problems: readonly VrlProblem[]): string {
  const errors = problems.filter((problem) => problem.severity === 'error');
  const shown = errors.slice(0, MOST_SHOWN).map(({ line, column, message, code, hints }) => {
    const hint = hints.length === 0 ? '' : ` (${hints.join('; ')})`;
    return `line ${line}, column ${column}: ${message} [${code}]${hint}`;
  });
  const rest = errors.length > MOST_SHOWN ? [`and ${errors.length - MOST_SHOWN} more`] : [];
  return `The VRL script does not compile: ${[...shown, ...rest].join('. ')}`;
}

const FUNCTION_FAILURE = /^Termination;\s*function call error for "(\w+)" at \((\d+):\d+\)/;

/**
 * What to tell of a script that failed while running. The interpreter's own text quotes the event, so only what stands
 * in the script itself is taken from it.
 */
export function describeFailure(source: string, text: string): string {
  if (/^Termination;\s*aborted$/.test(text)) return 'The VRL script aborted';
  if (text.includes('not supported in WebAssembly')) return 'The VRL script uses a function that does not exist here';
  const [, name = '', start] = FUNCTION_FAILURE.exec(text) ?? [];
  const offset = Number(start);
  if (name === '' || !Buffer.from(source).subarray(offset).toString().startsWith(name)) return 'The VRL script failed';
  const { line, column } = placeOf(source, offset);
  return `The VRL script failed in ${name} at line ${line}, column ${column}`;
}
