import { z } from 'zod';
import { UriError, WindowUri } from '../protocol/index.js';

const text = z.string({ error: 'expected a string' });

/** A text that says something. */
export const filledText: z.ZodType<string, string> = text.refine((value) => value.trim() !== '', {
  error: 'must not be blank',
});

/** A URI that stands by itself. */
export const absoluteUri: z.ZodType<string, string> = text.regex(/^[A-Za-z][A-Za-z0-9+.-]*:\S+$/, {
  error: 'expected an absolute URI',
});

const TIME = { error: 'expected a Date or ISO 8601 with a time and an offset, such as "2026-01-15T08:30:00Z"' };

/** A point in time, as a Date or as MCP writes it. */
export const timeSchema: z.ZodType<Date | string, Date | string> = z.union(
  [z.date(TIME), z.iso.datetime({ offset: true, ...TIME })],
  TIME,
);

/** Options that windows and documents share. */
export const commonShape = {
  host: text,
  mimeType: filledText.optional(),
  audience: z
    .array(z.enum(['assistant', 'user'], { error: 'expected "assistant" or "user"' }), { error: 'expected a list' })
    .optional(),
  lastModified: timeSchema.optional(),
};

/** Path segments: a text that is cut at each `/`, or a list whose items are taken as they are. */
export const segmentsSchema = z.union([z.string(), z.array(z.string())], {
  error: 'expected a string or a list of strings',
});

/**
 * Judges an author's options.
 *
 * @param helper - the name of the function that was called, for the message.
 * @throws TypeError that names the helper and the option at fault.
 */
export function checkOptions<T>(helper: string, schema: z.ZodType<T>, options: unknown): T {
  const checked = schema.safeParse(options);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const place = issue === undefined || issue.path.length === 0 ? 'options' : issue.path.map(String).join('.');
  throw new TypeError(`${helper}: ${place}: ${issue?.message ?? 'invalid'}`);
}

/**
 * Makes the function that turns an author's host and path into a URI.
 *
 * @param helper - the name of the function that was called, for messages.
 * @param option - the option that holds the segments.
 * @param build - builds a URI of the scheme.
 * @returns a function that throws TypeError naming the option at fault, with the {@link UriError} as its cause.
 */
export function uriBuilder(
  helper: string,
  option: string,
  build: (host: string, segments: readonly string[]) => { toString(): string },
): (host: string, path: string | readonly string[]) => string {
  const blaming = (part: string, make: () => { toString(): string }): string => {
    try {
      return make().toString();
    } catch (error) {
      if (!(error instanceof UriError)) throw error;
      throw new TypeError(`${helper}: ${part}: ${error.reason}`, { cause: error });
    }
  };
  return (host, path) => {
    const segments = typeof path === 'string' ? splitText(`${helper}: ${option}`, path) : path;
    // The host alone first: a window needs no more, so a refusal is the host's fault.
    blaming('host', () => WindowUri.build(host));
    return blaming(option, () => build(host, segments));
  };
}

function splitText(place: string, path: string): readonly string[] {
  const found = /[?#]/.exec(path)?.[0];
  if (found === undefined) return path === '' ? [] : path.split('/');
  throw new TypeError(
    `${place}: "${found}" is not allowed, a URI carries no query, fragment or metadata; give a list of segments when the character is part of a name`,
  );
}

/** The object without the entries that are undefined, so that nothing of them shows in tests or over other encoders. */
export function present<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

/** A time as MCP writes it. */
export function toIso(time: Date | string | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time;
}
