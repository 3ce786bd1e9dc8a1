import { isJsonObject, mcpServerInputSchema, type McpServerInput } from '../../protocol/index.js';
import { environmentName } from '../inputs/environment-name.js';
import { hasPlaceholder } from '../inputs/placeholders.js';
import { ConfigError } from './config-error.js';
import { fieldPath } from './field-path.js';
import { INPUTS_BY_TYPE } from './known-fields.js';
import { withMendHint } from './mend-hint.js';
import { didYouMean } from './nearest-name.js';

/** Where a definition stands. */
export interface InputPlace {
  readonly path: readonly PropertyKey[];
  readonly file?: string | undefined;
}

/**
 * Reads the definition of an input. Protocol §7.2.
 *
 * @throws ConfigError naming the field.
 */
export function readInput(entry: unknown, { path: place, file }: InputPlace): McpServerInput {
  const parsed = mcpServerInputSchema.safeParse(entry);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = issue?.path ?? [];
    const hint =
      path[0] === 'type' && isJsonObject(entry) ? didYouMean(entry['type'], Object.keys(INPUTS_BY_TYPE)) : '';
    const problem = withMendHint(issue?.message ?? 'invalid', entry, path) + hint;
    throw new ConfigError(problem, { field: fieldPath(...place, ...path), file });
  }
  const wrong = wrongField(parsed.data);
  if (wrong !== undefined) throw new ConfigError(wrong.problem, { field: fieldPath(...place, wrong.field), file });
  return parsed.data;
}

/**
 * Reads the inputs of a configuration.
 *
 * @throws ConfigError naming the field.
 */
export function readInputs(value: unknown, file?: string): ReadonlyMap<string, McpServerInput> {
  const list = value ?? [];
  if (!Array.isArray(list)) throw new ConfigError('expected a list of inputs', { field: 'inputs', file });
  const inputs = new Map<string, McpServerInput>();
  for (const [index, entry] of (list as unknown[]).entries()) {
    const input = readInput(entry, { path: ['inputs', index], file });
    if (inputs.has(input.id)) {
      throw new ConfigError('another input has this id; rename one', { field: fieldPath('inputs', index, 'id'), file });
    }
    inputs.set(input.id, input);
  }
  return inputs;
}

/** @throws ConfigError when two inputs read one variable of the environment. Protocol §7.2. */
export function refuseEqualEnvironmentNames(inputs: ReadonlyMap<string, McpServerInput>, file?: string): void {
  const owners = new Map<string, string>();
  for (const id of inputs.keys()) {
    const name = environmentName(id);
    const owner = owners.get(name);
    if (owner !== undefined) {
      const both = `${JSON.stringify(owner)} and ${JSON.stringify(id)}`;
      throw new ConfigError(`the inputs ${both} would both read ${name}; rename one`, { field: 'inputs', file });
    }
    owners.set(name, id);
  }
}

/** What the protocol's schema takes and nothing can come of. */
function wrongField(input: McpServerInput): { readonly field: string; readonly problem: string } | undefined {
  if (input.type === 'pickString' && input.options.length === 0) {
    return { field: 'options', problem: 'is empty: there is nothing to choose from; name at least one' };
  }
  if (input.type === 'command' && input.shell === true && hasPlaceholder(input.command)) {
    const problem = 'with "shell" a value filled in here would be read as syntax; put the placeholder into "args"';
    return { field: 'command', problem };
  }
  return undefined;
}
