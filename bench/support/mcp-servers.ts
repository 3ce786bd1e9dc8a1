import { fileURLToPath } from 'node:url';
import { mcpServerConfigSchema, type JsonObject, type McpServerConfig } from '../../src/protocol/index.js';

/** How to start a stdio server. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** The hand-written server of the tests: about the cheapest that Node can run. */
export function rawServer(options: JsonObject = {}): Program {
  const file = fileURLToPath(new URL('../../test/fixtures/mcp-servers/raw-server.mjs', import.meta.url));
  return { command: process.execPath, args: [file, JSON.stringify(options)] };
}

/** A server of an installed package, as users have them. */
export function packageServer(name: string, ...args: readonly string[]): Program {
  const file = fileURLToPath(new URL(`../../node_modules/${name}/dist/index.js`, import.meta.url));
  return { command: process.execPath, args: [file, ...args] };
}

/** A server with windows, which waits before it answers. @param options - see there. */
export function windowServer(options: JsonObject): Program {
  const file = fileURLToPath(new URL('window-server.mjs', import.meta.url));
  return { command: process.execPath, args: [file, JSON.stringify(options)] };
}

/** A server with one document. @param options - see there. */
export function documentServer(options: JsonObject): Program {
  const file = fileURLToPath(new URL('document-server.mjs', import.meta.url));
  return { command: process.execPath, args: [file, JSON.stringify(options)] };
}

/** The server that floods its standard error. @param options - see there. */
export function floodServer(options: JsonObject): Program {
  const file = fileURLToPath(new URL('flood-server.mjs', import.meta.url));
  return { command: process.execPath, args: [file, JSON.stringify(options)] };
}

/** A configuration that starts it. @param env - added to its environment. */
export function stdioConfig(name: string, program: Program, env: Record<string, string> = {}): McpServerConfig {
  return mcpServerConfigSchema.parse({ name, type: 'stdio', server_parameters: { ...program, env } });
}

/** A configuration of a streamable HTTP server. */
export function httpConfig(name: string, url: string): McpServerConfig {
  return mcpServerConfigSchema.parse({ name, type: 'streamable', server_parameters: { url } });
}
