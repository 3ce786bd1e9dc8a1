import { Buffer } from 'node:buffer';

/** What stands where a secret stood. */
export const MASK = '******';

/** Below this many characters a value is replaced only where it stands alone; shorter ones would blank every text. */
const SHORT = 4;
/** Below this many bytes the base64 form of a value is too short to tell it from chance. */
const MIN_BASE64_BYTES = 6;
/** How many generations of a secret that changes are known. */
const GENERATIONS = 4;
/** Values that configurations are full of and that nobody could keep secret. */
const COMMONPLACE = new Set(
  'true false null none yes no on off info debug warn warning error trace production development test utf-8 utf8'.split(
    ' ',
  ),
);

/**
 * Knows every resolved input value and every configured secret of one Computer, and takes them out of texts: logs,
 * error messages, standard error of children, events, history. Zero credential propagation, Protocol §1.
 *
 * Secrets that contain or overlap one another leave no rest. Each is also found in its URL-encoded, JSON-escaped and
 * base64 forms. Values under four characters are replaced only where no letter or digit stands beside them, and single
 * characters and everyday words such as `true` never.
 */
export class Redactor {
  readonly #values = new Set<string>();
  /** By owner, the newest generation last. */
  readonly #rotating = new Map<string, (readonly string[])[]>();
  #forms = new Set<string>();
  #pattern: RegExp | undefined;
  /** The length of the longest form. */
  #longest = 0;

  /** Adds a secret. Whitespace around it, and each line of a longer text such as a key file, count as well. */
  add(value: string): void {
    const trimmed = value.trim();
    if (this.#values.has(value) || !isWorthHiding(trimmed)) return;
    this.#values.add(value);
    this.#addForms(trimmed);
  }

  /**
   * Adds secrets that take the place of earlier ones of the same owner, such as the tokens of a login. The last few
   * generations stay known, because they may still be in some text; older ones are forgotten, lest a Computer that runs
   * for a year knows ten thousand.
   */
  rotate(owner: string, secrets: readonly string[]): void {
    const generations = this.#rotating.get(owner) ?? [];
    const known = generations.at(-1);
    if (known?.length === secrets.length && secrets.every((secret, index) => known[index] === secret)) return;
    generations.push(secrets);
    this.#rotating.set(owner, generations);
    for (const secret of secrets) this.#addForms(secret.trim());
    if (generations.length <= GENERATIONS) return;
    generations.shift();
    this.#forms = new Set();
    for (const value of this.#values) this.#addForms(value.trim());
    for (const secret of [...this.#rotating.values()].flat(2)) this.#addForms(secret.trim());
  }

  /** Adds every text within a value of any shape: what an input resolved to. */
  addValue(value: unknown): void {
    if (typeof value === 'string' || typeof value === 'number') this.add(String(value));
    else if (Array.isArray(value)) for (const item of value) this.addValue(item);
    else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) this.addValue(item);
  }

  /** The text without any known secret. */
  redact(text: string): string {
    if (this.#forms.size === 0 || text === '') return text;
    this.#pattern ??= compile(this.#forms);
    // Nearly every text is clean: one look tells. Only then are all places searched, overlapping ones too.
    return this.#pattern.test(text) ? cutOut(text, placesOf(this.#forms, text)) : text;
  }

  /** How much of a text {@link Redactor.redactStart} needs to see for a beginning of this length. */
  startNeeded(length: number): number {
    return length + this.#longest;
  }

  /**
   * The beginning of a text without any known secret, and without the beginning of one that the cut goes through.
   *
   * @param text - the whole text, or as much of it as {@link Redactor.startNeeded} says.
   * @param length - of the text before secrets are taken out, in UTF-16 units.
   */
  redactStart(text: string, length: number): string {
    if (text.length <= length) return this.redact(text);
    const seen = text.slice(0, this.startNeeded(length));
    if (this.redact(seen) === seen) return seen.slice(0, length);
    const places = placesOf(this.#forms, seen).filter(([start]) => start < length);
    return cutOut(seen.slice(0, Math.max(length, ...places.map(([, end]) => end))), places);
  }

  /**
   * A copy of a value of any shape in which every text is redacted, keys included; errors become their message. For
   * log fields and diagnostics. What nests deeper than eight levels is left out.
   */
  redactValue(value: unknown): unknown {
    return this.#redactLevel(value, 8);
  }

  #addForms(trimmed: string): void {
    if (!isWorthHiding(trimmed)) return;
    for (const part of partsOf(trimmed)) for (const form of formsOf(part)) this.#addForm(form);
    this.#pattern = undefined;
  }

  #addForm(form: string): void {
    this.#forms.add(form);
    this.#longest = Math.max(this.#longest, form.length);
  }

  #redactLevel(value: unknown, levels: number): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (typeof value !== 'object' || value === null) return value;
    if (levels === 0) return '[nested too deep]';
    if (value instanceof Date) return value;
    if (value instanceof Error) return this.redact(`${value.name}: ${value.message}`);
    if (Array.isArray(value)) return value.map((item) => this.#redactLevel(item, levels - 1));
    const entries = Object.entries(value).map(([key, item]) => [this.redact(key), this.#redactLevel(item, levels - 1)]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }
}

function isWorthHiding(value: string): boolean {
  return value.length > 1 && !COMMONPLACE.has(value.toLowerCase());
}

/** The value itself, and each longer line of it: logs and standard error are read line by line. */
function partsOf(value: string): readonly string[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim());
  return lines.length === 1 ? [value] : [value, ...lines.filter((line) => line.length >= 8)];
}

function formsOf(value: string): readonly string[] {
  if (value.length < SHORT) return [value];
  const url = encodeUrl(value);
  const forms = [
    value,
    JSON.stringify(value).slice(1, -1),
    url,
    url.replaceAll('%20', '+'),
    url.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase()),
    ...base64FormsOf(value),
  ];
  return forms.filter((form) => form.length >= SHORT);
}

function encodeUrl(value: string): string {
  // A lone surrogate has no UTF-8 form and `encodeURIComponent` throws on it: a round trip replaces it.
  return encodeURIComponent(Buffer.from(value, 'utf8').toString('utf8'));
}

/** Base64 of the value at each of the three offsets it can have within a longer text, as in `Basic base64(user:pass)`. */
function base64FormsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  if (bytes.length < MIN_BASE64_BYTES) return [];
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes]);
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor((padded.length * 8) / 6);
    const form = padded.toString('base64').slice(first, last);
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function compile(forms: ReadonlySet<string>): RegExp {
  const alternatives = [...forms].map((form) => form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(alternatives.join('|'));
}

type Place = readonly [start: number, end: number];

function placesOf(forms: ReadonlySet<string>, text: string): Place[] {
  const places: Place[] = [];
  for (const form of forms) {
    for (let start = text.indexOf(form); start !== -1; start = text.indexOf(form, start + 1)) {
      const end = start + form.length;
      if (form.length >= SHORT || standsAlone(text, start, end)) places.push([start, end]);
    }
  }
  return places.sort((a, b) => a[0] - b[0]);
}

function standsAlone(text: string, start: number, end: number): boolean {
  const isWord = /[\p{L}\p{N}]/u;
  return !isWord.test(text.charAt(start - 1)) && !isWord.test(text.charAt(end));
}

/** Secrets that overlap become one mask, so that no rest of either is left. */
function cutOut(text: string, places: readonly Place[]): string {
  let shown = '';
  let done = 0;
  for (const [start, end] of places) {
    if (start >= done) shown += text.slice(done, start) + MASK;
    done = Math.max(done, end);
  }
  return shown + text.slice(done);
}
