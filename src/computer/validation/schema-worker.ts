/**
 * The thread that judges arguments: schemas come from MCP servers, and one of them may take for ever, or all memory, to
 * compile or to check. Started by `startSchemaThread` only.
 */
import { parentPort, type MessagePort } from 'node:worker_threads';
import { compileSchema, type Judge } from './compile-schema.js';
import type { SchemaReply, SchemaRequest } from './schema-messages.js';

/** Compiled schemas that are kept; those that were not used for longest make room. */
const MAX_COMPILED = 256;
const compiled = new Map<number, Judge>();

function answer({ id, schema, args }: SchemaRequest): SchemaReply {
  const known = compiled.get(id);
  if (known === undefined && schema === undefined) return { type: 'unknown' };
  try {
    const judge = known ?? compileSchema(schema ?? {});
    keep(id, judge);
    const problems = judge(args);
    return problems.length === 0 ? { type: 'valid' } : { type: 'invalid', problems };
  } catch (error) {
    return { type: 'unusable', why: error instanceof Error ? error.message : String(error) };
  }
}

function keep(id: number, judge: Judge): void {
  compiled.delete(id);
  compiled.set(id, judge);
  if (compiled.size <= MAX_COMPILED) return;
  for (const oldest of compiled.keys()) {
    compiled.delete(oldest);
    return;
  }
}

function serve(port: MessagePort): void {
  port.on('message', (request: SchemaRequest) => {
    port.postMessage(answer(request));
  });
  port.postMessage('ready');
}

if (parentPort !== null) serve(parentPort);
