import type { McpServerInput } from '../../protocol/index.js';
import { MASK } from '../redactor.js';
import { INPUTS_BY_TYPE } from './known-fields.js';
import { argumentsOf } from '../inputs/input-definitions.js';
import { hasPlaceholder } from '../inputs/placeholders.js';
import { maskText, secretsOfParameters } from './mask-config.js';
import { replaceAllTexts, replaceInUrls, replaceSecrets } from './secret-places.js';

/**
 * An input as `client:get_config` shows it: masked are the default of a password, secrets in a command's arguments, a
 * line for a shell, and every text in a field that this version does not know. Placeholders stay. Protocol §7.1.
 *
 * @param redact - takes values out that are known by now: what a command prints may stand in its arguments.
 */
export function maskInput(input: McpServerInput, redact: (text: string) => string = (text) => text): McpServerInput {
  const known = INPUTS_BY_TYPE[input.type];
  const entries = Object.entries(input).map(([field, value]): [string, unknown] => [
    field,
    known.includes(field) ? value : replaceAllTexts(value, maskText),
  ]);
  const shown = Object.fromEntries(entries) as McpServerInput;
  if (shown.type === 'command') return maskCommandInput(shown, redact);
  if (shown.default == null) return shown;
  const isPassword = shown.type === 'promptString' && shown.password === true;
  return { ...shown, default: isPassword ? maskText(shown.default) : replaceInUrls(shown.default, maskText) };
}

/** Every literal of a definition that may be a secret, for the redactor. Values are not in it. */
export function secretsOfInput(input: McpServerInput): string[] {
  if (input.type === 'command') return secretsOfParameters({ args: argumentsOf(input.args), command: input.command });
  const { default: literal } = input;
  if (literal == null) return [];
  const isPassword = input.type === 'promptString' && input.password === true && !hasPlaceholder(literal);
  return isPassword ? [literal] : secretsOfParameters({ command: literal });
}

type CommandInput = Extract<McpServerInput, { type: 'command' }>;

function maskCommandInput(input: CommandInput, redact: (text: string) => string): CommandInput {
  const shown = { ...input, command: redact(maskCommand(input)) };
  if (input.args == null) return shown;
  const masked = replaceSecrets({ args: argumentsOf(input.args) }, maskText) as { args: string[] };
  const args = masked.args.map(redact);
  if (Array.isArray(input.args)) return { ...shown, args };
  const entries = Object.keys(input.args).map((key, index): [string, string] => [key, args[2 * index + 1] ?? MASK]);
  return { ...shown, args: Object.fromEntries(entries) };
}

/** In a line for a shell a secret may stand anywhere: of more than one word nothing is shown. */
function maskCommand({ command, shell }: CommandInput): string {
  return shell === true && !/^[\w./\\:-]+$/.test(command) ? MASK : replaceInUrls(command, maskText);
}
