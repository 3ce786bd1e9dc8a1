const PLACEHOLDER = /\$\{input:([^}]+)\}/g;

/** Whether a text holds a `${input:ID}`. Protocol §7.2. */
export function hasPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDER) !== -1;
}

/** The id, when the text is exactly one placeholder and nothing else. */
export function solePlaceholderId(text: string): string | undefined {
  const match = /^\$\{input:([^}]+)\}$/.exec(text);
  return match?.[1];
}

/** The ids of the placeholders of a text, in order. Ids are opaque: `*` and `../x` mean nothing. */
export function placeholderIds(text: string): string[] {
  return Array.from(text.matchAll(PLACEHOLDER), (match) => match[1] ?? '');
}

/** The text with each placeholder replaced, once: what comes out is not looked at again. */
export function replacePlaceholders(text: string, replace: (id: string) => string): string {
  return text.replace(PLACEHOLDER, (_whole, id: string) => replace(id));
}

/** Takes the placeholders out, so that the literal rest can be taken apart without tripping over an id like `a/b@c`. */
export function withoutPlaceholders(text: string): {
  /** The text with a mark where each placeholder stood. */
  readonly text: string;
  /** Puts the placeholders of a part of that text back. */
  readonly restore: (part: string) => string;
} {
  const taken: string[] = [];
  const bare = text.replace(PLACEHOLDER, (whole) => {
    taken.push(whole);
    return `\uE000${taken.length - 1}\uE000`;
  });
  const restore = (part: string): string =>
    part.replace(/\uE000(\d+)\uE000/g, (mark, index: string) => taken[Number(index)] ?? mark);
  return { text: bare, restore };
}
