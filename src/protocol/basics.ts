// What needs no schema, and so no zod: the command line reads its flags by it before it loads anything else.

/** The HTTP path of Socket.IO, unless configured otherwise. Protocol §2. */
export const DEFAULT_PATH = '/socket.io/';

/** The longest time that a call may ask for, in seconds. Protocol §6.2. */
export const MAX_TIMEOUT_SECONDS = 3600;

/** The longest `office_id` or `name`, in characters. Protocol §1. */
export const MAX_NAME_LENGTH = 256;

/**
 * Whether a text can name an office, an Agent or a Computer: 1–256 characters, not blank, no control characters,
 * otherwise any Unicode. Protocol §1.
 */
export function isName(text: string): boolean {
  if (text.length > 2 * MAX_NAME_LENGTH || text.trim() === '' || /\p{Cc}/u.test(text)) return false;
  return text.length <= MAX_NAME_LENGTH || Array.from(text).length <= MAX_NAME_LENGTH;
}
