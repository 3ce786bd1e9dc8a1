import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { WebSocketText } from './websocket-text.js';

const REQUEST = /^42\/smcp,(\d+)\["client:tool_call",.*?"req_id":"([^"]+)"/s;
const ANSWER = /^43\/smcp,(\d+)\[/;

/** Stands between Agent and Server and counts, on the wire, the answers that each tool call gets. */
export class WireTap {
  /** How many answers came for a call, by its `req_id`. */
  readonly answers = new Map<string, number>();
  readonly #sockets = new Set<Socket>();
  readonly #target: number;
  readonly #server: Server;

  /** @param target - the port of the Server on the loopback address. */
  constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => {
      this.#relay(client);
    });
  }

  /** @returns the address for the Agent. */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Ends every connection. */
  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #relay(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1');
    const calls = new Map<string, string>();
    const fromAgent = new WebSocketText((text) => {
      const [, ack, reqId] = REQUEST.exec(text) ?? [];
      if (ack === undefined || reqId === undefined) return;
      calls.set(ack, reqId);
      this.answers.set(reqId, 0);
    });
    const fromServer = new WebSocketText((text) => {
      const reqId = calls.get(ANSWER.exec(text)?.[1] ?? '');
      if (reqId !== undefined) this.answers.set(reqId, (this.answers.get(reqId) ?? 0) + 1);
    });
    this.#pass(client, server, fromAgent);
    this.#pass(server, client, fromServer);
  }

  #pass(from: Socket, to: Socket, reader: WebSocketText): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    from.on('data', (chunk: Buffer) => {
      reader.push(chunk);
      to.write(chunk);
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      this.#sockets.delete(from);
      to.end();
    });
  }
}
