/** A signal that follows others, until it is released. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  /** Lets go of the others and of the timer. Idempotent. */
  readonly release: () => void;
}

/**
 * A signal that is aborted when one of `parents` is, with its reason, or after a time.
 *
 * `AbortSignal.any` does the same in less words, but on Node 20 a signal made of an `AbortSignal.timeout` is lost when
 * memory is collected, and what waited for it waits for ever; made of one that lives long, it stays in memory.
 *
 * @param parents - undefined ones count for nothing.
 * @param timeoutMs - in milliseconds; without it only the parents count.
 * @param onAbort - called when it was aborted: what a listener is for, but adding one takes longer than all of this.
 */
export function linkedSignal(
  parents: readonly (AbortSignal | undefined)[],
  timeoutMs?: number,
  onAbort?: () => void,
): LinkedSignal {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const links: (() => void)[] = [];
  const release = (): void => {
    clearTimeout(timer);
    for (const unlink of links.splice(0)) unlink();
  };
  const end = (reason: unknown): void => {
    release();
    controller.abort(reason);
    onAbort?.();
  };
  for (const parent of parents) {
    if (parent === undefined) continue;
    const follow = (): void => {
      end(parent.reason);
    };
    if (parent.aborted) {
      follow();
      return { signal: controller.signal, release };
    }
    parent.addEventListener('abort', follow);
    links.push(() => {
      parent.removeEventListener('abort', follow);
    });
  }
  if (timeoutMs !== undefined) {
    timer = setTimeout(() => {
      end(new DOMException('The time is up', 'TimeoutError'));
    }, timeoutMs);
  }
  return { signal: controller.signal, release };
}
