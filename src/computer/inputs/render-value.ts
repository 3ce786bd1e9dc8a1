import { isJsonObject } from '../../protocol/index.js';
import { referencesIn, replacePlaceholders, soleReference, type Reference } from './placeholders.js';

/** Where the values of placeholders come from. */
export interface PlaceholderValues {
  /** Gives the value of an input, or throws an `InputError`. */
  readonly input: (id: string) => Promise<unknown>;
  /** Gives the value of a variable, or throws an `InputError`. */
  readonly variable: (name: string) => string;
}

/**
 * A copy of a value of any shape with every placeholder in its texts replaced, at any depth; keys stay. A text that is
 * exactly one placeholder takes the value's own type; within a longer one the value stands as text. What comes out is
 * never looked at for further placeholders. Each input is asked for once, one after the other, in the order in which
 * they stand, and only if no variable is missing: nobody is asked in vain.
 *
 * @throws InputError when something has no value.
 */
export async function renderValue(value: unknown, values: PlaceholderValues): Promise<unknown> {
  const found = new Map<string, unknown>();
  const references = referencesWithin(value);
  for (const { kind, name } of references) if (kind === 'env') found.set(`env:${name}`, values.variable(name));
  for (const { kind, name } of references) {
    const key = `input:${name}`;
    if (kind === 'input' && !found.has(key)) found.set(key, await values.input(name));
  }
  return fill(value, (reference) => found.get(`${reference.kind}:${reference.name}`));
}

/** The placeholders in every text within a value, in order. */
export function referencesWithin(value: unknown): Reference[] {
  if (typeof value === 'string') return referencesIn(value);
  if (Array.isArray(value)) return value.flatMap(referencesWithin);
  return isJsonObject(value) ? Object.values(value).flatMap(referencesWithin) : [];
}

/** The ids of the inputs in every text within a value. */
export function inputIdsWithin(value: unknown): string[] {
  return referencesWithin(value)
    .filter(({ kind }) => kind === 'input')
    .map(({ name }) => name);
}

/** A value as it stands within a text. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function fill(value: unknown, valueOf: (reference: Reference) => unknown): unknown {
  if (typeof value === 'string') {
    const sole = soleReference(value);
    return sole === undefined ? replacePlaceholders(value, (one) => asText(valueOf(one))) : valueOf(sole);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, valueOf));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, valueOf)]));
}
