import { z } from 'zod';
import { isName, MAX_NAME_LENGTH } from './basics.js';

const RULE = `must be 1 to ${MAX_NAME_LENGTH} characters, not blank, without control characters`;

/** Schema of `office_id` and `name`. */
export const nameSchema = z.string({ error: 'expected a string' }).refine(isName, { error: RULE });
