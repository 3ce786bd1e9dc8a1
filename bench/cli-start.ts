// What the command line adds to a start of Node: to nothing at all for `--version`, to the same done with the library for
// a question to an office. Processes of their own, as a user starts them: the built files.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { io } from 'socket.io-client';
import { PROTOCOL_VERSION } from '../src/protocol/index.js';
import { Server } from '../src/server/index.js';
import { compare, runWhenExecuted } from './support/rounds.js';

const STARTS_PER_ROUND = 5;
const TOOLS = 20;
const dist = join(import.meta.dirname, '..', 'dist');
const CLI = join(dist, 'cli', 'main.js');
const start = promisify(execFile);

/** A Server with one Computer in its office, which has a few tools. */
async function openOffice(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = new Server();
  const { url } = await server.listen(0);
  const computer = io(`${url}/smcp?a2c_version=${PROTOCOL_VERSION}`, { forceNew: true, transports: ['websocket'] });
  const tools = Array.from({ length: TOOLS }, (_, index) => ({
    name: `tool_${index}`,
    description: `Does the thing number ${index}`,
    params_schema: { type: 'object', properties: { text: { type: 'string' } } },
    return_schema: null,
  }));
  computer.on('client:get_tools', ({ req_id }: { req_id: string }, ack: (answer: object) => void) => {
    ack({ tools, req_id });
  });
  await new Promise<void>((resolve) => computer.once('connect', resolve));
  await computer.emitWithAck('server:join_office', { role: 'computer', name: 'computer', office_id: 'bench' });
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      computer.disconnect();
      await server.close();
    },
  };
}

/** What a user of the library would write for `a2c agent tools`. */
function bareProgram(url: string): string {
  return `
    import { Agent } from ${JSON.stringify(pathToFileURL(join(dist, 'agent', 'index.js')).href)};
    const agent = new Agent({ url: ${JSON.stringify(url)}, catalog: false });
    await agent.connect();
    await agent.joinOffice('bench');
    for (const { role, name } of await agent.listRoom()) {
      if (role !== 'computer') continue;
      for (const tool of await agent.getTools(name)) console.log(name, tool.name, tool.description);
    }
    await agent.close();
  `;
}

async function timed(args: readonly string[], fits: (output: string) => boolean): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < STARTS_PER_ROUND; count += 1) {
    const { stdout } = await start(process.execPath, args);
    if (!fits(stdout)) throw new Error(`node ${args.join(' ')} printed something else: ${stdout}`);
  }
  return (performance.now() - began) / STARTS_PER_ROUND;
}

/** Runs the benchmark and prints its tables. */
export async function run(): Promise<void> {
  await compare({
    title: 'A start for nothing but the version',
    unit: 'ms',
    better: 'lower',
    bar: 2,
    rounds: 15,
    baseline: { name: 'node -e 0', measure: () => timed(['-e', '0'], (output) => output === '') },
    subject: { name: 'a2c --version', measure: () => timed([CLI, '--version'], (output) => /^\d+\.\d/.test(output)) },
  });
  await using office = await openOffice();
  const folder = mkdtempSync(join(tmpdir(), 'a2c-bench-'));
  try {
    const bare = join(folder, 'bare.mjs');
    writeFileSync(bare, bareProgram(office.url));
    const showsAll = (output: string): boolean =>
      output.split('\n').filter((line) => line.includes('tool_')).length === TOOLS;
    await compare({
      title: `The ${TOOLS} tools of an office`,
      unit: 'ms',
      better: 'lower',
      bar: 1.5,
      rounds: 15,
      baseline: { name: 'the library alone', measure: () => timed([bare], showsAll) },
      subject: {
        name: 'a2c agent tools',
        measure: () => timed([CLI, 'agent', 'tools', '--server', office.url, '--office', 'bench'], showsAll),
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

await runWhenExecuted(import.meta.url, run);
