import { parseDuration, type McpServerInput } from '../../protocol/index.js';
import { environmentName } from './environment-name.js';
import type { Environment } from './environment.js';
import { argumentsOf, assertAllowed, type FoundValue } from './input-definitions.js';
import { InputError } from './input-error.js';
import { hasPlaceholder } from './placeholders.js';
import type { PromptQueue } from './prompt-queue.js';
import { asText, renderValue } from './render-value.js';
import { runCommandInput } from './run-command-input.js';

/**
 * Asks a person for the value of an input. What it returns is the value, also an empty text; `undefined` or `null` means
 * that there is no answer and the default counts. A throw stops the start of the server that wants the input.
 *
 * @param input - the definition. A default that must not be shown, of a password, or that holds placeholders, is not in
 *   it.
 * @param options - `signal` is aborted when the answer is not wanted any more: nobody waits for it, or the Computer is
 *   closing.
 */
export type PromptInput = (input: McpServerInput, options: { readonly signal: AbortSignal }) => Promise<unknown>;

/** What finding a value takes. */
export interface ValueSources {
  readonly environment: Environment;
  /** Asks a person; absent: nobody can be asked. */
  readonly prompt?: PromptInput | undefined;
  readonly prompts: PromptQueue;
  /** How long a command may run that says nothing else, in milliseconds. */
  readonly commandTimeoutMs: number;
  /** Gives the value of another input, for one whose definition names it. */
  readonly resolve: (id: string, signal: AbortSignal) => Promise<unknown>;
  /** Throws an InputError when the definition of an input leads back to itself. */
  readonly assertNoCircle: (id: string) => void;
}

/**
 * Finds the value of an input: in the environment, else from a person (or, for a command, from its program), else the
 * default. Protocol §7.2.
 *
 * @throws InputError when nothing gives a value, or what gives one fails.
 */
export async function findValue(
  input: McpServerInput,
  sources: ValueSources,
  signal: AbortSignal,
): Promise<FoundValue> {
  const name = environmentName(input.id);
  const set = sources.environment.inputValue(input.id);
  if (set !== undefined) return allowed(input, { value: set, source: 'environment' }, `the value of ${name}`);
  if (input.type === 'command') return { value: await run(input, sources, signal), source: 'command' };
  const answer = await ask(input, sources, signal);
  if (answer !== undefined && answer !== null) return allowed(input, { value: answer, source: 'prompt' }, 'the answer');
  if (input.default == null) throw new InputError(input.id, `has no value; set ${name} or give it a default`);
  const value = await filledIn(input.id, input.default, { sources, signal });
  return allowed(input, { value, source: 'default' }, 'its default');
}

function allowed(input: McpServerInput, found: FoundValue, what: string): FoundValue {
  assertAllowed(input, found.value, what);
  return found;
}

type CommandInput = Extract<McpServerInput, { type: 'command' }>;

async function run(input: CommandInput, sources: ValueSources, signal: AbortSignal): Promise<string> {
  const shell = input.shell === true;
  // A shell would read what is filled into its line as syntax.
  const line = shell ? input.command : asText(await filledIn(input.id, input.command, { sources, signal }));
  const args = (await filledIn(input.id, argumentsOf(input.args), { sources, signal })) as unknown[];
  const timeoutMs = input.timeout == null ? undefined : parseDuration(input.timeout);
  return runCommandInput(
    { id: input.id, command: line, args: args.map(asText), shell },
    { env: sources.environment.variables, timeoutMs: timeoutMs ?? sources.commandTimeoutMs, signal },
  );
}

/** Part of a definition with its placeholders filled in. */
async function filledIn(
  id: string,
  part: unknown,
  { sources, signal }: { readonly sources: ValueSources; readonly signal: AbortSignal },
): Promise<unknown> {
  sources.assertNoCircle(id);
  return renderValue(part, {
    input: (other) => sources.resolve(other, signal),
    variable: (name) => sources.environment.variable(name, id),
  });
}

async function ask(input: McpServerInput, { prompt, prompts }: ValueSources, signal: AbortSignal): Promise<unknown> {
  if (prompt === undefined) return undefined;
  try {
    return await prompts.ask(() => prompt(asShown(input), { signal }), signal);
  } catch (error) {
    if (error instanceof InputError) throw error;
    // What a prompt throws may hold what was typed.
    throw new InputError(input.id, 'the prompt failed or was given up');
  }
}

/** A default with placeholders is no answer that a person could accept as it stands, and may hold a password. */
function asShown(input: McpServerInput): McpServerInput {
  if (input.type === 'command' || input.default == null) return input;
  const hidden = (input.type === 'promptString' && input.password === true) || hasPlaceholder(input.default);
  return hidden ? { ...input, default: undefined } : input;
}
