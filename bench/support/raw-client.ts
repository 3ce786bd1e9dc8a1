import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { childEnvironment } from '../../src/computer/mcp/spawn-command.js';
import type { JsonObject } from '../../src/protocol/index.js';
import type { Program } from './mcp-servers.js';

/** The least that a client of a stdio server can be: spawn, a line out, a line in. Standard error is thrown away. */
export class RawClient implements AsyncDisposable {
  /** Gets what the server tells unasked. */
  onNotification: ((method: string, params: JsonObject) => void) | undefined;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #answers = new Map<number, (result: JsonObject) => void>();
  #rest = '';
  #lastId = 0;

  /** Starts the server. */
  constructor({ command, args }: Program) {
    // The same environment as ours gives: it decides how much Node loads.
    this.#child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], env: childEnvironment(null) });
    this.#child.stderr.resume();
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#receive(text);
    });
  }

  /** Starts a server and gets its list of tools. */
  static async open(program: Program): Promise<RawClient> {
    const client = new RawClient(program);
    const clientInfo = { name: 'bench', version: '1' };
    await client.request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    client.#write({ method: 'notifications/initialized' });
    await client.request('tools/list');
    return client;
  }

  /** Sends the server a signal. */
  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Sends a request. @returns the result. */
  request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = (this.#lastId += 1);
    return new Promise((resolve) => {
      this.#answers.set(id, resolve);
      this.#write({ id, method, params });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }

  #write(message: JsonObject): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #receive(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('{')) continue;
      const message = JSON.parse(line) as { id?: number; result?: JsonObject; method?: string; params?: JsonObject };
      const { id, result } = message;
      if (id === undefined && message.method !== undefined) this.onNotification?.(message.method, message.params ?? {});
      if (id === undefined || result === undefined) continue;
      this.#answers.get(id)?.(result);
      this.#answers.delete(id);
    }
  }
}
