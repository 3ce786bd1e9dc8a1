import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpServerConfigInput } from '../../protocol/index.js';

/** The MCP servers of the demonstration. */
export interface DemoServers {
  /** In the form of a configuration file, by name. */
  readonly servers: Readonly<Record<string, Omit<McpServerConfigInput, 'name'>>>;
  /** Packages that are not installed here. */
  readonly missing: readonly string[];
}

/** Every tool of the demonstration runs without asking. */
const RUNS = { default_tool_meta: { auto_apply: true } };

/** @param folder - where the filesystem server may read and write. */
export function demoServers(folder: string): DemoServers {
  const everything = programOf('@modelcontextprotocol/server-everything');
  const filesystem = programOf('@modelcontextprotocol/server-filesystem');
  const servers: Record<string, Omit<McpServerConfigInput, 'name'>> = { bundled: { ...RUNS, ...node(bundled()) } };
  if (everything !== undefined) {
    // Both servers have a tool called echo; an alias keeps the two apart.
    const toolMeta = { tool_meta: { echo: { alias: 'everything_echo' } } };
    servers['everything'] = { ...RUNS, ...toolMeta, ...node(everything, 'stdio') };
  }
  if (filesystem !== undefined) servers['filesystem'] = { ...RUNS, ...node(filesystem, folder) };
  const missing = Object.entries({ 'server-everything': everything, 'server-filesystem': filesystem })
    .filter(([, program]) => program === undefined)
    .map(([name]) => `@modelcontextprotocol/${name}`);
  return { servers, missing };
}

type StdioEntry = Pick<Extract<McpServerConfigInput, { type: 'stdio' }>, 'type' | 'server_parameters'>;

function node(...args: string[]): StdioEntry {
  return { type: 'stdio', server_parameters: { command: process.execPath, args } };
}

/** The bundled server beside this file. */
function bundled(): string {
  return fileURLToPath(new URL('bundled-server.js', import.meta.url));
}

/** The program of an installed package; `undefined` where it is not installed. */
export function programOf(name: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const program = join(dirname(manifest), 'dist', 'index.js');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}
