import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ComputerEvents, DpeResolver } from '../../src/computer/index.js';
import type { CallEvent, JsonObject, Logger } from '../../src/protocol/index.js';
import { Office, officeServer, textOf } from '../fixtures/computer/office.js';

const program = fileURLToPath(new URL('../fixtures/computer/office-server.mjs', import.meta.url));
const EVENTS = ['serverState', 'toolCall', 'diagnostic', 'joined', 'left', 'disconnected', 'toolsChanged'] as const;

/** Everything that can be seen of a Computer from outside, as text. */
class Witness {
  readonly seen: string[] = [];
  readonly logger: Logger;

  constructor() {
    const note = (fields: object, message: string): void => {
      const error = (fields as { err?: unknown }).err;
      this.see({ ...fields, err: error instanceof Error ? [error.message, error.stack] : error, message });
    };
    this.logger = { debug: note, info: note, warn: note, error: note };
  }

  see(value: unknown): void {
    this.seen.push(JSON.stringify(value));
  }
}

/** A web server that refuses and repeats what it was sent. */
async function echoingRefusal(): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    response.writeHead(500, { 'content-type': 'text/plain' });
    response.end(`you sent ${String(request.url)} ${JSON.stringify(request.headers)}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `127.0.0.1:${port}`, close: () => void server.close() };
}

function plant(http: string): JsonObject {
  const env = { CANARY_ENV: 'canary-env-1', FROM_INPUT: '${input:typed}', FROM_COMMAND: '${input:command}' };
  const args = [
    program,
    '{}',
    '--api-key',
    'canary-arg-1',
    'https://canary-user:canary-pass@h/?q=canary-query',
    '--x=${input:env}',
  ];
  const dying = [program, '{"dieAtOnce": 3}', '--password=canary-arg-2', '${input:typed}'];
  return {
    good: { command: process.execPath, args, env, default_tool_meta: { auto_apply: true } },
    dead: { command: process.execPath, args: dying, env },
    missing: { command: 'canary-free-missing-program', args: ['--token', 'canary-arg-3'] },
    web: {
      type: 'streamable',
      url: `http://canary-web-user:canary-web-pass@${http}/?key=canary-web-query`,
      headers: { Authorization: 'Bearer canary-bearer', 'X-Key': '${input:typed}' },
    },
    unset: { command: 'x', args: ['${input:unset}', '--secret', 'canary-arg-4'] },
    other: officeServer({ only: ['set-tools'], resources: [{ uri: 'dpe://h/d', name: 'd' }] }),
  };
}

const inputs = [
  { id: 'typed', type: 'promptString', password: true, default: 'canary-default' },
  { id: 'command', type: 'command', command: process.execPath, args: ['-e', 'console.log("canary-command")'] },
  { id: 'env', type: 'promptString' },
  { id: 'unset', type: 'promptString' },
];

describe('Zero credential propagation', () => {
  it('shows no secret in any answer, event, log line, state or error [R-1-no-credentials] [R-5.2-no-leak]', async () => {
    const http = await echoingRefusal();
    const witness = new Witness();
    const resolver: DpeResolver = { resolve: () => Promise.reject(new Error('canary-typed is wrong')) };
    await using office = await Office.open({
      inputs,
      servers: plant(http.url),
      prompt: (input) => Promise.resolve(input.id === 'typed' ? 'canary-typed' : undefined),
      env: { ...process.env, A2C_SMCP_ENV: 'canary-from-env' },
      logger: witness.logger,
      documents: resolver,
      hosting: { restarts: { maxRestarts: 1, minMs: 1 }, startTimeoutMs: 5000 },
    });
    const { computer } = office;
    for (const event of EVENTS) {
      computer.on(event, (...args: ComputerEvents[typeof event]) => {
        witness.see(args);
      });
    }
    const requests: [CallEvent, JsonObject][] = [
      ['client:get_tools', {}],
      ['client:get_config', {}],
      ['client:get_desktop', {}],
      ...['good', 'dead', 'missing', 'web', 'unset'].map((server): [CallEvent, JsonObject] => [
        'client:get_resources',
        { mcp_server: server },
      ]),
      ['client:get_dpe', { uri: 'dpe://h/d' }],
    ];
    for (const [event, payload] of requests) witness.see(await office.ask(event, payload));
    const leaked = await office.call('leak');
    expect(textOf(leaked)).toContain('cannot log in with ******');
    witness.see(leaked);
    await computer.restartServer('dead').catch((error: unknown) => {
      witness.see([String(error), (error as Error).stack]);
    });
    await computer.restartServer('web').catch((error: unknown) => {
      witness.see(String(error));
    });
    await computer.removeServer('missing');
    witness.see(computer.servers());
    witness.see(computer.history);
    witness.see(computer.tools());
    await office[Symbol.asyncDispose]();
    http.close();

    expect(witness.seen.length).toBeGreaterThan(20);
    expect(witness.seen.join('\n')).toContain('started with ******');
    const shown = witness.seen.filter((text) => /canary-(?!free)/.test(text));
    expect(shown).toEqual([]);
    const basic = Buffer.from('canary-web-user:canary-web-pass').toString('base64');
    expect(witness.seen.filter((text) => text.includes(basic))).toEqual([]);
  });
});
