import { Worker, type WorkerOptions } from 'node:worker_threads';
import { WorkerThread } from '../worker-thread.js';
import { VrlError } from './vrl-error.js';
import type { VrlReply, VrlRequest, VrlWorkerData } from './vrl-messages.js';

/** The heap of the thread. The interpreter's own memory does not count here. */
const MAX_HEAP_MB = 512;

/** One thread with the VRL interpreter in it, ready some 500 ms after it was started. Its errors are VrlError. */
export type VrlThread = WorkerThread<VrlRequest, VrlReply>;

/** Starts a thread. */
export function startVrlThread(data: VrlWorkerData): VrlThread {
  return new WorkerThread(startWorker(data), ({ kind, what }) => {
    if (kind === 'timeout') return new VrlError(kind, `The VRL script ${what}`);
    return new VrlError(kind === 'crash' ? kind : 'timeout', `The VRL interpreter ${what}`);
  });
}

/**
 * The package holds `.js` files, which Node runs as they are. Tests and examples run the `.ts` files; there a file that
 * is not part of the package gives the thread the loader that it needs, because no test runner hands its own on.
 */
function startWorker(workerData: VrlWorkerData): Worker {
  const options: WorkerOptions = {
    workerData,
    // The interpreter prints when it breaks, and what it prints may quote the event: nobody reads it. It is little, as a
    // broken interpreter is given up; and reading it would keep the process open.
    stdout: true,
    stderr: true,
    // Some flags of the process, such as --input-type, keep a thread from starting.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  };
  // Written so that bundlers see the second file only.
  const forSource = import.meta.url.replace(/vrl-thread\.ts$/, 'vrl-worker.dev.mjs');
  if (forSource !== import.meta.url) return new Worker(new URL(forSource), options);
  return new Worker(new URL('./vrl-worker.js', import.meta.url), options);
}
