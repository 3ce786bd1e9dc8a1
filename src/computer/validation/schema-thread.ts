import { Worker, type WorkerOptions } from 'node:worker_threads';
import { WorkerThread, type ThreadTrouble } from '../worker-thread.js';
import type { SchemaReply, SchemaRequest } from './schema-messages.js';

const MAX_HEAP_MB = 128;

/** The thread had trouble. */
export class SchemaThreadError extends Error {
  override readonly name = 'SchemaThreadError';
  readonly kind: ThreadTrouble['kind'];

  constructor({ kind, what }: ThreadTrouble) {
    super(`The validation ${what}`);
    this.kind = kind;
  }
}

/** One thread that judges arguments. Its errors are SchemaThreadError. */
export type SchemaThread = WorkerThread<SchemaRequest, SchemaReply>;

/** Starts a thread. */
export function startSchemaThread(): SchemaThread {
  return new WorkerThread(startWorker(), (trouble) => new SchemaThreadError(trouble));
}

/** See the thread of the VRL scripts for what is done here and why. */
function startWorker(): Worker {
  const options: WorkerOptions = {
    stdout: true,
    stderr: true,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  };
  const forSource = import.meta.url.replace(/schema-thread\.ts$/, 'schema-worker.dev.mjs');
  if (forSource !== import.meta.url) return new Worker(new URL(forSource), options);
  return new Worker(new URL('./schema-worker.js', import.meta.url), options);
}
