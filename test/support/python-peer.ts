import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PROTOCOL_VERSION } from '../../src/protocol/index.js';

const SCRIPT = join(import.meta.dirname, '..', 'interop', 'python-peer.py');
const PYTHON = process.env['PYTHON'] ?? 'python3';

/** How to get what a {@link PythonPeer} needs. */
export const PYTHON_PEER_SETUP =
  'python3 -m venv /path/to/venv && /path/to/venv/bin/pip install python-socketio aiohttp, ' +
  'then run the tests with PYTHON=/path/to/venv/bin/python';

/** The version of python-socketio, `undefined` where it is not installed. */
export function pythonSocketIoVersion(): string | undefined {
  const code = 'import aiohttp, socketio; from importlib.metadata import version; print(version("python-socketio"))';
  const { status, stdout } = spawnSync(PYTHON, ['-c', code], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

interface Reply {
  readonly id: number;
  readonly value?: string;
  readonly error?: string;
}

/**
 * A client made of python-socketio, in a process of its own. Payloads and answers are Python source, and so is what it
 * shows of what it got: `None`, `(True, None)`, `{'v': b'x'}`.
 */
export class PythonPeer implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #count = 0;
  #stderr = '';

  constructor() {
    this.#child = spawn(PYTHON, [SCRIPT], { env: { ...process.env, PYTHONIOENCODING: 'utf-8' } });
    this.#child.stderr.on('data', (chunk: Buffer) => (this.#stderr += chunk.toString()));
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const reply = JSON.parse(line) as Reply;
      this.#waiting.get(reply.id)?.(reply);
      this.#waiting.delete(reply.id);
    });
    this.#child.once('close', () => {
      for (const settle of this.#waiting.values()) settle({ id: 0, error: `python ended: ${this.#stderr}` });
    });
  }

  /** @returns `None`, or what its `connect_error` handlers got when it was refused. */
  async connect(url: string, transports: readonly string[], version = PROTOCOL_VERSION): Promise<string> {
    return this.#do('connect', { url: `${url}?a2c_version=${version}`, transports, auth: null });
  }

  /** Emits an event and waits for the acknowledgement. */
  async call(event: string, payload: string): Promise<string> {
    return this.#do('call', { event, payload });
  }

  /** `server:join_office`. */
  async join(role: string, name: string, office: string): Promise<string> {
    return this.call('server:join_office', JSON.stringify({ role, name, office_id: office }));
  }

  /** From now on its handler of that event returns this value; an awaitable is awaited. */
  async answer(event: string, value: string): Promise<void> {
    await this.#do('answer', { event, value });
  }

  /** The events that it received, as a list of tuples. */
  async received(): Promise<string> {
    return this.#do('received', {});
  }

  /** Whether it is still connected: `True` or `False`. */
  async connected(): Promise<string> {
    return this.#do('connected', {});
  }

  /** Ends its process without a word. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.stdin.end();
    await closed;
  }

  async #do(name: string, args: object): Promise<string> {
    const id = (this.#count += 1);
    const reply = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.#child.stdin.write(`${JSON.stringify({ id, do: name, ...args })}\n`);
    const { value, error } = await reply;
    if (value === undefined) throw new Error(error);
    return value;
  }
}
