const PLACEHOLDER = /\$\{(input|env):([^}]+)\}/g;

/** What a placeholder stands for: `${input:ID}` for an input, `${env:NAME}` for a variable of the environment. */
export interface Reference {
  readonly kind: 'input' | 'env';
  /** The id or the name. Opaque: `*` and `../x` mean nothing. */
  readonly name: string;
}

/** Whether a text holds a placeholder. Protocol §7.2. */
export function hasPlaceholder(text: string): boolean {
  return text.search(PLACEHOLDER) !== -1;
}

/** What the text stands for, when it is exactly one placeholder and nothing else. */
export function soleReference(text: string): Reference | undefined {
  const match = /^\$\{(input|env):([^}]+)\}$/.exec(text);
  return match === null ? undefined : reference(match[1], match[2]);
}

/** The placeholders of a text, in order. */
export function referencesIn(text: string): Reference[] {
  return Array.from(text.matchAll(PLACEHOLDER), (match) => reference(match[1], match[2]));
}

/** The text with each placeholder replaced, once: what comes out is not looked at again. */
export function replacePlaceholders(text: string, replace: (reference: Reference) => string): string {
  return text.replace(PLACEHOLDER, (_whole, kind: string, name: string) => replace(reference(kind, name)));
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

function reference(kind = '', name = ''): Reference {
  return { kind: kind === 'env' ? 'env' : 'input', name };
}
