import { environmentName } from '../../computer/index.js';
import type { McpServerInput } from '../../protocol/index.js';

/** What an input is wanted for. */
export interface WantedInput {
  /** Two with the same key are one input: a secret value, say. Never shown. */
  readonly key: string;
  /** What the id is made of. */
  readonly name: string;
  readonly definition: (id: string) => McpServerInput;
}

/** Gives ids away: each its own variable of the environment, none that the file has already. */
export class InputPool {
  readonly #variables: Set<string>;
  readonly #byKey = new Map<string, string>();
  readonly #definitions = new Map<string, McpServerInput>();

  /** @param taken - the ids of the inputs that the file has already. */
  constructor(taken: Iterable<string>) {
    this.#variables = new Set(Array.from(taken, environmentName));
  }

  /** The id of the input for it. */
  idFor({ key, name, definition }: WantedInput): string {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const id = this.#freeId(slug(name));
    this.#byKey.set(key, id);
    this.#variables.add(environmentName(id));
    this.#definitions.set(id, definition(id));
    return id;
  }

  /** The definition behind an id that was given away. */
  definition(id: string): McpServerInput | undefined {
    return this.#definitions.get(id);
  }

  #freeId(base: string): string {
    for (let number = 1; ; number += 1) {
      const id = number === 1 ? base : `${base}-${number}`;
      if (!this.#variables.has(environmentName(id))) return id;
    }
  }
}

function slug(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return plain === '' ? 'input' : plain.slice(0, 60);
}
