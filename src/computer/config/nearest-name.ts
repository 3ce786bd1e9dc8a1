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

/**
 * The known names that somebody may have meant, nearest first: those that are spelt nearly so, then those that hold the
 * given name or are held by it.
 */
export function nearNames(given: string, known: readonly string[], count = 3): readonly string[] {
  const plain = plainOf(given.slice(0, MAX_LENGTH));
  if (plain === '') return [];
  const ranked = known.map((name) => {
    const spelt = plainOf(name.slice(0, MAX_LENGTH));
    const distance = editDistance(plain, spelt);
    const isNear = distance <= Math.max(1, Math.floor(Math.min(plain.length, spelt.length) / 3));
    const isPart = Math.min(plain.length, spelt.length) > 2 && (spelt.includes(plain) || plain.includes(spelt));
    return { name, distance: isNear ? distance : MAX_LENGTH + distance, fits: isNear || isPart };
  });
  return ranked
    .filter(({ fits }) => fits)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, count)
    .map(({ name }) => name);
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
