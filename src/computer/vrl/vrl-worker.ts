/**
 * The thread that holds the VRL interpreter: answers one request at a time, and never survives an interpreter that
 * broke. Started by `startVrlThread` only.
 */
import { parentPort, workerData, type MessagePort } from 'node:worker_threads';
import type { RawDiagnostic, VrlReply, VrlRequest, VrlWorkerData } from './vrl-messages.js';
import { limitWasmMemory } from './wasm-memory-limit.js';

const { maxMemoryBytes, maxResultBytes } = workerData as VrlWorkerData;

type CompileModule = new (bytes: Uint8Array) => object;
const wasm = Reflect.get(globalThis, 'WebAssembly') as { Module: CompileModule };
// The interpreter compiles its own module while it is loaded and offers no other way to limit its memory. Nothing else
// runs in this thread.
wasm.Module = class extends wasm.Module {
  constructor(bytes: Uint8Array) {
    super(limitWasmMemory(bytes, maxMemoryBytes));
  }
};
const { check, execute } = await import('@bpinternal/verel');

function answer(request: VrlRequest): VrlReply {
  try {
    if (request.type === 'check') return { type: 'checked', diagnostics: diagnosticsOf(request.source) };
    const outcome = JSON.stringify(execute(request.source, JSON.parse(request.event)).event);
    const bytes = Buffer.byteLength(outcome);
    return bytes > maxResultBytes ? { type: 'too-large', bytes } : { type: 'done', event: outcome };
  } catch (error) {
    return failureOf(error, request.source);
  }
}

/** Errors of the script are plain `Error`s; any other class comes from a module that is unusable from then on. */
function failureOf(error: unknown, source: string): VrlReply {
  if (!(error instanceof Error) || error.constructor !== Error) return { type: 'broken' };
  if (error.message.startsWith('Termination;')) return { type: 'failed', text: error.message };
  if (error.message.startsWith('Compilation Error;')) return { type: 'invalid', diagnostics: diagnosticsOf(source) };
  return { type: 'broken' };
}

function diagnosticsOf(source: string): RawDiagnostic[] {
  const { errors, warnings } = check(source);
  return [...errors, ...warnings];
}

function serve(port: MessagePort): void {
  port.on('message', (request: VrlRequest) => {
    port.postMessage(answer(request));
  });
  port.postMessage('ready');
}

if (parentPort !== null) serve(parentPort);
