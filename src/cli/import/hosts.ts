import type { Style } from './styles.js';
import type { VariableSyntax } from './variables.js';

/** A file of another MCP host that may hold MCP servers. */
export interface HostFile {
  /**
   * Where it is: `{home}`, `{config}` (the user's folder of configurations on this system), `{xdg}` (the same, but
   * `~/.config` on macOS too), `{code}` (the user folders of VS Code and its kin), `{project}`; `{NAME|PLACE}` is a
   * variable of the environment that says otherwise. `*` is any folder.
   */
  readonly path: string;
  /** Where in it the servers are, each a path of keys; `{project}` is the project's own path. */
  readonly servers: readonly (readonly string[])[];
  /** Where the definitions of inputs are. */
  readonly inputs?: readonly string[];
}

/** Another MCP host. */
export interface Host {
  /** How the command line names it. */
  readonly id: string;
  readonly name: string;
  readonly style: Style;
  /** How it writes variables. */
  readonly variables: VariableSyntax;
  readonly files: readonly HostFile[];
}

const MCP_SERVERS = [['mcpServers']] as const;

function plain(...paths: readonly string[]): readonly HostFile[] {
  return paths.map((path) => ({ path, servers: MCP_SERVERS }));
}

/** Every other host whose configuration is known, in the order in which names are given away. */
export const HOSTS: readonly Host[] = [
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    style: 'common',
    variables: 'none',
    files: plain('{config}/Claude/claude_desktop_config.json'),
  },
  {
    id: 'claude-code',
    name: 'Claude Code',
    style: 'common',
    variables: 'braces',
    files: [
      {
        path: '{CLAUDE_CONFIG_DIR|{home}}/.claude.json',
        servers: [['mcpServers'], ['projects', '{project}', 'mcpServers']],
      },
      ...plain('{project}/.mcp.json'),
    ],
  },
  {
    id: 'vscode',
    name: 'VS Code',
    style: 'common',
    variables: 'editor',
    files: [
      { path: '{code}/mcp.json', servers: [['servers']], inputs: ['inputs'] },
      { path: '{code}/profiles/*/mcp.json', servers: [['servers']], inputs: ['inputs'] },
      { path: '{code}/settings.json', servers: [['mcp', 'servers']], inputs: ['mcp', 'inputs'] },
      { path: '{project}/.vscode/mcp.json', servers: [['servers']], inputs: ['inputs'] },
      { path: '{project}/.vscode/settings.json', servers: [['mcp', 'servers']], inputs: ['mcp', 'inputs'] },
    ],
  },
  {
    id: 'cursor',
    name: 'Cursor',
    style: 'common',
    variables: 'editor',
    files: plain('{home}/.cursor/mcp.json', '{project}/.cursor/mcp.json'),
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    style: 'common',
    variables: 'editor',
    files: plain('{home}/.codeium/windsurf/mcp_config.json'),
  },
  {
    id: 'cline',
    name: 'Cline',
    style: 'common',
    variables: 'none',
    files: plain(
      '{code}/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
      '{home}/.cline/data/settings/cline_mcp_settings.json',
    ),
  },
  {
    id: 'roo',
    name: 'Roo Code',
    style: 'common',
    variables: 'editor',
    files: plain(
      '{code}/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json',
      '{project}/.roo/mcp.json',
    ),
  },
  {
    id: 'kilo',
    name: 'Kilo Code',
    style: 'common',
    variables: 'editor',
    files: plain('{code}/globalStorage/kilocode.kilo-code/settings/mcp_settings.json', '{project}/.kilocode/mcp.json'),
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    style: 'gemini',
    variables: 'shell',
    files: plain('{home}/.gemini/settings.json', '{project}/.gemini/settings.json'),
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    style: 'gemini',
    variables: 'shell',
    files: plain('{home}/.qwen/settings.json', '{project}/.qwen/settings.json'),
  },
  {
    id: 'codex',
    name: 'Codex',
    style: 'codex',
    variables: 'none',
    files: [
      { path: '{CODEX_HOME|{home}/.codex}/config.toml', servers: [['mcp_servers']] },
      { path: '{project}/.codex/config.toml', servers: [['mcp_servers']] },
    ],
  },
  {
    id: 'copilot',
    name: 'GitHub Copilot CLI',
    style: 'common',
    variables: 'braces',
    files: plain('{COPILOT_HOME|{home}/.copilot}/mcp-config.json'),
  },
  {
    id: 'zed',
    name: 'Zed',
    style: 'zed',
    variables: 'none',
    files: [
      { path: '{zed}/settings.json', servers: [['context_servers']] },
      { path: '{project}/.zed/settings.json', servers: [['context_servers']] },
    ],
  },
  {
    id: 'continue',
    name: 'Continue',
    style: 'continue',
    variables: 'continue',
    files: [
      { path: '{home}/.continue/config.yaml', servers: [['mcpServers']] },
      { path: '{home}/.continue/mcpServers/*.yaml', servers: [['mcpServers']] },
      { path: '{home}/.continue/mcpServers/*.json', servers: [['mcpServers']] },
      { path: '{project}/.continue/mcpServers/*.yaml', servers: [['mcpServers']] },
      { path: '{project}/.continue/mcpServers/*.json', servers: [['mcpServers']] },
    ],
  },
  {
    id: 'opencode',
    name: 'opencode',
    style: 'opencode',
    variables: 'opencode',
    files: [
      '{xdg}/opencode/opencode.json',
      '{xdg}/opencode/opencode.jsonc',
      '{project}/opencode.json',
      '{project}/opencode.jsonc',
    ].map((path) => ({ path, servers: [['mcp', 'servers'], ['mcp']] })),
  },
  {
    id: 'goose',
    name: 'Goose',
    style: 'goose',
    variables: 'none',
    files: [{ path: '{goose}/config.yaml', servers: [['extensions']] }],
  },
  {
    id: 'amazon-q',
    name: 'Amazon Q Developer',
    style: 'common',
    variables: 'editor',
    files: plain('{home}/.aws/amazonq/mcp.json', '{project}/.amazonq/mcp.json'),
  },
  {
    id: 'kiro',
    name: 'Kiro',
    style: 'common',
    variables: 'braces',
    files: plain('{home}/.kiro/settings/mcp.json', '{project}/.kiro/settings/mcp.json'),
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    style: 'common',
    variables: 'none',
    files: plain('{home}/.lmstudio/mcp.json'),
  },
];
