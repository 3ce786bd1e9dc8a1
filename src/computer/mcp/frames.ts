import { isJsonObject, type JsonObject } from '../../protocol/index.js';

/** The id of a JSON-RPC request. */
export type FrameId = string | number;

/** A JSON-RPC request (with `id`) or notification (without). */
interface CallFrame {
  readonly jsonrpc: '2.0';
  readonly id?: FrameId;
  readonly method: string;
  readonly params?: JsonObject;
}

/** A JSON-RPC answer that carries a result, the object as the server wrote it. */
interface ResultFrame {
  readonly jsonrpc: '2.0';
  readonly id: FrameId;
  readonly result: JsonObject;
}

/** A JSON-RPC answer that carries an error. */
export interface ErrorFrame {
  readonly jsonrpc: '2.0';
  readonly id: FrameId;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** One JSON-RPC message in the only shape that the SDK's `Protocol` never drops. */
export type Frame = CallFrame | ResultFrame | ErrorFrame;

/** Code of the errors that this layer puts in the place of an answer that never came or could not be used. */
const BROKEN_ANSWER = -32000;

const isId = (value: unknown): value is FrameId => typeof value === 'string' || typeof value === 'number';

/** An error frame of our own for a request whose answer is missing or unusable. */
export function errorFrame(id: FrameId, message: string): ErrorFrame {
  return { jsonrpc: '2.0', id, error: { code: BROKEN_ANSWER, message } };
}

function readAnswer(id: FrameId, message: JsonObject): Frame {
  const { result, error } = message;
  if (error !== undefined && error !== null) return { jsonrpc: '2.0', id, error: readError(error) };
  if (isJsonObject(result)) return { jsonrpc: '2.0', id, result };
  return errorFrame(id, 'The MCP server sent an answer whose result is not an object');
}

function readError(error: unknown): ErrorFrame['error'] {
  if (!isJsonObject(error)) {
    return { code: BROKEN_ANSWER, message: typeof error === 'string' ? error : 'The MCP server sent a broken error' };
  }
  const { code, message, data } = error;
  const text = typeof message === 'string' ? message : 'The MCP server sent an error without a message';
  const number = typeof code === 'number' && Number.isInteger(code) ? code : BROKEN_ANSWER;
  return data === undefined ? { code: number, message: text } : { code: number, message: text, data };
}

/**
 * Rebuilds a JSON-RPC message from whatever a server wrote, so that nothing that has an id is ever dropped: the SDK
 * drops frames with an extra key, without `jsonrpc`, or with a null result, and their calls hang until the timeout.
 * Results and params stay the very objects that were parsed.
 *
 * @returns `undefined` when the value is no JSON-RPC message at all.
 */
export function readFrame(value: unknown): Frame | undefined {
  if (!isJsonObject(value)) return undefined;
  const { id, method } = value;
  if (typeof method === 'string') {
    const params = isJsonObject(value['params']) ? { params: value['params'] } : undefined;
    return isId(id) ? { jsonrpc: '2.0', id, method, ...params } : { jsonrpc: '2.0', method, ...params };
  }
  return isId(id) ? readAnswer(id, value) : undefined;
}

/** The frames in one parsed message: one, or those of a JSON-RPC batch. */
export function readFrames(value: unknown): Frame[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map(readFrame).filter((frame) => frame !== undefined);
}
