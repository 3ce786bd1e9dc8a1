import { setMaxListeners } from 'node:events';
import type { McpServerInput } from '../../protocol/index.js';
import type { Redactor } from '../redactor.js';
import { environmentName, readFromEnvironment } from './environment-name.js';
import { InputError } from './input-error.js';
import { runCommandInput } from './run-command-input.js';

/**
 * Asks a person for the value of an input. What it returns is the value; `undefined` means that there is no answer and
 * the default counts. A throw stops the start of the server that wants the input.
 *
 * @param input - the definition. The default of a password is not in it and must not be shown anyway.
 */
export type PromptInput = (input: McpServerInput, options: { readonly signal: AbortSignal }) => Promise<unknown>;

/** What an {@link InputResolver} works with. */
export interface InputResolverOptions {
  /** Looked up for `A2C_SMCP_<ID>`, and the environment of command inputs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Learns every value. */
  readonly redactor: Redactor;
  /** Asks a person; absent: nobody can be asked. */
  readonly prompt?: PromptInput | undefined;
  /**
   * How long a command input may run, in milliseconds.
   *
   * @default 30000
   */
  readonly commandTimeoutMs?: number | undefined;
}

/**
 * Gives the values of inputs: from the environment, else from a person (or, for a command input, from its program),
 * else the default. Each is found once and kept, whoever asks. Protocol §7.2.
 */
export class InputResolver {
  readonly #options: InputResolverOptions;
  readonly #values = new Map<string, Promise<unknown>>();
  readonly #closing = new AbortController();
  #inputs: ReadonlyMap<string, McpServerInput> = new Map();
  /** One question at a time: two prompts would share one terminal. */
  #lastPrompt: Promise<unknown> = Promise.resolve();

  constructor(options: InputResolverOptions) {
    this.#options = options;
    // Every command that runs listens to it.
    setMaxListeners(0, this.#closing.signal);
  }

  /** Takes the definitions that count from now on. Values of inputs that changed are forgotten, the others stay. */
  setInputs(inputs: ReadonlyMap<string, McpServerInput>): void {
    for (const id of this.#values.keys()) {
      if (JSON.stringify(this.#inputs.get(id)) !== JSON.stringify(inputs.get(id))) this.#values.delete(id);
    }
    this.#inputs = inputs;
    for (const input of inputs.values()) {
      if (input.type === 'promptString' && input.password === true && input.default != null) {
        this.#options.redactor.add(input.default);
      }
    }
  }

  /**
   * The value of an input.
   *
   * @throws InputError when the id is unknown, nothing gives a value, or the program or the prompt fails.
   */
  async resolve(id: string): Promise<unknown> {
    const known = this.#values.get(id);
    if (known !== undefined) return known;
    const finding = this.#find(id);
    this.#values.set(id, finding);
    try {
      return await finding;
    } catch (error) {
      // A later start may ask again.
      if (this.#values.get(id) === finding) this.#values.delete(id);
      throw error;
    }
  }

  /** Forgets the value of one input, or of all: the next start asks again. */
  clear(id?: string): void {
    if (id === undefined) this.#values.clear();
    else this.#values.delete(id);
  }

  /** Ends what is being asked for. */
  close(): void {
    this.#closing.abort();
  }

  async #find(id: string): Promise<unknown> {
    const input = this.#inputs.get(id);
    if (input === undefined) throw new InputError(id, 'is not defined; add it to "inputs"');
    const value = readFromEnvironment(id, this.#options.env) ?? (await this.#ask(input)) ?? defaultOf(input);
    if (value === undefined || value === null) {
      throw new InputError(id, `has no value; set ${environmentName(id)} or give it a default`);
    }
    this.#options.redactor.addValue(value);
    return value;
  }

  async #ask(input: McpServerInput): Promise<unknown> {
    const { signal } = this.#closing;
    if (input.type === 'command') {
      const timeoutMs = this.#options.commandTimeoutMs ?? 30_000;
      return runCommandInput(input, { env: this.#options.env, timeoutMs, signal });
    }
    const { prompt } = this.#options;
    if (prompt === undefined) return undefined;
    const turn = this.#lastPrompt.then(async () => {
      if (signal.aborted) throw new InputError(input.id, 'was not asked for, the Computer is closing');
      return prompt(input.type === 'promptString' && input.password === true ? withoutDefault(input) : input, {
        signal,
      });
    });
    this.#lastPrompt = turn.catch(() => undefined);
    try {
      return await turn;
    } catch (error) {
      if (error instanceof InputError) throw error;
      // What a prompt throws may hold what was typed.
      throw new InputError(input.id, 'the prompt failed or was given up');
    }
  }
}

function withoutDefault(input: McpServerInput): McpServerInput {
  return input.type === 'command' ? input : { ...input, default: undefined };
}

function defaultOf(input: McpServerInput): unknown {
  return input.type === 'command' ? undefined : input.default;
}
