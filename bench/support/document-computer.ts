// A Computer in a process of its own that turns one document into a URI, and says what that took of memory.
import { readFile, writeFile } from 'node:fs/promises';
import { TypedEvents } from '../../src/client/index.js';
import { ComputerCore } from '../../src/computer/computer-core.js';
import { readConfig } from '../../src/computer/config/parse-config.js';
import { FileDpeResolver } from '../../src/computer/index.js';
import { sharedOf } from '../../src/computer/shared.js';
import { answerRequests } from './child.js';
import { documentServer } from './mcp-servers.js';
import type { DocumentMemory, DocumentRequest } from './requests.js';

const documents = new FileDpeResolver({ references: { mode: 'copy', allowPrivate: true } });

/** Starts an MCP server for each document. @returns what resolves the one of a host and tells its size, in bytes. */
async function openComputer(hosts: Readonly<Record<string, object>>): Promise<(host: string) => Promise<number>> {
  const core = new ComputerCore(
    sharedOf({}),
    { documents },
    { events: new TypedEvents(() => undefined), maxAnswerBytes: () => 1_000_000 },
  );
  const servers = Object.entries(hosts).map(([host, options]) => [host, documentServer({ host, ...options })]);
  await core.servers.setConfig(readConfig({ servers: Object.fromEntries(servers) as object }));
  return async (host) => {
    const request = { agent: 'agent', computer: 'computer', req_id: 'f3a1c2d4e5b60718', uri: `dpe://${host}/document` };
    const { size } = await core.documents.get({ ...request, timeout: 60 });
    return Number(size);
  };
}

/** The largest resident size since it was forgotten last, in bytes. */
async function peak(): Promise<number> {
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(await readFile('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

answerRequests(async ({ bytes, uri }: DocumentRequest): Promise<DocumentMemory> => {
  const measured = uri === undefined ? { bytes } : { uri };
  const get = await openComputer({ small: uri === undefined ? { bytes: 100_000 } : { uri: `${uri}/small` }, measured });
  // Code and buffers that every document uses are there then.
  await get('small');
  for (let index = 0; index < 4; index += 1) globalThis.gc?.();
  // "5": the peak begins anew.
  await writeFile('/proc/self/clear_refs', '5');
  const before = process.memoryUsage.rss();
  const size = await get('measured');
  const growth = (await peak()) - before;
  // Whoever asked ends this process, which leaves its folder behind else.
  await documents.close();
  return { size, growth };
});
