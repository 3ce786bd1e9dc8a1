/** The entry that stands in for what did not fit. Protocol §8.1 point 8. */
function truncationMarker(count: number): string {
  return `[desktop truncated: ${count} more windows]`;
}

/**
 * Cuts a desktop at a window boundary so that the answer fits into one packet; the marker that then ends it does not
 * count towards the size that was asked for. Protocol §8.1.
 *
 * @param desktops - the organised desktop.
 * @param sizeOf - the size of the answer with these entries, in bytes; grows with the number of entries.
 * @param limit - the largest answer, in bytes.
 */
export function cutToLimit(
  desktops: readonly string[],
  sizeOf: (desktops: readonly string[]) => number,
  limit: number,
): readonly string[] {
  if (sizeOf(desktops) <= limit) return desktops;
  const cut = (kept: number): readonly string[] => [
    ...desktops.slice(0, kept),
    truncationMarker(desktops.length - kept),
  ];
  let low = 0;
  let high = desktops.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sizeOf(cut(middle)) <= limit) low = middle;
    else high = middle - 1;
  }
  return cut(low);
}
