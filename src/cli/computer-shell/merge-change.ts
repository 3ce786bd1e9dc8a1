import { isDeepStrictEqual } from 'node:util';
import type { ComputerConfig } from '../../computer/index.js';

/** What the configuration files say, and said before. */
export interface FileChange {
  readonly before: ComputerConfig;
  readonly after: ComputerConfig;
}

/**
 * The configuration of a Computer after its files have changed: what changed in them, and what its owner did and has not
 * saved. Where both changed one entry, the files win.
 *
 * @param current - the configuration of the Computer.
 */
export function mergeChange(current: ComputerConfig, { before, after }: FileChange): ComputerConfig {
  return {
    ...after,
    servers: merged({ before: before.servers, after: after.servers, current: current.servers }),
    inputs: merged({ before: before.inputs, after: after.inputs, current: current.inputs }),
  };
}

interface Entries<T> {
  readonly before: ReadonlyMap<string, T>;
  readonly after: ReadonlyMap<string, T>;
  readonly current: ReadonlyMap<string, T>;
}

/** In the order of the files; what only the owner has comes last. */
function merged<T>({ before, after, current }: Entries<T>): ReadonlyMap<string, T> {
  const isChanged = (key: string): boolean => !isDeepStrictEqual(before.get(key), after.get(key));
  const keys = new Set([...after.keys(), ...current.keys()]);
  return new Map(
    [...keys].flatMap((key): [string, T][] => {
      const entry = isChanged(key) ? after.get(key) : current.get(key);
      return entry === undefined ? [] : [[key, entry]];
    }),
  );
}
