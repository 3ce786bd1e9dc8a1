// A small MCP server over stdio that `a2c demo` starts as a child process, so that the demonstration has tools,
// windows and documents wherever the package is installed. Nothing but MCP goes to stdout.
import { setTimeout as delay } from 'node:timers/promises';
import { McpServer, type CallToolResult, type ServerContext } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { element, page, registerDocuments, registerWindows, type DocumentDefinition } from '../../mcp-server/index.js';
import type { ElementCategory } from '../../protocol/index.js';

const HOST = 'com.example.demo';
const LAST_MODIFIED = '2026-01-15T08:30:00Z';

type Block = readonly [category: ElementCategory, text: string];

interface DemoDocument {
  readonly ref: string;
  readonly title: string;
  readonly summary: string;
  readonly keywords: readonly string[];
  readonly fileType: string;
  readonly pages: readonly { readonly title: string; readonly blocks: readonly Block[] }[];
}

const DOCUMENTS: readonly DemoDocument[] = [
  {
    ref: 'welcome',
    title: 'Welcome to A2C-SMCP',
    summary: 'Who is who: the Agent, the Server and the Computer.',
    keywords: ['welcome', 'introduction'],
    fileType: 'md',
    pages: [
      {
        title: 'The three roles',
        blocks: [
          ['Title', 'Welcome to A2C-SMCP'],
          ['NarrativeText', 'An Agent decides which tools to call. Computers host the MCP servers that have them.'],
          ['ListItem', 'The Server connects the two and keeps offices apart.'],
          ['ListItem', 'Credentials never leave the Computer.'],
        ],
      },
      {
        title: 'A first call',
        blocks: [
          ['Title', 'A first call'],
          ['CodeSnippet', 'a2c agent call laptop echo \'{"text":"hello"}\''],
          ['Footer', 'This document was read by its dpe:// URI.'],
        ],
      },
    ],
  },
  {
    ref: 'reports/2026/annual',
    title: 'Annual report 2026',
    summary: 'Figures of a year that never was, in three pages.',
    keywords: ['report', 'finance', '2026'],
    fileType: 'xlsx',
    pages: [
      {
        title: 'Summary',
        blocks: [
          ['Header', 'Example Ltd.'],
          ['Title', 'Annual report 2026'],
          ['NarrativeText', 'Revenue grew by a fifth while costs stayed where they were.'],
          ['PageNumber', '1'],
        ],
      },
      {
        title: 'Figures',
        blocks: [
          ['Table', 'Quarter | Revenue | Costs\nQ1 | 100 | 80\nQ2 | 105 | 80\nQ3 | 112 | 80\nQ4 | 120 | 80'],
          ['FigureCaption', 'All figures in thousands.'],
          ['Formula', 'margin = (revenue - costs) / revenue'],
          ['PageNumber', '2'],
        ],
      },
      {
        title: 'Contact',
        blocks: [
          ['Address', '1 Example Street, Exampleton'],
          ['EmailAddress', 'reports@example.com'],
          ['PageNumber', '3'],
        ],
      },
    ],
  },
];

function define({ pages, ...document }: DemoDocument): DocumentDefinition {
  const content = {
    pages: pages.map(({ title, blocks }) =>
      page(
        blocks.map(([category, text]) => element(category, text)),
        { title },
      ),
    ),
  };
  return { host: HOST, lastModified: LAST_MODIFIED, ...document, content };
}

const text = (message: string): CallToolResult => ({ content: [{ type: 'text', text: message }] });

async function count(to: number, delayMs: number, context: ServerContext): Promise<CallToolResult> {
  const { _meta: meta, notify, signal } = context.mcpReq;
  const progressToken = meta?.progressToken;
  for (let progress = 1; progress <= to; progress += 1) {
    await delay(delayMs, undefined, { signal });
    if (progressToken === undefined) continue;
    await notify({ method: 'notifications/progress', params: { progressToken, progress, total: to } });
  }
  return text(`Counted to ${to}`);
}

async function sleep(seconds: number, signal: AbortSignal): Promise<CallToolResult> {
  await delay(seconds * 1000, undefined, { signal });
  return text(`Slept for ${seconds} s`);
}

function registerTools(server: McpServer, writeNote: (note: string) => void): void {
  const readOnly = { annotations: { readOnlyHint: true } };
  server.registerTool(
    'echo',
    { ...readOnly, description: 'Returns the text it is given', inputSchema: z.object({ text: z.string() }) },
    (input) => text(input.text),
  );
  server.registerTool(
    'add',
    {
      ...readOnly,
      description: 'Adds two numbers',
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    },
    ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
  );
  server.registerTool(
    'count',
    {
      ...readOnly,
      description: 'Counts up and reports progress at each step',
      inputSchema: z.object({ to: z.int().min(1).max(1000), delayMs: z.int().min(0).max(10_000).default(100) }),
    },
    ({ to, delayMs }, context) => count(to, delayMs, context),
  );
  server.registerTool(
    'sleep',
    {
      ...readOnly,
      description: 'Waits, unless it is cancelled',
      inputSchema: z.object({ seconds: z.number().min(0).max(3600) }),
    },
    ({ seconds }, context) => sleep(seconds, context.mcpReq.signal),
  );
  server.registerTool(
    'fail',
    { ...readOnly, description: 'Fails with the given message', inputSchema: z.object({ message: z.string() }) },
    ({ message }) => ({ ...text(message), isError: true }),
  );
  server.registerTool(
    'note',
    { description: 'Writes a note that shows in the window "Notes"', inputSchema: z.object({ text: z.string() }) },
    (input) => {
      writeNote(input.text);
      return text('Noted');
    },
  );
}

function createServer(): McpServer {
  const server = new McpServer({ name: 'a2c-demo', version: '1.0.0' });
  let note = 'Nothing noted yet.';
  const windows = registerWindows(server, [
    {
      host: HOST,
      path: 'notes',
      name: 'Notes',
      description: 'What the tool "note" wrote last',
      priority: 0.9,
      mimeType: 'text/plain',
      content: () => note,
    },
    {
      host: HOST,
      path: 'status',
      name: 'Status',
      description: 'What this server offers',
      priority: 0.2,
      mimeType: 'text/plain',
      content: `Ready: 6 tools, 2 windows, ${DOCUMENTS.length} documents.`,
    },
  ]);
  registerDocuments(server, DOCUMENTS.map(define));
  registerTools(server, (newNote) => {
    note = newNote;
    windows.update(`window://${HOST}/notes`);
  });
  return server;
}

const server = createServer();
const stop = (): void => {
  process.exit(0);
};
// The transport closes itself when stdin ends; a call that still sleeps must not keep the process alive.
server.server.onclose = stop;
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop);
await server.connect(new StdioServerTransport());
