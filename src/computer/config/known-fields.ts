import type { McpServerConfig, McpServerInput } from '../../protocol/index.js';

type ServerType = McpServerConfig['type'];

/** How `type` may be written, and what it means. Protocol §7.1; the others are what other MCP hosts write. */
export const TYPES: ReadonlyMap<string, ServerType> = new Map([
  ['stdio', 'stdio'],
  ['sse', 'sse'],
  ['streamable', 'streamable'],
  ['http', 'streamable'],
  ['streamable-http', 'streamable'],
  ['streamable_http', 'streamable'],
  ['streamableHttp', 'streamable'],
]);

/** The fields of `server_parameters`, which may stand beside it too. `envFile` is VS Code's. Protocol §7.1. */
export const PARAMETERS_BY_TYPE: Readonly<Record<ServerType, readonly string[]>> = {
  stdio: ['command', 'args', 'env', 'cwd', 'encoding', 'encoding_error_handler', 'envFile'],
  sse: ['url', 'headers', 'timeout', 'sse_read_timeout', 'oauth'],
  streamable: ['url', 'headers', 'timeout', 'sse_read_timeout', 'terminate_on_close', 'oauth'],
};
/** Those of every type. */
export const PARAMETERS: readonly string[] = [...new Set(Object.values(PARAMETERS_BY_TYPE).flat())];
/**
 * Those that are taken from the `mcpServers` form: in files of other hosts `timeout` is sometimes milliseconds, and
 * guessing wrong would make it a day or an instant.
 */
export const FOREIGN_PARAMETERS: readonly string[] = [
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'envFile',
  'oauth',
];

/** The fields of every server that are kept as they are written. Protocol §7.1. */
export const BASE: readonly string[] = ['disabled', 'forbidden_tools', 'tool_meta', 'default_tool_meta', 'vrl'];
/** Every field beside `server_parameters`. */
export const ENTRY: readonly string[] = ['name', 'type', 'transport', 'enabled', 'server_parameters', 'roots', ...BASE];

/** What VS Code keeps for itself in an entry: how it debugs a server, and where its own gallery has it from. */
export const HOST_ONLY: readonly string[] = ['dev', 'gallery', 'version'];
/** What VS Code confines a server with. This Computer does not, which nobody should find out afterwards. */
export const SANDBOX: readonly string[] = ['sandbox', 'sandboxEnabled'];

/** The fields of the whole document. */
export const DOCUMENT: readonly string[] = ['$schema', 'inputs', 'servers', 'mcpServers'];

/** The fields of an input, by its type. Protocol §7.2. */
export const INPUTS_BY_TYPE: Readonly<Record<McpServerInput['type'], readonly string[]>> = {
  promptString: ['id', 'type', 'description', 'default', 'password'],
  pickString: ['id', 'type', 'description', 'options', 'default'],
  command: ['id', 'type', 'description', 'command', 'args', 'timeout', 'shell'],
};

/** The fields of tool metadata that mean something here; others are carried along. Protocol §7.3. */
export const TOOL_META: readonly string[] = ['auto_apply', 'alias', 'tags', 'ret_object_mapper'];
