import type { Readable } from 'node:stream';

/** How a body stands. */
interface Progress {
  readonly pieces: Uint8Array[];
  failure: Error | undefined;
  isOver: boolean;
  wake: () => void;
}

/**
 * The pieces of a body, each as it was read: iterating over the stream itself would copy those that come together. What
 * nobody asks for is not read.
 *
 * @throws what the body failed with, also before it was asked for; Error when it was cut off.
 */
export async function* bodyPieces(body: Readable): AsyncGenerator<Uint8Array, void, undefined> {
  const progress = follow(body);
  try {
    for (;;) {
      const piece = progress.pieces.shift();
      if (piece !== undefined) yield piece;
      else if (progress.failure !== undefined) throw progress.failure;
      else if (progress.isOver) return;
      else await more(body, progress);
    }
  } finally {
    body.destroy();
  }
}

function follow(body: Readable): Progress {
  const progress: Progress = { pieces: [], failure: undefined, isOver: false, wake: () => undefined };
  const end = (failure: Error | undefined): void => {
    progress.failure ??= failure;
    progress.isOver = true;
    progress.wake();
  };
  const cutOff = (): Error | undefined => (body.readableEnded ? undefined : new Error('The connection was cut off'));
  body.on('data', (piece: Uint8Array) => {
    progress.pieces.push(piece);
    body.pause();
    progress.wake();
  });
  body.once('end', () => {
    end(undefined);
  });
  body.once('error', end);
  body.once('close', () => {
    end(progress.isOver ? undefined : cutOff());
  });
  // What has failed or ended already tells nothing any more.
  if (body.errored != null) end(body.errored);
  else if (body.closed) end(cutOff());
  return progress;
}

function more(body: Readable, progress: Progress): Promise<void> {
  return new Promise((resolve) => {
    progress.wake = resolve;
    body.resume();
  });
}
