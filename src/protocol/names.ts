import { z } from 'zod';

/** The longest `office_id` or `name`, in characters. Protocol §1. */
export const MAX_NAME_LENGTH = 256;

const RULE = `must be 1 to ${MAX_NAME_LENGTH} characters, not blank, without control characters`;

/**
 * Whether a text can name an office, an Agent or a Computer: 1–256 characters, not blank, no control characters,
 * otherwise any Unicode. Protocol §1.
 */
export function isName(text: string): boolean {
  if (text.length > 2 * MAX_NAME_LENGTH || text.trim() === '' || /\p{Cc}/u.test(text)) return false;
  return text.length <= MAX_NAME_LENGTH || Array.from(text).length <= MAX_NAME_LENGTH;
}

/** Schema of `office_id` and `name`. */
export const nameSchema = z.string({ error: 'expected a string' }).refine(isName, { error: RULE });
