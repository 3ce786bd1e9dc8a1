import { isDeepStrictEqual } from 'node:util';
import type { McpServerInput } from '../../protocol/index.js';
import { secretsOfInput } from '../config/mask-input.js';
import { didYouMean } from '../config/nearest-name.js';
import type { Environment } from './environment.js';
import { findValue, type PromptInput, type ValueSources } from './find-value.js';
import {
  asksTheSame,
  assertAllowed,
  circleOf,
  isFilledIn,
  stillHolds,
  withDependents,
  type FoundValue,
  type InputDefinitions,
  type InputSource,
} from './input-definitions.js';
import { InputError } from './input-error.js';
import { hasPlaceholder } from './placeholders.js';
import { PromptQueue } from './prompt-queue.js';
import { SharedWork } from './shared-work.js';

/** What an {@link InputResolver} works with. */
export interface InputResolverOptions {
  /** Looked up for `A2C_SMCP_<ID>` and `${env:NAME}`, and the environment of command inputs. Learns every value. */
  readonly environment: Environment;
  /** Asks a person; absent: nobody can be asked. */
  readonly prompt?: PromptInput | undefined;
  /**
   * How long a command input may run that says nothing else, in milliseconds.
   *
   * @default 30000
   */
  readonly commandTimeoutMs?: number | undefined;
}

/** What is known of the value of an input. */
export interface InputValueStatus {
  readonly id: string;
  /** Whether it has a value now. One that no server has asked for yet has none. */
  readonly hasValue: boolean;
  /** Where the value came from. */
  readonly source?: InputSource;
  /**
   * The value, where it is one that a person typed, chose or wrote and that may be shown: never that of a password or a
   * command, nor a default that was filled in from elsewhere.
   */
  readonly value?: unknown;
  /** Whether it is being asked for now. */
  readonly asking: boolean;
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * Gives the values of inputs. Each is found once and kept, whoever asks. What changes a definition or a value gives the
 * ids of the inputs whose values are others now, those included whose definitions name them; all others keep theirs.
 * Protocol §7.2.
 */
export class InputResolver {
  readonly #environment: Environment;
  readonly #sources: ValueSources;
  readonly #found = new Map<string, FoundValue>();
  readonly #asking = new Map<string, SharedWork<FoundValue>>();
  #inputs: InputDefinitions = new Map();
  #closed = false;

  constructor({ environment, prompt, commandTimeoutMs = 30_000 }: InputResolverOptions) {
    this.#environment = environment;
    this.#sources = {
      environment,
      prompt,
      prompts: new PromptQueue(),
      commandTimeoutMs,
      resolve: (id, signal) => this.resolve(id, signal),
      assertNoCircle: (id) => {
        this.#assertNoCircle(id);
      },
    };
  }

  /** The definitions that count now. */
  get inputs(): InputDefinitions {
    return this.#inputs;
  }

  /** Takes the definitions that count from now on. Values that they cannot change stay. @returns see the class. */
  setInputs(inputs: InputDefinitions): ReadonlySet<string> {
    const before = this.#inputs;
    this.#inputs = inputs;
    for (const input of inputs.values()) this.#environment.addSecrets(secretsOfInput(input));
    const ids = new Set([...before.keys(), ...inputs.keys()]);
    return this.#forget([...ids].filter((id) => this.#isAffected(id, before.get(id), inputs.get(id))));
  }

  /**
   * The value of an input.
   *
   * @param signal - ends the wait. When nobody else waits for the value, nobody is asked for it any more.
   * @throws InputError when the id is unknown, nothing gives a value, or the program or the prompt fails; the signal's
   *   reason.
   */
  async resolve(id: string, signal?: AbortSignal): Promise<unknown> {
    const found = this.#found.get(id) ?? (await (this.#asking.get(id) ?? this.#begin(id)).wait(signal));
    return found.value;
  }

  /**
   * Gives an input a value, which stays until it is cleared; ends the question for it.
   *
   * @returns see the class; none when it is the value that it had.
   * @throws InputError when the id is unknown or the value cannot be one.
   */
  setValue(id: string, value: unknown): ReadonlySet<string> {
    const input = this.#defined(id);
    if (value === undefined || value === null) throw new InputError(id, 'cannot have nothing as its value; clear it');
    assertAllowed(input, value, 'the value');
    this.#environment.addSecrets([value]);
    const before = this.#found.get(id);
    const found: FoundValue = { value, source: 'set' };
    const isSame = before !== undefined && isDeepStrictEqual(before.value, value);
    const changed = isSame ? NOTHING : this.#forget([id], found);
    this.#found.set(id, found);
    return changed;
  }

  /** Forgets the value of one input, or of all: the next start asks again. @returns see the class. */
  clear(id?: string): ReadonlySet<string> {
    const ids = id === undefined ? [...this.#found.keys()] : [id];
    return this.#forget(ids.filter((one) => this.#found.has(one) && !this.#standsInEnvironment(one)));
  }

  /** What is known of every value, in the order of the definitions. */
  values(): InputValueStatus[] {
    return [...this.#inputs.values()].map((input) => {
      const { id } = input;
      const found = this.#found.get(id);
      const asking = this.#asking.has(id);
      if (found === undefined) return { id, hasValue: false, asking };
      const shown = mayBeShown(input, found) ? { value: found.value } : undefined;
      return { id, hasValue: true, source: found.source, ...shown, asking };
    });
  }

  /** Ends what is being asked for; nothing is asked for any more. */
  close(): void {
    this.#closed = true;
    for (const [id, work] of this.#asking) work.end(closing(id));
  }

  #begin(id: string): SharedWork<FoundValue> {
    const work = new SharedWork(
      (signal) => this.#find(id, signal),
      () => new InputError(id, 'is not asked for any more, the start was cancelled'),
    );
    this.#asking.set(id, work);
    const isCurrent = (): boolean => this.#asking.get(id) === work;
    work.outcome.then(
      (found) => {
        if (!isCurrent()) return;
        this.#asking.delete(id);
        this.#found.set(id, found);
      },
      () => {
        // A later start may ask again.
        if (isCurrent()) this.#asking.delete(id);
      },
    );
    return work;
  }

  async #find(id: string, signal: AbortSignal): Promise<FoundValue> {
    if (this.#closed) throw closing(id);
    const found = await findValue(this.#defined(id), this.#sources, signal);
    this.#environment.addSecrets([found.value]);
    return found;
  }

  #defined(id: string): McpServerInput {
    const input = this.#inputs.get(id);
    if (input === undefined) {
      const known = [...this.#inputs.keys()];
      throw new InputError(id, `is not defined${didYouMean(id, known) || '; add it to "inputs"'}`);
    }
    return input;
  }

  #assertNoCircle(id: string): void {
    const circle = circleOf(id, this.#inputs, (other) => this.#hasOwnValue(other));
    if (circle === undefined) return;
    const way = circle.map((one) => JSON.stringify(one.slice(0, 80))).join(' → ');
    throw new InputError(id, `its definition needs its own value: ${way}; take one of these placeholders out`);
  }

  /** Whether it has a value that does not come from its definition. */
  #hasOwnValue(id: string): boolean {
    const found = this.#found.get(id);
    return found === undefined ? this.#environment.inputValue(id) !== undefined : true;
  }

  #isAffected(id: string, before: McpServerInput | undefined, after: McpServerInput | undefined): boolean {
    if (before === undefined || after === undefined) return before !== after;
    const found = this.#found.get(id);
    return found === undefined ? !asksTheSame(before, after) : !stillHolds(found, before, after);
  }

  /** Forgets these values and what was made of them. @param value - what those get who wait for the first. */
  #forget(ids: readonly string[], value?: FoundValue): ReadonlySet<string> {
    const all = withDependents(ids, this.#inputs, (id) => {
      const source = this.#found.get(id)?.source;
      return source === undefined ? this.#environment.inputValue(id) !== undefined : !isFilledIn(source);
    });
    for (const id of all) {
      this.#found.delete(id);
      const work = this.#asking.get(id);
      this.#asking.delete(id);
      if (value !== undefined && id === ids[0]) work?.settle(value);
      else work?.end(new InputError(id, 'was changed while it was asked for'));
    }
    return all;
  }

  #standsInEnvironment(id: string): boolean {
    const found = this.#found.get(id);
    return found?.source === 'environment' && this.#environment.inputValue(id) === found.value;
  }
}

function closing(id: string): InputError {
  return new InputError(id, 'was not asked for, the Computer is closing');
}

function mayBeShown(input: McpServerInput, { source }: FoundValue): boolean {
  if (input.type === 'command' || (input.type === 'promptString' && input.password === true)) return false;
  return source !== 'command' && !(source === 'default' && hasPlaceholder(input.default ?? ''));
}
