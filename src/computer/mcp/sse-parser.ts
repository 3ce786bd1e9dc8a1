/** One event of an event stream. */
interface SseEvent {
  /** `message` unless the server named it. */
  readonly event: string;
  readonly data: string;
}

/** Receivers of {@link SseParser}. */
export interface SseHandlers {
  onEvent(event: SseEvent): void;
  /** The server gave an id, to resume from. */
  onId?(id: string): void;
  /** The server wants this delay before a reconnect, in ms. */
  onRetry?(ms: number): void;
}

/** Reads `text/event-stream` as the HTML standard defines it, from pieces of text of any length. */
export class SseParser {
  readonly #handlers: SseHandlers;
  #parts: string[] = [];
  #afterReturn = false;
  #data: string[] = [];
  #event = '';
  #started = false;
  #pending = 0;

  constructor(handlers: SseHandlers) {
    this.#handlers = handlers;
  }

  /** Characters that wait for the end of their line or event. */
  get pending(): number {
    return this.#pending;
  }

  /** Takes the next piece of text. */
  push(chunk: string): void {
    let text = chunk;
    if (text === '') return;
    this.#pending += text.length;
    if (!this.#started) text = text.replace(/^\uFEFF/, '');
    this.#started = true;
    if (this.#afterReturn && text.startsWith('\n')) text = text.slice(1);
    this.#afterReturn = text.endsWith('\r');
    const lines = text.split(/\r\n|\r|\n/);
    const last = lines.pop() ?? '';
    for (const line of lines) {
      this.#parts.push(line);
      this.#line(this.#parts.join(''));
      this.#parts = [];
    }
    if (last !== '') this.#parts.push(last);
  }

  #line(line: string): void {
    if (line === '') {
      this.#pending = 0;
      this.#dispatch();
    } else if (line.startsWith(':')) {
      this.#pending -= Math.min(this.#pending, line.length + 1);
    } else {
      const [, field = '', value = ''] = /^([^:]*)(?:: ?)?([^]*)$/.exec(line) ?? [];
      this.#field(field, value);
    }
  }

  #field(field: string, value: string): void {
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#event = value;
    else if (field === 'id' && !value.includes('\0')) this.#handlers.onId?.(value);
    else if (field === 'retry' && /^\d+$/.test(value)) this.#handlers.onRetry?.(Number(value));
  }

  #dispatch(): void {
    const [event, data] = [this.#event, this.#data];
    this.#event = '';
    this.#data = [];
    if (data.length > 0) this.#handlers.onEvent({ event: event === '' ? 'message' : event, data: data.join('\n') });
  }
}
