import { join, relative, sep } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, type Rolldown } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');

async function bundle(): Promise<Rolldown.OutputChunk> {
  const output = await build({
    root,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, 'index.ts'), formats: ['iife'], name: 'protocol', fileName: 'protocol' },
    },
  });
  const [chunk, ...others] = (Array.isArray(output) ? output : [output as Rolldown.RolldownOutput]).flatMap(
    (part) => part.output,
  );
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('expected a single chunk');
  return chunk;
}

describe('the protocol layer, bundled for a browser', { timeout: 60_000 }, () => {
  let chunk: Rolldown.OutputChunk;
  beforeAll(async () => {
    chunk = await bundle();
  }, 60_000);

  it('consists of itself and zod', () => {
    expect([...chunk.imports, ...chunk.dynamicImports]).toEqual([]);
    const parts = new Set(
      chunk.moduleIds
        .filter((id) => !id.startsWith('\0'))
        .map((id) => relative(root, id).split(sep).slice(0, 2).join('/')),
    );
    expect([...parts].sort()).toEqual(['node_modules/zod', 'src/protocol']);
    expect(chunk.moduleIds.filter((id) => /node:|__vite-browser-external/.test(id))).toEqual([]);
  });

  it('runs without anything of Node', () => {
    const context = createContext({ TextEncoder, URL });
    const result: unknown = runInContext(
      `${chunk.code};
      [typeof process, typeof Buffer, protocol.PROTOCOL_VERSION, protocol.jsonByteLength('é'),
       protocol.DpeUri.parse('dpe://h/a%20b').docRef,
       protocol.EVENTS['client:get_tools'].payload.safeParse({}).success].join()`,
      context,
    );
    expect(result).toBe('undefined,undefined,0.2.0,4,a%20b,false');
  });
});
