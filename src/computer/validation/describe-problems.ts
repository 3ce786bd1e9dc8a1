import type { ErrorObject } from 'ajv';
import { fieldPath } from '../config/field-path.js';

const MAX_PROBLEMS = 10;
const MAX_FIELD = 80;
const MAX_EXPECTED = 200;

/**
 * What is wrong with arguments: one sentence for each field that says what is expected of it. Values of the arguments
 * are left out, names of fields are not.
 */
export function describeProblems(errors: readonly ErrorObject[]): string[] {
  const problems = new Set<string>();
  for (const error of errors) {
    problems.add(describe(error));
    if (problems.size > MAX_PROBLEMS) break;
  }
  const shown = [...problems].slice(0, MAX_PROBLEMS);
  return problems.size > MAX_PROBLEMS ? [...shown, 'and more'] : shown;
}

function describe({ instancePath, keyword, params, message = 'is not valid' }: ErrorObject): string {
  const steps = instancePath.split('/').slice(1).map(stepOf);
  const about = (what: string, ...more: readonly string[]): string => {
    const field = fieldPath(...steps, ...more);
    return `${field === '' ? 'the arguments' : shortened(field, MAX_FIELD)}: ${shortened(what, MAX_EXPECTED)}`;
  };
  const details = params as Readonly<Record<string, unknown>>;
  switch (keyword) {
    case 'required':
      return about('is required', String(details['missingProperty']));
    case 'additionalProperties':
      return about('is not a known field', String(details['additionalProperty']));
    case 'unevaluatedProperties':
      return about('is not a known field', String(details['unevaluatedProperty']));
    case 'enum':
      return about(`must be one of ${listed(details['allowedValues'])}`);
    case 'const':
      return about(`must be ${JSON.stringify(details['allowedValue'])}`);
    default:
      return about(message);
  }
}

function listed(values: unknown): string {
  return Array.isArray(values) ? values.map((value) => JSON.stringify(value)).join(', ') : 'the allowed values';
}

/** A step of a JSON pointer. */
function stepOf(text: string): string | number {
  return /^\d+$/.test(text) ? Number(text) : text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
