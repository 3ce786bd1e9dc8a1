import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject, type CallToolResult, type ContentBlock } from '../../protocol/index.js';

/** A file that holds a part of a result. */
interface SavedContent {
  /** Which part of `content` it is, from 0 on. */
  readonly index: number;
  readonly path: string;
  readonly mime_type: string;
  /** Its size in bytes. */
  readonly size: number;
}

/** What became of the binary content of a result. */
export interface Saved {
  readonly files: readonly SavedContent[];
  /** Why some of it could not be written. */
  readonly problems: readonly string[];
}

/** Binary content of a result. */
interface Binary {
  readonly index: number;
  readonly base64: string;
  readonly mimeType: string;
}

/** Endings that everybody knows where the library has another one. */
const USUAL: Readonly<Record<string, string>> = { 'audio/mpeg': 'mp3' };
const NAMELESS = 'application/octet-stream';
/** How long the part of a file's name may be that a tool's name gives, in characters. */
const NAME_LENGTH = 60;
/** How many names are tried. */
const MAX_NUMBER = 100_000;
const BASE64 = /^[\w+/-]*={0,2}$/;

/**
 * Writes the images, sounds and binary resources of a result into a folder, which is made where it is not there. No
 * name comes from the result as it is, no file is replaced, and no link is followed.
 *
 * @param name - what the names begin with: that of the tool.
 * @returns also what could not be written: a tool that has run must not be forgotten over a full disk.
 */
export async function saveContent(
  result: CallToolResult,
  { folder, name }: { readonly folder: string; readonly name: string },
): Promise<Saved> {
  const found = result.content.flatMap((block, index) => binaryOf(block, index));
  const files: SavedContent[] = [];
  const problems: string[] = [];
  if (found.length === 0) return { files, problems };
  const { default: mime } = await import('mime');
  const names = new FreeNames(join(folder, safeName(name)));
  for (const { index, base64, mimeType } of found) {
    try {
      await mkdir(folder, { recursive: true });
      const bytes = bytesOf(base64);
      const path = await names.write(bytes, USUAL[mimeType] ?? mime.getExtension(mimeType) ?? 'bin');
      files.push({ index, path, mime_type: mimeType, size: bytes.byteLength });
    } catch (error) {
      problems.push(`content[${index}] (${mimeType}) could not be written: ${(error as Error).message}`);
    }
  }
  return { files, problems };
}

function bytesOf(base64: string): Uint8Array {
  if (!BASE64.test(base64.replaceAll(/\s/g, ''))) throw new Error('it is not in base64');
  return Buffer.from(base64, 'base64');
}

function binaryOf({ data, mimeType, resource }: ContentBlock, index: number): Binary[] {
  if (typeof data === 'string') return [{ index, base64: data, mimeType: typeOr(mimeType) }];
  if (!isJsonObject(resource) || typeof resource['blob'] !== 'string') return [];
  return [{ index, base64: resource['blob'], mimeType: typeOr(resource['mimeType']) }];
}

function typeOr(mimeType: unknown): string {
  return typeof mimeType === 'string' ? mimeType : NAMELESS;
}

/** A name that is none of a system's own, hidden or in another folder. */
function safeName(name: string): string {
  const safe = name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '_').slice(0, NAME_LENGTH);
  return safe === '' || safe === '_' ? 'content' : safe;
}

/** Writes files of one name, each with a number of its own. */
class FreeNames {
  readonly #path: string;
  #number = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async write(bytes: Uint8Array, extension: string): Promise<string> {
    while (this.#number < MAX_NUMBER) {
      this.#number += 1;
      const path = `${this.#path}-${this.#number}.${extension}`;
      try {
        // Nothing that is there is written to, a link included.
        await writeFile(path, bytes, { flag: 'wx' });
        return path;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
    throw new Error(`${this.#path}-…: all names are taken`);
  }
}
