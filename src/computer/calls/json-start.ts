/**
 * The beginning of a value's JSON text. A value of megabytes costs no more than one of that length.
 *
 * @param length - in UTF-16 units; what comes is at least that long if the whole text is, and little longer.
 */
export function jsonStart(value: unknown, length: number): string {
  const writer = new Writer(length);
  writer.write(value);
  return writer.text;
}

class Writer {
  text = '';
  readonly #length: number;

  constructor(length: number) {
    this.#length = length;
  }

  write(value: unknown): void {
    if (typeof value === 'string') this.#string(value);
    else if (typeof value !== 'object' || value === null) this.text += JSON.stringify(value ?? null);
    else if (Array.isArray(value)) this.#array(value);
    // Socket.IO carries bytes beside JSON.
    else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) this.text += '"[binary]"';
    else this.#object(value as Readonly<Record<string, unknown>>);
  }

  /** Cut before it is escaped, which makes it no shorter. */
  #string(value: string): void {
    this.text += JSON.stringify(value.slice(0, this.#left));
  }

  #array(values: readonly unknown[]): void {
    this.text += '[';
    for (const [index, value] of values.entries()) {
      if (this.#left <= 0) return;
      if (index > 0) this.text += ',';
      this.write(value);
    }
    this.text += ']';
  }

  #object(object: Readonly<Record<string, unknown>>): void {
    this.text += '{';
    let isFirst = true;
    for (const key in object) {
      if (this.#left <= 0) return;
      if (!Object.hasOwn(object, key)) continue;
      if (!isFirst) this.text += ',';
      isFirst = false;
      this.#string(key);
      this.text += ':';
      this.write(object[key]);
    }
    this.text += '}';
  }

  get #left(): number {
    return Math.max(0, this.#length - this.text.length);
  }
}
