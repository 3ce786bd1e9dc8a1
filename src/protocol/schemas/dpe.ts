import { z } from 'zod';
import { callRequestShape, timeoutSchema } from './call.js';

/** `client:get_dpe`. The URI is judged by the Computer, not by the schema. Protocol §3.1, §8.3. */
export const getDpeRequestSchema = z.looseObject({
  ...callRequestShape,
  uri: z.string({ error: 'expected a string' }),
  timeout: timeoutSchema.optional(),
});
/** See {@link getDpeRequestSchema}. */
export type GetDpeRequest = z.infer<typeof getDpeRequestSchema>;

/** Answer of `client:get_dpe`: where the Agent can fetch the document. Protocol §8.3. */
export const getDpeAnswerSchema = z.looseObject({
  uri: z.string({ error: 'expected a string' }),
  mime_type: z.string().nullish(),
  size: z.number().nullish(),
  req_id: z.string().nullish(),
});
/** See {@link getDpeAnswerSchema}. */
export type GetDpeAnswer = z.infer<typeof getDpeAnswerSchema>;
