/** A configuration to begin with: it works as it is where `npx` is, and explains itself. */
export const STARTER_CONFIG = `// The configuration of an A2C-SMCP Computer: which MCP servers it hosts, and what an Agent may do with them.
// Comments and trailing commas are fine. "a2c config check" says what is wrong in it and what it means on this machine.
{
  // With this, editors complete and explain every field.
  "$schema": "https://raw.githubusercontent.com/A2C-SMCP/typescript-sdk/main/schemas/computer-config.schema.json",

  // Values that are not written here: \${input:ID} stands for them below. Each comes from its variable of the environment
  // (A2C_SMCP_FOLDER, A2C_SMCP_GITHUB_TOKEN), else from you when its server starts, else from its default.
  "inputs": [
    {
      "id": "folder",
      "type": "promptString",
      "description": "The folder that the Agent may see",
      "default": ".",
    },
    {
      "id": "github-token",
      "type": "promptString",
      "description": "A token of GitHub",
      "password": true, // not shown while it is typed, and never kept in a file
    },
  ],

  // The MCP servers by name. "command" starts a program, "url" reaches a server elsewhere.
  "servers": {
    // Remembers what the Agent tells it, in memory.json beside where the server is installed; MEMORY_FILE_PATH moves it.
    "memory": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-memory"],
      // A tool without "auto_apply": true asks you before it runs. Here none of them asks.
      "default_tool_meta": { "auto_apply": true },
    },

    // Reads and writes files in one folder.
    "files": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "\${input:folder}"],
      // What only reads runs without asking. What writes asks.
      "tool_meta": {
        "list_directory": { "auto_apply": true },
        "read_text_file": { "auto_apply": true },
        "search_files": { "auto_apply": true },
      },
      // The Agent neither sees nor calls these.
      "forbidden_tools": ["move_file"],
    },

    // A server elsewhere. Take "disabled" away when you have a token.
    "github": {
      "url": "https://api.githubcopilot.com/mcp/",
      "headers": { "Authorization": "Bearer \${input:github-token}" },
      "disabled": true,
    },
  },
}
`;
