import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';

const entry = join(import.meta.dirname, '..', '..', 'src', 'agent', 'index.ts');

async function bundle(): Promise<{ code: string; modules: readonly string[] }> {
  const output = (await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'a2c' } },
  })) as Rolldown.RolldownOutput[];
  const [chunk] = output[0]?.output ?? [];
  if (chunk === undefined) throw new Error('the bundle is empty');
  return { code: chunk.code, modules: chunk.moduleIds };
}

/** What every browser has, and nothing else. */
const BROWSER_GLOBALS = {
  URL,
  URLSearchParams,
  AbortController,
  AbortSignal,
  TextEncoder,
  TextDecoder,
  setTimeout,
  clearTimeout,
  crypto,
  WebSocket: Object,
  XMLHttpRequest: Object,
};

describe('the Agent in a browser', () => {
  it('needs no Node built-in', async () => {
    const { code, modules } = await bundle();
    expect(modules.filter((id) => id.includes('browser-external'))).toEqual([]);
    expect(code).not.toMatch(/\b(?:from|import|require)\s*\(?["']node:/);
    expect(modules.filter((id) => /[\\/](?:ws|xmlhttprequest-ssl)[\\/]/.test(id))).toEqual([]);
  });

  it('loads and makes an Agent where there is no process, Buffer or require', async () => {
    const { code } = await bundle();
    const page = createContext({ ...BROWSER_GLOBALS });
    runInContext('globalThis.self = globalThis; globalThis.window = globalThis;', page);
    runInContext(code.replace(/^var a2c =/m, 'globalThis.a2c ='), page);
    const name: unknown = runInContext("new a2c.Agent({ url: 'http://127.0.0.1:1' }).name", page);
    expect(name).toMatch(/^agent-[0-9a-f]{8}$/);
  });
});
