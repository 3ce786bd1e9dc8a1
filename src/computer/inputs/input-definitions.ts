import { isDeepStrictEqual } from 'node:util';
import type { McpServerInput } from '../../protocol/index.js';
import { InputError } from './input-error.js';
import { inputIdsWithin } from './render-value.js';

/** The definitions of a configuration, by id. */
export type InputDefinitions = ReadonlyMap<string, McpServerInput>;

/** Where a value came from; `set`: the application gave it. */
export type InputSource = 'environment' | 'prompt' | 'default' | 'command' | 'set';

/** The value of an input. */
export interface FoundValue {
  readonly value: unknown;
  readonly source: InputSource;
}

/** The parts of a definition in which placeholders are filled in. */
function filledParts(input: McpServerInput): unknown {
  return input.type === 'command' ? [input.command, input.args] : input.default;
}

/** Whether a value that was found by the definition depends on other inputs, or on variables. */
export function isFilledIn(source: InputSource): boolean {
  return source === 'default' || source === 'command';
}

/**
 * The way from an input's definition back to itself, with the id at both ends; `undefined` when there is none.
 *
 * @param hasValue - says which inputs have a value whatever their definition says: no way leads through them.
 */
export function circleOf(
  id: string,
  inputs: InputDefinitions,
  hasValue: (id: string) => boolean,
): readonly string[] | undefined {
  /** By which input each was reached. */
  const reachedFrom = new Map<string, string>();
  const toLookAt = [id];
  for (let at = toLookAt.pop(); at !== undefined; at = toLookAt.pop()) {
    const input = inputs.get(at);
    for (const next of input === undefined ? [] : inputIdsWithin(filledParts(input))) {
      if (next === id) return [...wayTo(at, reachedFrom), id];
      if (reachedFrom.has(next) || hasValue(next)) continue;
      reachedFrom.set(next, at);
      toLookAt.push(next);
    }
  }
  return undefined;
}

/** The ids on the way to one, from where it began. */
function wayTo(id: string, reachedFrom: ReadonlyMap<string, string>): string[] {
  const way: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = reachedFrom.get(at)) way.unshift(at);
  return way;
}

/**
 * The ids, and every input whose definition names one of them, directly or through others.
 *
 * @param stands - says which inputs keep their value whatever becomes of those that their definition names.
 */
export function withDependents(
  ids: Iterable<string>,
  inputs: InputDefinitions,
  stands: (id: string) => boolean,
): ReadonlySet<string> {
  const all = new Set(ids);
  let size: number;
  do {
    size = all.size;
    for (const [id, input] of inputs) {
      if (!all.has(id) && inputIdsWithin(filledParts(input)).some((other) => all.has(other)) && !stands(id))
        all.add(id);
    }
  } while (all.size > size);
  return all;
}

/** Whether a definition differs in nothing but words for a person. */
export function asksTheSame(before: McpServerInput, after: McpServerInput): boolean {
  const same = { description: '' };
  return isDeepStrictEqual({ ...before, ...same }, { ...after, ...same });
}

/** Whether a value that was found for a definition is the value for another one too. */
export function stillHolds({ value, source }: FoundValue, before: McpServerInput, after: McpServerInput): boolean {
  if (!isAllowed(after, value)) return false;
  switch (source) {
    case 'environment':
    case 'set':
      return true;
    case 'prompt':
      return after.type !== 'command';
    case 'default':
      return before.type !== 'command' && after.type !== 'command' && before.default === after.default;
    case 'command':
      return before.type === 'command' && after.type === 'command' && runsTheSame(before, after);
  }
}

type CommandInput = Extract<McpServerInput, { type: 'command' }>;

function runsTheSame(before: CommandInput, after: CommandInput): boolean {
  const line = ({ command, args, shell }: CommandInput): unknown => [command, argumentsOf(args), shell === true];
  return isDeepStrictEqual(line(before), line(after));
}

/** The arguments of a command input: a map's keys and values stand one after the other. */
export function argumentsOf(args: CommandInput['args']): readonly string[] {
  return Array.isArray(args) ? args : Object.entries(args ?? {}).flat();
}

/** @throws InputError, without the value, when it is not among the options of a `pickString`. */
export function assertAllowed(input: McpServerInput, value: unknown, what: string): void {
  if (isAllowed(input, value)) return;
  const options = input.type === 'pickString' ? input.options : [];
  const shown = options.slice(0, 10).map((option) => JSON.stringify(option.slice(0, 40)));
  const more = options.length > shown.length ? ` and ${options.length - shown.length} more` : '';
  throw new InputError(input.id, `${what} is not one of its options ${shown.join(', ')}${more}`);
}

function isAllowed(input: McpServerInput, value: unknown): boolean {
  return input.type !== 'pickString' || (typeof value === 'string' && input.options.includes(value));
}
