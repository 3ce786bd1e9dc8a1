import type { JSONRPCMessage, TransportSendOptions } from '@modelcontextprotocol/client';
import type { Frame } from './frames.js';
import type { UpstreamTransport } from './upstream-transport.js';

/**
 * Stands between a transport and the SDK's `Client`: every message passes here first, and what is taken here the SDK
 * never sees. So our own requests cost no validation, their progress is not lost when it comes together with the
 * answer, and their results stay the objects that were parsed.
 */
export class FrameTap {
  onclose: UpstreamTransport['onclose'];
  onerror: UpstreamTransport['onerror'];
  onmessage: UpstreamTransport['onmessage'];

  readonly #inner: UpstreamTransport;

  /**
   * @param inner - the transport.
   * @param incoming - looks at each message from the server: gives what the SDK is to see, `undefined` for nothing.
   * @param outgoing - looks at each message from the SDK.
   */
  constructor(
    inner: UpstreamTransport,
    incoming: (frame: Frame) => Frame | undefined,
    outgoing: (message: JSONRPCMessage) => void,
  ) {
    this.#inner = inner;
    this.#outgoing = outgoing;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message) => {
      const rest = incoming(message as Frame);
      if (rest !== undefined) this.onmessage?.(rest);
    };
  }

  readonly #outgoing: (message: JSONRPCMessage) => void;

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#outgoing(message);
    return this.#inner.send(message, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }
}
