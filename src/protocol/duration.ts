const ISO_DURATION = /^P(?:(\d+(?:\.\d+)?)D)?(?:T(?:(\d+(?:\.\d+)?)H)?(?:(\d+(?:\.\d+)?)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;
const UNIT_SECONDS = [86_400, 3_600, 60, 1];

/**
 * Reads a duration as configurations write it: a number of seconds, the same as text, or ISO 8601 (`PT30S`, `PT5M`).
 * Protocol §7.1.
 *
 * @returns milliseconds, or `undefined` when it is neither.
 */
export function parseDuration(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value * 1000 : undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value) * 1000;
  const parts: (string | undefined)[] | undefined = ISO_DURATION.exec(value)?.slice(1);
  if (parts === undefined || parts.every((part) => part === undefined)) return undefined;
  return parts.reduce((sum, part, unit) => sum + Number(part ?? 0) * (UNIT_SECONDS[unit] ?? 0), 0) * 1000;
}
