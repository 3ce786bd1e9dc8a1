import type { Agent } from '../../agent/index.js';
import { DEFAULT_PATH, PROTOCOL_VERSION, type CallToolResult } from '../../protocol/index.js';
import { counted, renderResult } from '../terminal/render-result.js';
import { untilAborted } from '../until-aborted.js';
import { COMPUTER, OFFICE, type DemoOffice } from './demo-office.js';

/** What the steps share: each finds there what earlier ones made. */
export interface DemoContext {
  readonly office: DemoOffice;
  readonly signal: AbortSignal;
  readonly progress: string[];
  agent?: Agent;
  folder?: string;
}

/** One thing that the demonstration shows. */
export interface DemoStep {
  readonly step: string;
  /** What it shows, for a newcomer. */
  readonly title: string;
  /** Only where this package is installed. */
  readonly needs?: string;
  /** @returns lines that say what happened. @throws when it did not go as it should. */
  run(context: DemoContext): Promise<string[]>;
}

const STEPS: readonly DemoStep[] = [
  {
    step: 'server',
    title: 'A Server listens: the hub where Agents and Computers meet',
    run: async ({ office }) => [`${await office.startServer()} speaks protocol ${PROTOCOL_VERSION}`],
  },
  {
    step: 'computer',
    title: 'A Computer starts its MCP servers and joins an office',
    run: async (context) => {
      const { computer, folder, missing } = await context.office.startComputer(context.signal, ({ progress }) => {
        context.progress.push(`${String(progress['progress'])}/${String(progress['total'])}`);
      });
      context.folder = folder;
      const servers = computer.servers();
      expect(
        servers.every(({ state }) => state === 'running'),
        `every MCP server runs: ${servers.map(({ server, state, reason }) => `${server} ${state} ${reason ?? ''}`).join(', ')}`,
      );
      return [
        `"${COMPUTER}" is in office "${OFFICE}"`,
        ...servers.map(({ server, tools }) => `${server}: ${counted(tools, 'tool')}`),
        ...missing.map((name) => `${name} is not installed here, so the demo goes on without it`),
      ];
    },
  },
  {
    step: 'agent',
    title: 'An Agent joins the office and finds every tool there',
    run: async (context) => {
      const agent = await context.office.startAgent(context.signal);
      context.agent = agent;
      const names = agent.tools.map(({ name }) => name);
      expect(names.includes('echo'), 'the tool echo is in the catalogue');
      return [`${names.length} tools: ${names.slice(0, 8).join(', ')}, …`];
    },
  },
  {
    step: 'call',
    title: 'The Agent calls a tool on the Computer',
    run: async (context) => {
      const result = await call(context, 'echo', { text: 'hello from the Agent' });
      return [`echo → ${textOf(result)}`];
    },
  },
  {
    step: 'progress',
    title: 'A longer call tells of its progress on the Computer',
    run: async (context) => {
      context.progress.length = 0;
      const result = await call(context, 'count', { to: 5, delayMs: 60 });
      expect(context.progress.length === 5, `five reports of progress came, not ${context.progress.length}`);
      return [`count → ${context.progress.join(' ')} → ${textOf(result)}`];
    },
  },
  {
    step: 'cancel',
    title: 'The Agent changes its mind: the call is cancelled on the Computer and in the MCP server',
    run: async (context) => {
      const reqId = 'demo-sleep';
      const pending = agentOf(context).callTool(COMPUTER, 'sleep', { seconds: 60 }, { reqId, timeoutMs: 90_000 });
      agentOf(context).cancel(reqId);
      const result = await pending;
      expect(result.meta?.['a2c_cancelled'] === true, 'the result says that the call was cancelled');
      return [`sleep 60 s → cancelled: ${textOf(result)}`];
    },
  },
  {
    step: 'failure',
    title: 'A tool that fails is an answer, not an exception',
    run: async (context) => {
      const result = await agentOf(context).callTool(COMPUTER, 'fail', { message: 'out of coffee' });
      expect(result.isError === true, 'the result is marked as an error');
      return [`fail → isError: ${textOf(result)}`];
    },
  },
  {
    step: 'files',
    title: 'A real MCP server writes and reads a file on the Computer',
    needs: '@modelcontextprotocol/server-filesystem',
    run: async (context) => {
      const path = `${context.folder ?? ''}/note.txt`;
      await call(context, 'write_file', { path, content: 'written by an Agent' });
      return [`read_text_file → ${textOf(await call(context, 'read_text_file', { path }))}`];
    },
  },
  {
    step: 'everything',
    title: 'Another MCP server has a tool of the same name: an alias keeps the two apart',
    needs: '@modelcontextprotocol/server-everything',
    run: async (context) => [
      `everything_echo → ${textOf(await call(context, 'everything_echo', { message: 'hello again' }))}`,
    ],
  },
  {
    step: 'desktop',
    title: 'The desktop shows what the MCP servers have on their windows, and tells of changes',
    run: async (context) => {
      const agent = agentOf(context);
      const changed = new Promise<void>((resolve) => {
        agent.on('desktopChanged', () => {
          resolve();
        });
      });
      await call(context, 'note', { text: 'The Agent was here.' });
      await orAborted(changed, context.signal);
      const windows = await agent.getDesktop(COMPUTER, { size: 10 });
      expect(
        windows.some((window) => window.includes('The Agent was here.')),
        'the window shows what the tool wrote',
      );
      return windows.map((window) => window.split('\n').filter(Boolean).slice(0, 2).join(' → '));
    },
  },
  {
    step: 'document',
    title: 'A document travels beside the protocol: the Computer says where, the Agent fetches',
    run: async (context) => {
      const { signal } = context;
      const uri = 'dpe://com.example.demo/welcome';
      const document = await agentOf(context).openDocument(COMPUTER, uri, { signal });
      let elements = 0;
      for await (const page of document.pages.read({ signal })) elements += page.elements.length;
      const { access, title = '', pages } = document;
      expect(access !== undefined, 'the document is still where it was');
      return [
        `${uri} → ${new URL(access.uri).protocol} URI, ${access.size ?? 0} bytes`,
        `"${title}": ${counted(pages.count, 'page')}, ${counted(elements, 'element')}`,
      ];
    },
  },
  {
    step: 'version',
    title: 'A client of another protocol version is turned away before anything else happens',
    run: async ({ office, signal }) => {
      const url = new URL(DEFAULT_PATH, office.url);
      url.search = 'EIO=4&transport=polling&a2c_version=0.1.0';
      const response = await fetch(url, { signal });
      const { code, min_supported, max_supported } = (await response.json()) as Record<string, unknown>;
      expect(response.status === 400 && code === 4008, 'the answer is HTTP 400 with code 4008');
      return [
        `0.1.0 → HTTP 400, code 4008, accepted are ${String(min_supported)} to ${String(max_supported)}`,
        'The Server also warns its operator, on stderr',
      ];
    },
  },
];

/** The demonstration, in its order. */
export function demoSteps(): readonly DemoStep[] {
  return STEPS;
}

function agentOf({ agent }: DemoContext): Agent {
  if (agent === undefined) throw new Error('the Agent has not joined');
  return agent;
}

/** Calls a tool that is to succeed. */
async function call(context: DemoContext, tool: string, params: Record<string, unknown>): Promise<CallToolResult> {
  const result = await agentOf(context).callTool(COMPUTER, tool, params, { signal: context.signal });
  expect(result.isError !== true, `${tool} succeeds: ${textOf(result)}`);
  return result;
}

function textOf(result: CallToolResult): string {
  return renderResult(result).join(' ');
}

function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`expected that ${what}`);
}

function orAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  const stopped = untilAborted(signal).then(() => {
    throw new Error('it took too long');
  });
  return Promise.race([promise, stopped]);
}
