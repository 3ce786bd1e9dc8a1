/** How long what is being closed may take, in ms. */
const PATIENCE_MS = 6_000;
const LOOK_AGAIN_MS = 50;

/** What keeps this process alive, by kind: `Timeout`, `TCPSocketWrap`, `ProcessWrap` … */
export function openHandles(): readonly string[] {
  return process.getActiveResourcesInfo();
}

/** What there is now and was not before, by kind. */
function addedTo(before: readonly string[]): readonly string[] {
  const left = [...before];
  return openHandles().filter((kind) => {
    const index = left.indexOf(kind);
    if (index !== -1) left.splice(index, 1);
    return index === -1;
  });
}

/**
 * Waits until nothing is open that was not before: what was let go of needs some turns until it has closed.
 *
 * @param before - what `openHandles` gave.
 * @returns what is open still after 6 s.
 */
export async function settledHandles(before: readonly string[]): Promise<readonly string[]> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const added = addedTo(before);
    if (added.length === 0 || Date.now() >= deadline) return added;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}
