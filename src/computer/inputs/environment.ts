import { EVERYDAY_VARIABLE } from '../config/everyday.js';
import type { Redactor } from '../redactor.js';
import { readFromEnvironment } from './environment-name.js';
import { InputError, quoted } from './input-error.js';

/** What an {@link Environment} works with. */
export interface EnvironmentOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Learns every value but those of everyday variables. */
  readonly redactor: Redactor;
}

/** The environment of one Computer, as its configuration sees it. Everything that is read becomes a secret. */
export class Environment {
  readonly #options: EnvironmentOptions;
  /** The values of `$HOME` and the like that were asked for: without them messages would say little. */
  readonly #everyday = new Set<string>();

  constructor(options: EnvironmentOptions) {
    this.#options = options;
  }

  /** All variables: what command inputs run with. */
  get variables(): EnvironmentOptions['env'] {
    return this.#options.env;
  }

  /** The value that the environment gives an input; `undefined` when no variable of its names is set. */
  inputValue(id: string): string | undefined {
    return readFromEnvironment(id, this.#options.env);
  }

  /**
   * The value of a variable that the configuration names as `${env:NAME}`. One that is set and empty has a value.
   *
   * @param inputId - the input in whose definition it stands, if it stands in one.
   * @throws InputError when it is not set.
   */
  variable(name: string, inputId?: string): string {
    const { env, redactor } = this.#options;
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) {
      const mend = 'set it where this Computer is started, or take ${env:…} out of the configuration';
      if (inputId === undefined) throw new InputError({ variable: name }, `is not set in the environment; ${mend}`);
      throw new InputError(inputId, `the variable ${quoted(name)} of its definition is not set; ${mend}`);
    }
    if (EVERYDAY_VARIABLE.test(name)) this.#everyday.add(value);
    else redactor.add(value);
    return value;
  }

  /** Tells the redactor of secrets, except where one is the plain value of an everyday variable. */
  addSecrets(values: Iterable<unknown>): void {
    for (const value of values) {
      if (typeof value !== 'string' || !this.#everyday.has(value)) this.#options.redactor.addValue(value);
    }
  }
}
