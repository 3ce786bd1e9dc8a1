/** Takes a listener off again. */
export type Unsubscribe = () => void;

type Listener<Args extends readonly unknown[]> = (...args: Args) => unknown;

/**
 * Events with typed arguments, for Node and browsers. A listener that throws, or whose promise is rejected, disturbs
 * neither the sender nor the other listeners: its error goes to `onListenerError`.
 *
 * @typeParam Events - maps each event's name to the tuple of its arguments.
 */
export class TypedEvents<Events extends Record<keyof Events, readonly unknown[]>> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();
  readonly #onListenerError: (error: unknown, event: string) => void;

  /** @param onListenerError - gets what a listener threw, and the name of the event. */
  constructor(onListenerError: (error: unknown, event: string) => void) {
    this.#onListenerError = onListenerError;
  }

  /** Calls `listener` at every `event` from now on. @returns a function that takes it off again. */
  on<E extends keyof Events>(event: E, listener: (...args: Events[E]) => void): Unsubscribe {
    const listeners = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, listeners);
    // A wrapper of its own, so that one function registered twice is called twice and taken off one at a time.
    const entry = (...args: Events[E]): unknown => (listener as Listener<Events[E]>)(...args);
    listeners.add(entry);
    return () => {
      listeners.delete(entry);
    };
  }

  /** Calls the listeners of `event` in the order in which they came. */
  emit<E extends keyof Events>(event: E, ...args: Events[E]): void {
    for (const listener of [...(this.#listeners.get(event) ?? [])]) {
      try {
        const outcome = (listener as Listener<Events[E]>)(...args);
        if (outcome instanceof Promise) {
          outcome.catch((error: unknown) => {
            this.#onListenerError(error, String(event));
          });
        }
      } catch (error) {
        this.#onListenerError(error, String(event));
      }
    }
  }

  /** Whether anybody listens to an event. */
  has(event: keyof Events): boolean {
    return (this.#listeners.get(event)?.size ?? 0) > 0;
  }

  /** Takes every listener off. */
  clear(): void {
    this.#listeners.clear();
  }
}
