import { once } from 'node:events';
import { WebSocket } from 'ws';

/**
 * A client that speaks Socket.IO by slicing strings: light enough that the server, and not the load, is what is
 * measured.
 */
export class RawPeer {
  readonly #socket: WebSocket;
  readonly #answers = new Map<number, () => void>();
  readonly #onEvent: ((peer: RawPeer, packet: string) => void) | undefined;
  #lastId = 0;

  private constructor(socket: WebSocket, onEvent?: (peer: RawPeer, packet: string) => void) {
    this.#socket = socket;
    this.#onEvent = onEvent;
    socket.on('message', (data: Buffer) => {
      this.#receive(data.toString());
    });
  }

  /**
   * Opens a connection and enters the namespace.
   *
   * @param url - `ws://HOST:PORT`.
   * @param onEvent - gets each event packet, as text.
   */
  static async connect(url: string, onEvent?: (peer: RawPeer, packet: string) => void): Promise<RawPeer> {
    const socket = new WebSocket(`${url}/socket.io/?EIO=4&transport=websocket&a2c_version=0.2.0`, {
      perMessageDeflate: false,
    });
    await once(socket, 'message');
    socket.send('40/smcp,');
    await once(socket, 'message');
    return new RawPeer(socket, onEvent);
  }

  /** Emits an event and waits for its acknowledgement. @param data - the JSON after the name of the event. */
  call(event: string, data: string): Promise<void> {
    return new Promise((resolve) => {
      this.request(event, data, resolve);
    });
  }

  /** Emits an event. @param onAnswer - called at its acknowledgement. */
  request(event: string, data: string, onAnswer: () => void): void {
    const id = (this.#lastId += 1);
    this.#answers.set(id, onAnswer);
    this.#socket.send(`42/smcp,${id}["${event}",${data}]`);
  }

  /** Answers an event packet. @param data - the JSON of the answer. */
  answer(packet: string, data: string): void {
    const id = packet.slice('42/smcp,'.length, packet.indexOf('['));
    if (id !== '') this.#socket.send(`43/smcp,${id}[${data}]`);
  }

  #receive(packet: string): void {
    if (packet === '2') this.#socket.send('3');
    else if (packet.startsWith('43')) this.#acknowledged(Number(packet.slice('43/smcp,'.length, packet.indexOf('['))));
    else if (packet.startsWith('42')) this.#onEvent?.(this, packet);
  }

  #acknowledged(id: number): void {
    const onAnswer = this.#answers.get(id);
    this.#answers.delete(id);
    onAnswer?.();
  }
}
