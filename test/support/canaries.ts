/** Secrets that a test plants, to look for them where none may be. */
export class Canaries {
  readonly #planted: (readonly [name: string, value: string])[] = [];

  /** A new secret, also under a name that there is already; with `odd` one that JSON, URLs and shells have to escape. */
  plant(name: string, { odd = false } = {}): string {
    const value = `canary-${name}-${Math.random().toString(36).slice(2, 10)}${odd ? '/+ä "x"?' : ''}`;
    this.#planted.push([name, value]);
    return value;
  }

  /** The names of the secrets that stand in a text, as they are, or escaped for JSON or a URL, or in base64. */
  in(text: string): string[] {
    const found = this.#planted.filter(([, value]) => spellings(value).some((one) => text.includes(one)));
    return [...new Set(found.map(([name]) => name))];
  }
}

function spellings(value: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) => {
    const encoded = Buffer.from(`${'x'.repeat(offset)}${value}`).toString('base64');
    // What comes before and behind it changes the first and the last characters.
    return encoded.slice(offset === 0 ? 0 : 4, -4);
  });
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...inBase64];
}
