const ISO_DURATION =
  /^P(?:(\d+(?:\.\d+)?)D)?(?:T(?=\d)(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const UNIT_SECONDS = [86_400, 3_600, 60, 1];

/**
 * Reads a duration as configurations write it: a number of seconds, the same as text, or ISO 8601 (`PT30S`, `PT5M`).
 * Protocol §7.1.
 *
 * @returns milliseconds, or `undefined` when it is neither.
 */
export function parseDuration(value: string | number): number | undefined {
  const seconds = typeof value === 'number' ? value : parseSeconds(value);
  return seconds >= 0 && Number.isFinite(seconds * 1000) ? seconds * 1000 : undefined;
}

function parseSeconds(text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const parts: (string | undefined)[] | undefined = ISO_DURATION.exec(text)?.slice(1);
  if (parts === undefined || parts.every((part) => part === undefined)) return Number.NaN;
  return parts.reduce((sum, part, unit) => sum + Number(part ?? 0) * (UNIT_SECONDS[unit] ?? 0), 0);
}
