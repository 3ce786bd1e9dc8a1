import { Ajv, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonObject } from '../../protocol/index.js';
import { describeProblems } from './describe-problems.js';

/** Says what is wrong with arguments; nothing when they fit. */
export type Judge = (args: JsonObject) => readonly string[];

type Engine = new (options: Options) => Pick<Ajv, 'compile'>;

const DIALECTS: ReadonlyMap<string, Engine> = new Map<string, Engine>([
  ['json-schema.org/draft/2020-12/schema', Ajv2020],
  ['json-schema.org/draft/2019-09/schema', Ajv2019],
  ['json-schema.org/draft-07/schema', Ajv],
  ['json-schema.org/draft-06/schema', Ajv],
]);

const OPTIONS: Options = {
  allErrors: true,
  // Keywords that nobody knows are fine, and so are formats: as the dialects have it, those only describe.
  strict: false,
  validateFormats: false,
  validateSchema: false,
  logger: false,
};

/**
 * Compiles a schema. Without `$schema` it is read as 2020-12, which is MCP's default, or else as draft-07.
 *
 * Each schema has an engine of its own, so that equal `$id`s of different servers have nothing to do with one another.
 *
 * @throws Error saying why it cannot be compiled.
 */
export function compileSchema(schema: JsonObject): Judge {
  let first: unknown;
  for (const Engine of enginesFor(schema['$schema'])) {
    // Many patterns are written for expressions without the flag that JSON Schema asks for.
    for (const unicodeRegExp of [true, false]) {
      try {
        return compileWith(new Engine({ ...OPTIONS, unicodeRegExp }), schema);
      } catch (error) {
        first ??= error;
      }
    }
  }
  throw first;
}

function enginesFor(dialect: unknown): readonly Engine[] {
  if (typeof dialect !== 'string') return [Ajv2020, Ajv];
  const engine = DIALECTS.get(dialect.replace(/^https?:\/\//, '').replace(/#$/, ''));
  if (engine === undefined) throw new Error(`the dialect ${JSON.stringify(dialect)} is not known`);
  return [engine];
}

function compileWith(engine: Pick<Ajv, 'compile'>, schema: JsonObject): Judge {
  const validate = engine.compile(schema);
  if ('$async' in validate) throw new Error('it is for asynchronous validation');
  return (args) => (validate(args) ? [] : describeProblems(validate.errors ?? []));
}
