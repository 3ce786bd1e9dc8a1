import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { VERSITYGW } from './versitygw.js';

/** Who may do everything there. The secret is one that no output may show. */
export const S3_KEYS = { accessKeyId: 'CANARYKEYID', secretAccessKey: 'canary-secret-key' } as const;
/** A bucket that is there. */
export const BUCKET = 'documents';

/**
 * versitygw, an S3 server that keeps objects in a folder; it checks signatures, dates and expiry. In a process of its
 * own, on the loopback address.
 */
export class S3Server implements AsyncDisposable {
  /** What it was asked, as `METHOD path query status`, in the order of its answers. */
  readonly requests: string[] = [];
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #folder: string;
  readonly #waiting = new Set<() => void>();
  readonly endpoint: string;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.endpoint = `http://127.0.0.1:${String(port)}`;
    const keys = { ROOT_ACCESS_KEY: S3_KEYS.accessKeyId, ROOT_SECRET_KEY: S3_KEYS.secretAccessKey };
    // Not every folder for temporary files has extended attributes: what it would keep there goes to a folder.
    const backend = ['posix', '--sidecar', join(folder, 'attributes'), join(folder, 'objects')];
    this.#child = spawn(VERSITYGW, ['--port', `127.0.0.1:${String(port)}`, ...backend], {
      env: { ...process.env, ...keys },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const [, , status, , , method, path, , query = ''] = line.split('|').map((field) => field.trim());
      if (method === undefined || path === undefined) return;
      this.requests.push([method, path, query, status].filter((word) => word !== '').join(' '));
      for (const wake of this.#waiting) wake();
      this.#waiting.clear();
    });
  }

  /** Starts one, with a bucket. */
  static async start(): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), 's3-server-'));
    await mkdir(join(folder, 'attributes'));
    await mkdir(join(folder, 'objects'));
    const server = new S3Server(folder, await freePort());
    await server.#listening();
    using client = new DisposableClient(server);
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    return server;
  }

  /** A client with the right keys, to look what is there. */
  client(): S3Client & Disposable {
    return new DisposableClient(this);
  }

  /** Waits for the log to have a line that fits. */
  async requested(pattern: RegExp): Promise<void> {
    while (!this.requests.some((line) => pattern.test(line))) {
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      const closed = once(this.#child, 'close');
      this.#child.kill();
      await closed;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** It does not say when it listens. */
  async #listening(): Promise<void> {
    const { hostname, port } = new URL(this.endpoint);
    for (;;) {
      if (this.#child.exitCode !== null) throw new Error(`versitygw ended with ${String(this.#child.exitCode)}`);
      const socket = connect(Number(port), hostname);
      const isOpen = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => {
          resolve(true);
        });
        socket.once('error', () => setTimeout(resolve, 20, false));
      });
      socket.destroy();
      if (isOpen) return;
    }
  }
}

class DisposableClient extends S3Client implements Disposable {
  constructor({ endpoint }: { readonly endpoint: string }) {
    super({ endpoint, region: 'us-east-1', forcePathStyle: true, credentials: S3_KEYS });
  }

  [Symbol.dispose](): void {
    this.destroy();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
