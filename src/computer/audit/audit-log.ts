import { constants } from 'node:fs';
import { mkdir, open, rename, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { EndedCall } from '../calls/call-history.js';
import { messageOf, type ReportDiagnostic } from '../hosting.js';
import type { Redactor } from '../redactor.js';
import { auditRecordOf } from './audit-record.js';

/** Where the calls of a Computer are noted for its owner. */
export interface AuditOptions {
  /**
   * The file, one JSON object a line, which only the user can read. It is appended to; its folder is made. One
   * Computer at a time should write to it.
   */
  readonly file: string;
  /**
   * Whether the beginning of each call's arguments is noted, without known secrets.
   *
   * @default false
   */
  readonly arguments?: boolean;
  /**
   * How large the file may become, in bytes: then it is renamed to `FILE.1`, in place of an earlier one, and begun anew.
   *
   * @default 10000000
   */
  readonly maxBytes?: number;
}

/** What an {@link AuditLog} works with. */
export interface AuditLogContext {
  readonly redactor: Redactor;
  /** Gets what keeps the file from being written, once until it is written again. */
  readonly report: ReportDiagnostic;
}

const DEFAULT_MAX_BYTES = 10_000_000;
/** How much may wait for a file that cannot be written, in UTF-16 units. */
const MAX_WAITING = 1_000_000;
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;
/** Never waits for a reader, should the file be a pipe. */
const FLAGS =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | ((constants.O_NONBLOCK as number | undefined) ?? 0);

/**
 * Notes each call when it has ended, in a file. Never delays or fails a call: lines wait in memory for a file that cannot
 * be written, up to a megabyte; after that they are lost, and the file says how many.
 */
export class AuditLog {
  readonly #file: string;
  readonly #withArguments: boolean;
  readonly #maxBytes: number;
  readonly #context: AuditLogContext;
  #waiting: string[] = [];
  #waitingSize = 0;
  #lost = 0;
  #writing: Promise<void> | undefined;
  #checking: Promise<void> | undefined;
  #isFailing = false;
  #closed = false;

  /** @throws TypeError naming the option that is wrong. Nothing is opened yet. */
  constructor(options: AuditOptions, context: AuditLogContext) {
    const { file, arguments: withArguments = false, maxBytes = DEFAULT_MAX_BYTES } = options;
    if (typeof file !== 'string' || file.trim() === '') throw new TypeError('audit.file: expected the path of a file');
    if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
      throw new TypeError('audit.maxBytes: expected a whole number of bytes above 0');
    }
    this.#file = resolve(file);
    this.#withArguments = withArguments;
    this.#maxBytes = maxBytes;
    this.#context = context;
  }

  /** Notes a call. Never throws. */
  add(call: EndedCall): void {
    if (this.#closed) return;
    const line = `${JSON.stringify(auditRecordOf(call, this.#context.redactor, this.#withArguments))}\n`;
    if (this.#waitingSize + line.length > MAX_WAITING) {
      this.#lost += 1;
    } else {
      this.#waiting.push(line);
      this.#waitingSize += line.length;
    }
    this.#write();
  }

  /** Makes the file ready, so that its owner hears of what is in the way before the first call. Never throws. */
  check(): void {
    this.#checking ??= this.#open().then(
      ({ handle }) => handle.close(),
      (error: unknown) => {
        this.#failed(error);
      },
    );
  }

  /** Writes what waits, as far as that is possible, and takes nothing more. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#checking;
    await this.#writing;
    this.#write();
    await this.#writing;
  }

  #write(): void {
    if (this.#writing !== undefined || this.#waiting.length + this.#lost === 0) return;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  async #writeAll(): Promise<void> {
    try {
      // Calls of one turn are one write.
      await Promise.resolve();
      while (this.#waiting.length + this.#lost > 0) await this.#writeBatch();
      this.#isFailing = false;
    } catch (error) {
      this.#failed(error);
    }
  }

  async #writeBatch(): Promise<void> {
    const lines = [...this.#waiting];
    const lost = this.#lost;
    const gap =
      lost === 0 ? [] : [`${JSON.stringify({ time: new Date().toISOString(), outcome: 'lost', calls: lost })}\n`];
    await this.#append(Buffer.from([...lines, ...gap].join('')));
    this.#lost -= lost;
    this.#waiting = this.#waiting.slice(lines.length);
    this.#waitingSize = this.#waiting.reduce((sum, line) => sum + line.length, 0);
  }

  /** The file is opened each time: it may have been moved or removed by others. */
  async #append(bytes: Buffer): Promise<void> {
    const file = await this.#open();
    let handle = file.handle;
    let { size } = file;
    try {
      if (size > 0 && size + bytes.length > this.#maxBytes) {
        await handle.close();
        await rename(this.#file, `${this.#file}.1`);
        ({ handle, size } = await this.#open());
      }
      await appendWhole(handle, bytes, size);
    } finally {
      await handle.close();
    }
  }

  async #open(): Promise<{ readonly handle: FileHandle; readonly size: number }> {
    await mkdir(dirname(this.#file), { recursive: true, mode: FOLDER_MODE });
    const handle = await open(this.#file, FLAGS, FILE_MODE);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new Error('it is not a file');
      if ((found.mode & 0o077) !== 0) await handle.chmod(FILE_MODE);
      return { handle, size: found.size };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  #failed(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const problem = `the audit file cannot be written; calls go on, and the last of them are kept for it: ${messageOf(error)}`;
    this.#context.report({ item: this.#file, problem });
  }
}

/** Half a line would spoil the next one. */
async function appendWhole(handle: FileHandle, bytes: Buffer, size: number): Promise<void> {
  try {
    await handle.appendFile(bytes);
  } catch (error) {
    await handle.truncate(size).catch(() => undefined);
    throw error;
  }
}
