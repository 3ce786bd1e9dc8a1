/** Waits until one of some signals aborts. */
export function untilAborted(...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    if (signals.some(({ aborted }) => aborted)) {
      resolve();
      return;
    }
    const settle = (): void => {
      for (const signal of signals) signal.removeEventListener('abort', settle);
      resolve();
    };
    for (const signal of signals) signal.addEventListener('abort', settle);
  });
}
