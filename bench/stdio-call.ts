// What the manager's guards cost a tool call on a stdio server, against a bare `client.request` on the same transport.
import { fileURLToPath } from 'node:url';
import { Client, type StandardSchemaV1 } from '@modelcontextprotocol/client';
import { Cancellation, type CancelSignal } from '../src/computer/mcp/cancellation.js';
import { McpServerManager } from '../src/computer/mcp/mcp-server-manager.js';
import { StdioTransport } from '../src/computer/mcp/stdio-transport.js';
import { Redactor } from '../src/computer/redactor.js';
import { mcpServerConfigSchema, silentLogger, type JsonObject } from '../src/protocol/index.js';
import { compare, median, runWhenExecuted } from './support/rounds.js';

const SERVER = fileURLToPath(new URL('../test/fixtures/mcp-servers/raw-server.mjs', import.meta.url));
const OPTIONS = JSON.stringify({ only: ['echo'] });
const ARGS = { text: 'x'.repeat(185) };
const ROUND_MS = 500;
const IN_FLIGHT = 64;

type Call = () => Promise<unknown>;
interface Caller {
  readonly call: Call;
  /** The same with an `AbortSignal`, which is most of the cost of such a call. */
  readonly callWithSignal: Call;
  close(): Promise<void>;
}

/** Takes any object for a result, as a relay must. */
const anyResult: StandardSchemaV1<unknown, JsonObject> = {
  '~standard': { version: 1, vendor: 'bench', validate: (value) => ({ value: value as JsonObject }) },
};

async function bareClient(): Promise<Caller> {
  const transport = new StdioTransport({
    server: 'bare',
    command: process.execPath,
    args: [SERVER, OPTIONS],
    logger: silentLogger,
    redact: (text) => text,
  });
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(transport);
  const request = { method: 'tools/call', params: { name: 'echo', arguments: ARGS } };
  return {
    call: () => client.request(request, anyResult),
    callWithSignal: () => client.request(request, anyResult, { signal: new AbortController().signal }),
    close: () => transport.close(),
  };
}

async function managed(): Promise<Caller> {
  const redactor = new Redactor();
  for (const secret of ['sk-live-0123456789', 'pässwörd', 'a much longer secret phrase']) redactor.add(secret);
  const manager = new McpServerManager({
    render: (config) => Promise.resolve(config),
    logger: silentLogger,
    redact: (text) => redactor.redact(text),
    clientInfo: { name: 'bench', version: '1' },
  });
  const parameters = { command: process.execPath, args: [SERVER, OPTIONS] };
  const config = mcpServerConfigSchema.parse({ name: 'managed', type: 'stdio', server_parameters: parameters });
  await manager.setServers([{ config }]);
  const onProgress = (): void => undefined;
  const callWith = (signal: CancelSignal): Promise<unknown> =>
    manager.callTool('echo', ARGS, { timeoutMs: 60_000, signal, onProgress });
  return {
    // Each call with a budget, a way to cancel it, and somebody who wants its progress.
    call: () => callWith(new Cancellation()),
    callWithSignal: () => callWith(new AbortController().signal),
    close: () => manager.close(),
  };
}

async function callsPerSecond(call: Call): Promise<number> {
  const end = performance.now() + ROUND_MS;
  let calls = 0;
  const began = performance.now();
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      await call();
      calls += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return (calls * 1_000) / (performance.now() - began);
}

async function latency(call: Call): Promise<number> {
  const times: number[] = [];
  for (const end = performance.now() + ROUND_MS / 2; performance.now() < end;) {
    const began = performance.now();
    await call();
    times.push(performance.now() - began);
  }
  return median(times);
}

/** Runs the benchmark and prints its tables. */
export async function run(): Promise<void> {
  const callers = await Promise.all([bareClient(), bareClient(), managed()]);
  const [bare, bareAgain, ours] = callers;
  try {
    await compare({
      title: 'stdio tool call, 200 B, 64 in flight',
      unit: 'calls/s',
      better: 'higher',
      bar: 0.85,
      baseline: { name: 'client.request', measure: () => callsPerSecond(bare.call) },
      control: { name: 'client.request', measure: () => callsPerSecond(bareAgain.call) },
      subject: { name: 'McpServerManager', measure: () => callsPerSecond(ours.call) },
    });
    await compare({
      title: 'stdio tool call, 200 B, 64 in flight, each with an AbortSignal',
      unit: 'calls/s',
      better: 'higher',
      bar: 0.85,
      baseline: { name: 'client.request', measure: () => callsPerSecond(bare.callWithSignal) },
      control: { name: 'client.request', measure: () => callsPerSecond(bareAgain.callWithSignal) },
      subject: { name: 'McpServerManager', measure: () => callsPerSecond(ours.callWithSignal) },
    });
    await compare({
      title: 'stdio tool call, 200 B, 1 in flight, p50',
      unit: 'ms',
      better: 'lower',
      baseline: { name: 'client.request', measure: () => latency(bare.call) },
      control: { name: 'client.request', measure: () => latency(bareAgain.call) },
      subject: { name: 'McpServerManager', measure: () => latency(ours.call) },
    });
  } finally {
    await Promise.all(callers.map((caller) => caller.close()));
  }
}

await runWhenExecuted(import.meta.url, run);
