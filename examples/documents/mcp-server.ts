import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { page, paragraph, registerDocuments, title } from 'a2c-smcp/mcp-server';

const server = new McpServer({ name: 'reports', version: '1.0.0' });
const pages = [page([title('Revenue'), paragraph('It grew by a fifth.')]), page([title('Costs'), paragraph('None.')])];
registerDocuments(server, [
  { host: 'com.example.reports', ref: '2026/annual', title: 'Annual report', content: { pages } },
]);
await server.connect(new StdioServerTransport());
