/** A text as one word for a shell, in quotes only where it needs them. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./\\~-]+$/.test(text) ? text : `"${text.replace(/(["$`])/g, '\\$1')}"`;
}
