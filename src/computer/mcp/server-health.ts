/** What may be wrong with a server that runs. */
export type HealthAspect =
  /** Its own stream, on which its notifications come. */
  | 'stream'
  /** It cannot be reached now. */
  | 'connection'
  /** It refused a request for want of a login. */
  | 'login'
  /** Its list of tools could not be read again. */
  | 'tools';

/** What is wrong with a running server, by aspect. */
export class ServerHealth {
  readonly #problems = new Map<HealthAspect, string>();
  readonly #onChanged: () => void;

  constructor(onChanged: () => void) {
    this.#onChanged = onChanged;
  }

  /** Everything that is wrong, as one sentence; `undefined` when nothing is. */
  get problem(): string | undefined {
    return this.#problems.size === 0 ? undefined : [...this.#problems.values()].join('; ');
  }

  /** Whether something is wrong with this aspect. */
  has(aspect: HealthAspect): boolean {
    return this.#problems.has(aspect);
  }

  /** Notes what is wrong with one aspect; `undefined` when nothing is. */
  set(aspect: HealthAspect, problem: string | undefined): void {
    if (this.#problems.get(aspect) === problem) return;
    if (problem === undefined) this.#problems.delete(aspect);
    else this.#problems.set(aspect, problem);
    this.#onChanged();
  }
}
