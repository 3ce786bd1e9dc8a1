import { isDeepStrictEqual } from 'node:util';
import { isDeeperThan, MAX_PAYLOAD_DEPTH, type McpServerConfig, type McpServerInput } from '../protocol/index.js';
import { inputWarnings } from './config/document-warnings.js';
import { nearNames } from './config/nearest-name.js';
import { maskInput } from './config/mask-input.js';
import { readInput, refuseEqualEnvironmentNames } from './config/read-input.js';
import type { ReportDiagnostic } from './hosting.js';
import { Environment } from './inputs/environment.js';
import type { PromptInput } from './inputs/find-value.js';
import type { InputDefinitions } from './inputs/input-definitions.js';
import { InputError } from './inputs/input-error.js';
import { InputResolver, type InputValueStatus } from './inputs/input-resolver.js';
import { renderConfig } from './inputs/render-config.js';
import { inputIdsWithin, renderValue } from './inputs/render-value.js';
import type { McpServerManager, ServerState, ServerStatus } from './mcp/index.js';
import type { Shared } from './shared.js';

/** What {@link ServerInputs} work with. */
export interface ServerInputsOptions {
  readonly shared: Pick<Shared, 'env' | 'redactor'>;
  readonly prompt?: PromptInput | undefined;
  readonly commandTimeoutMs?: number | undefined;
  readonly manager: Pick<McpServerManager, 'configs' | 'states' | 'restart'>;
  /** The definitions are others now. Must not throw. */
  readonly onDefinitions: () => void;
  readonly report: ReportDiagnostic;
}

/** States in which nobody wants the server to run: it sees the new value when somebody starts it. */
const AT_REST: readonly ServerState[] = ['stopped', 'disabled'];

/**
 * The inputs of one Computer and the servers that use them. A change of a definition or a value starts those servers
 * anew whose configuration names the input, directly or through the definition of another one, and leaves all others
 * alone; so does a change that cannot matter, such as a new description. Values are in memory only. Protocol §7.2.
 */
export class ServerInputs {
  readonly environment: Environment;
  readonly #options: ServerInputsOptions;
  readonly #resolver: InputResolver;
  /** What is being filled in for the start of each server. */
  readonly #starts = new Map<string, AbortController>();

  constructor(options: ServerInputsOptions) {
    this.#options = options;
    this.environment = new Environment(options.shared);
    this.#resolver = new InputResolver({ ...options, environment: this.environment });
  }

  /** The definitions by id, in order, as they are written. */
  get definitions(): InputDefinitions {
    return this.#resolver.inputs;
  }

  /** The definitions as they may be shown. */
  shown(): readonly McpServerInput[] {
    const { redactor } = this.#options.shared;
    return [...this.definitions.values()].map((input) => maskInput(input, (text) => redactor.redact(text)));
  }

  /** What is known of each value. */
  values(): readonly InputValueStatus[] {
    return this.#resolver.values();
  }

  /**
   * Fills in what a configuration names.
   *
   * @param signal - ends the wait; a question that nobody else waits for is given up.
   * @throws InputError, ConfigError; the signal's reason.
   */
  render(config: McpServerConfig, signal?: AbortSignal): Promise<McpServerConfig> {
    return renderConfig(config, {
      input: (id) => this.#resolver.resolve(id, signal),
      variable: (name) => this.environment.variable(name),
    });
  }

  /**
   * Fills in what any JSON value names.
   *
   * @throws InputError for an id that is not defined, naming those that were probably meant, and as
   *   {@link ServerInputs.render}; TypeError for a value that nests too deep.
   */
  async renderValue(value: unknown, signal?: AbortSignal): Promise<unknown> {
    signal?.throwIfAborted();
    if (isDeeperThan(value, MAX_PAYLOAD_DEPTH)) throw new TypeError(`The value nests deeper than ${MAX_PAYLOAD_DEPTH}`);
    const known = [...this.definitions.keys()];
    const unknown = inputIdsWithin(value).find((id) => !this.definitions.has(id));
    if (unknown !== undefined) throw new InputError(unknown, `is not defined${meantBy(unknown, known)}`);
    return renderValue(value, {
      input: (id) => this.#resolver.resolve(id, signal),
      variable: (name) => this.environment.variable(name),
    });
  }

  /** Does something for the start of a server, which ends when that start is over: see `stateChanged`. */
  async whileStarting<T>(server: string, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const start = new AbortController();
    this.#starts.set(server, start);
    try {
      return await act(start.signal);
    } finally {
      if (this.#starts.get(server) === start) this.#starts.delete(server);
    }
  }

  /** Hears of a new state of a server: the start of which something is still being filled in is over then. */
  stateChanged(server: string): void {
    this.#starts.get(server)?.abort(new Error('The start was overtaken'));
  }

  /** Takes the definitions of a new configuration. @returns the ids of the inputs whose values are others now. */
  define(inputs: InputDefinitions): ReadonlySet<string> {
    return this.#resolver.setInputs(inputs);
  }

  /**
   * Starts those servers anew that use one of the inputs and are meant to run.
   *
   * @param before - the states that count: a server that has another one by now is left alone, it was started anew.
   * @returns when all have come to an outcome; failed starts do not reject, their state tells.
   */
  async restartUsers(
    ids: ReadonlySet<string>,
    before: ReadonlyMap<string, ServerStatus> = this.#options.manager.states(),
  ): Promise<void> {
    if (ids.size === 0) return;
    const { manager } = this.#options;
    const now = manager.states();
    const users = manager.configs().filter(({ name, server_parameters: parameters }) => {
      const status = now.get(name);
      if (status === undefined || status !== before.get(name) || AT_REST.includes(status.state)) return false;
      return inputIdsWithin(parameters).some((id) => ids.has(id));
    });
    await Promise.allSettled(users.map(({ name }) => manager.restart(name)));
  }

  /** Adds a definition, or puts it in the place of the one with its id. @throws ConfigError naming the field. */
  async set(definition: unknown): Promise<void> {
    const input = readInput(definition, { path: ['input'] });
    const inputs = new Map(this.definitions).set(input.id, input);
    refuseEqualEnvironmentNames(inputs);
    for (const { field, problem } of inputWarnings([definition])) this.#options.report({ item: field, problem });
    await this.#redefine(inputs);
  }

  /** Takes a definition and its value out. @throws InputError when there is none. */
  async remove(id: string): Promise<void> {
    const inputs = new Map(this.definitions);
    if (!inputs.delete(id)) throw new InputError(id, 'is not defined');
    await this.#redefine(inputs);
  }

  /** Gives an input a value. @throws InputError when there is no such input or it cannot have this value. */
  async setValue(id: string, value: unknown): Promise<void> {
    await this.restartUsers(this.#resolver.setValue(id, value));
  }

  /** Forgets the value of one input, or of all. */
  async clear(id?: string): Promise<void> {
    await this.restartUsers(this.#resolver.clear(id));
  }

  /** Ends what is being asked for. */
  close(): void {
    this.#resolver.close();
  }

  async #redefine(inputs: InputDefinitions): Promise<void> {
    if (isDeepStrictEqual([...inputs], [...this.definitions])) return;
    const changed = this.#resolver.setInputs(inputs);
    const states = this.#options.manager.states();
    this.#options.onDefinitions();
    await this.restartUsers(changed, states);
  }
}

function meantBy(id: string, known: readonly string[]): string {
  const near = nearNames(id, known).map((name) => JSON.stringify(name));
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`;
}
