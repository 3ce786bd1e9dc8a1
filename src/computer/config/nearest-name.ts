/** What people write for a field that has another name here. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['cmd', 'command'],
  ['program', 'command'],
  ['arguments', 'args'],
  ['argv', 'args'],
  ['environment', 'env'],
  ['dir', 'cwd'],
  ['workingdir', 'cwd'],
  ['workingdirectory', 'cwd'],
  ['uri', 'url'],
  ['endpoint', 'url'],
  ['httpurl', 'url'],
  ['serverurl', 'url'],
  ['disabledtools', 'forbidden_tools'],
  ['excludetools', 'forbidden_tools'],
]);

/** Longer names are not compared: no known one comes near, and the comparison takes the square of the length. */
const MAX_LENGTH = 40;

/**
 * The known name that was probably meant: the same but for case, `_` and `-`, a usual synonym, or one with few typing
 * errors.
 *
 * @returns `undefined` when none is near.
 */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  if (given.length > MAX_LENGTH) return undefined;
  const plain = plainOf(given);
  const candidates = [
    ...known.map((name) => ({ name, spelt: plainOf(name) })),
    ...[...SYNONYMS].flatMap(([spelt, name]) => (known.includes(name) ? [{ name, spelt }] : [])),
  ];
  const [nearest] = candidates
    .map(({ name, spelt }) => ({ name, spelt, distance: editDistance(plain, spelt) }))
    .filter(({ spelt, distance }) => distance <= Math.max(1, Math.floor(Math.min(plain.length, spelt.length) / 3)))
    // A one-letter name is one error away from every other one.
    .filter(({ distance }) => distance === 0 || distance < plain.length - 1)
    .sort((one, other) => one.distance - other.distance);
  return nearest?.name;
}

/** `; did you mean "args"?`, or nothing when no known name is near. */
export function didYouMean(given: unknown, known: readonly string[]): string {
  const name = typeof given === 'string' ? nearestName(given, known) : undefined;
  return name === undefined ? '' : `; did you mean "${name}"?`;
}

function plainOf(name: string): string {
  return name.toLowerCase().replace(/[_\s-]/g, '');
}

/** Insertions, deletions, replacements and swaps of neighbours between two short texts. */
function editDistance(one: string, other: string): number {
  // rows[r][c]: from the first r letters of one to the first c of the other.
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column += 1) {
      const [letter, before] = [one[row - 1], one[row - 2]];
      const isSwap = letter === other[column - 2] && before === other[column - 1];
      const ways = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (letter === other[column - 1] ? 0 : 1),
        isSwap ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
      ];
      rows[row]?.push(Math.min(...ways));
    }
  }
  return at(one.length, other.length);
}
