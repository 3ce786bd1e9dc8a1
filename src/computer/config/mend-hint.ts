/**
 * Adds to a complaint of a schema what was found there and how to mend it: `expected a string, got a number; put it in
 * quotes`. Says the kind of the value only, never the value.
 *
 * @param root - the value that the schema judged.
 * @param path - where in it the complaint is.
 */
export function withMendHint(problem: string, root: unknown, path: readonly PropertyKey[]): string {
  const value = path.reduce<unknown>(
    (inner, step) =>
      typeof inner === 'object' && inner !== null && Object.hasOwn(inner, step)
        ? (inner as Record<PropertyKey, unknown>)[step]
        : undefined,
    root,
  );
  if (!problem.startsWith('expected ') || problem.startsWith('expected "')) return problem;
  if (value === undefined) return `${problem}, which is missing`;
  return `${problem}, got ${kindOf(value)}${mend(problem, value, path.at(-1))}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function mend(problem: string, value: unknown, field: PropertyKey | undefined): string {
  const wants = (kind: string): boolean => problem.startsWith(`expected ${kind}`);
  if (wants('a string') && (typeof value === 'number' || typeof value === 'boolean')) return '; put it in quotes';
  if (wants('true or false') && typeof value === 'string') return '; write true or false without quotes';
  if (wants('a list') && typeof value === 'string') return '; put it in [ ]';
  if (field === 'command' && Array.isArray(value)) return '; what follows the program belongs in "args"';
  if (wants('an object of strings') && Array.isArray(value)) return '; write { "NAME": "value" }';
  return '';
}
