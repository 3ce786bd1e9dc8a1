const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const PAGE_BYTES = 65_536;

/**
 * The same WebAssembly module with a limit on its memory. A module that declares none may take 4 GB, nothing outside
 * can hold it back (the heap limits of a worker do not count it), and what it took is never given back.
 *
 * @param module - a binary module with one memory of its own that has no limit; any other is returned as it is.
 * @param maxBytes - rounded down to pages of 64 KB.
 */
export function limitWasmMemory(module: Uint8Array, maxBytes: number): Uint8Array {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const size = readNumber(module, at + 1);
    const end = size.next + size.value;
    if (module[at] === MEMORY_SECTION) return withLimit(module, { start: at, body: size.next, end }, maxBytes);
    at = end;
  }
  return module;
}

interface Section {
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

function withLimit(module: Uint8Array, { start, body, end }: Section, maxBytes: number): Uint8Array {
  // One memory (1) that has only a minimum (0).
  if (module[body] !== 1 || module[body + 1] !== 0) return module;
  const minimum = module.subarray(body + 2, end);
  const content = [1, 1, ...minimum, ...encodeNumber(Math.floor(maxBytes / PAGE_BYTES))];
  const section = [MEMORY_SECTION, ...encodeNumber(content.length), ...content];
  const limited = new Uint8Array(module.length - (end - start) + section.length);
  limited.set(module.subarray(0, start));
  limited.set(section, start);
  limited.set(module.subarray(end), start + section.length);
  return limited;
}

/** An unsigned LEB128 number. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly next: number } {
  let value = 0;
  let next = start;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[next++] ?? 0;
    value += (byte % 128) * factor;
    if (byte < 128) return { value, next };
  }
}

function encodeNumber(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...encodeNumber(Math.floor(value / 128))];
}
