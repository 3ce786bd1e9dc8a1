import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import { hasPlaceholder } from '../inputs/placeholders.js';
import type { ConfigWarning } from './config-warning.js';
import { fieldPath } from './field-path.js';
import { DOCUMENT, INPUTS_BY_TYPE, SANDBOX } from './known-fields.js';
import { nearestName } from './nearest-name.js';

/** Fields of the whole document that are not read. Those that are no misspelling come as one: files of other programs have many. */
export function documentWarnings(document: JsonObject): ConfigWarning[] {
  const warnings: ConfigWarning[] = [];
  const others: string[] = [];
  for (const field of Object.keys(document)) {
    if (DOCUMENT.includes(field)) continue;
    const meant = nearestName(field, DOCUMENT);
    if (meant !== undefined) {
      warnings.push({ field: fieldPath(field), problem: `"${field}" is not a known field; did you mean "${meant}"?` });
    } else if (SANDBOX.includes(field)) {
      const problem = `"${field}" is not used: this Computer does not confine MCP servers`;
      warnings.push({ field: fieldPath(field), problem });
    } else others.push(field);
  }
  if (others.length > 0) {
    const shown = others.slice(0, 3).map((field) => JSON.stringify(field.slice(0, 40)));
    const more = others.length > shown.length ? ` and ${others.length - shown.length} more` : '';
    warnings.push({ field: '', problem: `not used by this Computer: ${shown.join(', ')}${more}` });
  }
  return warnings;
}

/** Fields of inputs that are kept and not used, and defaults that cannot be one. */
export function inputWarnings(inputs: unknown): ConfigWarning[] {
  if (!Array.isArray(inputs)) return [];
  return (inputs as unknown[]).flatMap((input, index) => {
    const type = isJsonObject(input) ? input['type'] : undefined;
    if (!isJsonObject(input) || !isInputType(type)) return [];
    const known = INPUTS_BY_TYPE[type];
    const unknown = Object.keys(input)
      .filter((field) => !known.includes(field))
      .map((field) => {
        const meant = nearestName(field, known);
        const ending = meant === undefined ? 'it has no effect' : `did you mean "${meant}"?`;
        const problem = `"${field.slice(0, 40)}" is not a known field of a ${type} input; ${ending}`;
        return { field: fieldPath('inputs', index, field), problem };
      });
    if (!hasOddDefault(input)) return unknown;
    const problem = '"default" is not one of the "options" and cannot become the value';
    return [...unknown, { field: fieldPath('inputs', index, 'default'), problem }];
  });
}

function hasOddDefault({ type, options, default: value }: JsonObject): boolean {
  if (type !== 'pickString' || typeof value !== 'string' || !Array.isArray(options)) return false;
  return !hasPlaceholder(value) && !(options as unknown[]).includes(value);
}

function isInputType(type: unknown): type is keyof typeof INPUTS_BY_TYPE {
  return typeof type === 'string' && Object.hasOwn(INPUTS_BY_TYPE, type);
}
