import { z } from 'zod';
import { callRequestShape } from './call.js';

/** `client:get_desktop`. Protocol §3.1. */
export const getDesktopRequestSchema = z.looseObject({
  ...callRequestShape,
  desktop_size: z.int({ error: 'expected a whole number or null' }).nullish(),
  window: z.string({ error: 'expected a string or null' }).nullish(),
});
/** See {@link getDesktopRequestSchema}. */
export type GetDesktopRequest = z.infer<typeof getDesktopRequestSchema>;

/** Answer of `client:get_desktop`. Protocol §3.1. */
export const getDesktopAnswerSchema = z.looseObject({
  desktops: z.array(z.string()).nullish(),
  req_id: z.string().nullish(),
});

/** Answer of `client:get_desktop`, as written. Protocol §3.1. */
export interface GetDesktopAnswer {
  readonly desktops: readonly string[];
  readonly req_id: string;
}
