import { describe, expect, it } from 'vitest';
import { limitWasmMemory } from './wasm-memory-limit.js';

const HEADER = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** Empty: no types. */
const TYPES = [1, 1, 0];
/** Empty: no exports. */
const EXPORTS = [7, 1, 0];
const moduleWith = (...memory: number[]): Uint8Array => Uint8Array.from([...HEADER, ...TYPES, ...memory, ...EXPORTS]);

describe('limitWasmMemory', () => {
  it('gives an unlimited memory a limit and leaves the rest alone', () => {
    const limited = limitWasmMemory(moduleWith(5, 3, 1, 0, 53), 300 * 65_536 + 1);
    expect(limited).toEqual(moduleWith(5, 5, 1, 1, 53, 0xac, 2));
  });

  it.each([
    ['a memory with a limit', moduleWith(5, 4, 1, 1, 1, 2)],
    ['no memory', moduleWith()],
    ['two memories', moduleWith(5, 5, 2, 0, 1, 0, 1)],
  ])('leaves a module with %s as it is', (_title, module) => {
    expect(limitWasmMemory(module, 65_536)).toBe(module);
  });
});
