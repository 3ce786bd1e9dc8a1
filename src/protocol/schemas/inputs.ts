import { z } from 'zod';
import { durationSchema } from './duration.js';

const text = z.string({ error: 'expected a string' });
const flag = z.boolean({ error: 'expected true or false' });
const base = { id: text.min(1, { error: 'must not be empty' }), description: text.default('') };

/** Schema of {@link McpServerInput}. Protocol §7.2. */
export const mcpServerInputSchema = z.discriminatedUnion(
  'type',
  [
    z.looseObject({
      ...base,
      type: z.literal('promptString'),
      default: text.nullish(),
      password: flag.nullish(),
    }),
    z.looseObject({
      ...base,
      type: z.literal('pickString'),
      options: z.array(text, { error: 'expected a list of strings' }),
      default: text.nullish(),
    }),
    z.looseObject({
      ...base,
      type: z.literal('command'),
      command: text,
      args: z
        .union([z.array(text), z.record(z.string(), text)], { error: 'expected a list or a map of strings' })
        .nullish(),
      timeout: durationSchema.nullish(),
      shell: flag.nullish(),
    }),
  ],
  { error: 'expected "promptString", "pickString" or "command"' },
);
/** A value that is asked for when a server starts, and stands as `${input:ID}` in the configuration. Protocol §7.2. */
export type McpServerInput = z.infer<typeof mcpServerInputSchema>;
