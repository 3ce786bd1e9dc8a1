/**
 * A text from elsewhere, made safe for a terminal: control characters, which could move the cursor, recolour or retitle
 * the window, are left out. Line breaks and tabs stay.
 */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, (character) =>
    character === '\n' || character === '\t' ? character : '',
  );
}
