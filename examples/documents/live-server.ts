import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { page, paragraph, registerDocumentCollection, registerWindows } from 'a2c-smcp/mcp-server';
import { z } from 'zod';

const server = new McpServer({ name: 'notes', version: '1.0.0' });
server.server.onerror = (error) => {
  console.error(error); // What your functions throw: the client only hears that it could not be read.
};

// A window whose text changes: its function is asked again after each `update`.
const lines: string[] = [];
const windows = registerWindows(server, [
  { host: 'com.example.notes', path: 'board', name: 'Board', priority: 0.8, content: () => lines.join('\n') },
]);
const inputSchema = z.object({ line: z.string() });
server.registerTool('note', { description: 'Writes a line on the board', inputSchema }, ({ line }) => {
  lines.push(line);
  windows.update('window://com.example.notes/board');
  return { content: [{ type: 'text', text: 'noted' }] };
});

// Documents that are known only when somebody asks: the text files of a folder.
const folder = process.argv[2] ?? '.';
const names = async (): Promise<string[]> => (await readdir(folder)).filter((name) => name.endsWith('.txt'));
registerDocumentCollection(server, {
  host: 'com.example.notes',
  name: 'Notes in files',
  list: async () => (await names()).map((name) => ({ ref: [name], title: name, fileType: 'txt' })),
  read: async (_ref, { segments: [name = '', ...more] }) => {
    // Only names that were found: a doc-ref may say anything.
    if (more.length > 0 || !(await names()).includes(name)) return undefined;
    const text = await readFile(join(folder, name), 'utf8');
    return { title: name, pages: [page(text.split('\n\n').map((block) => paragraph(block)))] };
  },
});

await server.connect(new StdioServerTransport());
