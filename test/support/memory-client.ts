import { InMemoryTransport, type McpServer } from '@modelcontextprotocol/server';

/** A message of JSON-RPC, as it came. */
export interface RpcMessage {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client in this process that shows every message of an MCP server as it came. */
export class MemoryClient implements AsyncDisposable {
  /** Notices of the server, in order. */
  readonly notices: RpcMessage[] = [];
  readonly #transport: InMemoryTransport;
  readonly #waiting = new Map<number, (message: RpcMessage) => void>();
  #lastId = 0;

  private constructor(transport: InMemoryTransport) {
    this.#transport = transport;
    transport.onmessage = (message) => {
      const { id, method } = message as RpcMessage;
      if (method !== undefined) this.notices.push(message as RpcMessage);
      else if (id !== undefined) this.#waiting.get(id)?.(message as RpcMessage);
    };
  }

  /** Connects and initializes. */
  static async connect(server: McpServer): Promise<MemoryClient> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new MemoryClient(near);
    await near.start();
    await server.connect(far);
    const clientInfo = { name: 'test', version: '1' };
    await client.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    await near.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return client;
  }

  /** @returns the answer, a result or an error. */
  async ask(method: string, params: Record<string, unknown> = {}): Promise<RpcMessage> {
    const id = (this.#lastId += 1);
    const answer = new Promise<RpcMessage>((resolve) => this.#waiting.set(id, resolve));
    await this.#transport.send({ jsonrpc: '2.0', id, method, params });
    return answer;
  }

  /** @throws Error when the answer is an error. */
  async request(method: string, params: Record<string, unknown> = {}): Promise<Readonly<Record<string, unknown>>> {
    const { result, error } = await this.ask(method, params);
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  /** What was told since the last time, each as its last word and the URI that it names. */
  async told(): Promise<string[]> {
    // Whatever was said before comes before the answer.
    await this.request('ping');
    return this.notices.splice(0).map(({ method, params }) => {
      const word = method?.split('/').at(-1) ?? '';
      return typeof params?.['uri'] === 'string' ? `${word} ${params['uri']}` : word;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#transport.close();
  }
}
