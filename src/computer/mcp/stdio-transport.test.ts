import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { silentLogger } from '../../protocol/index.js';
import { StdioTransport, type StdioTransportOptions } from './stdio-transport.js';

const RAW = fileURLToPath(new URL('../../../test/fixtures/mcp-servers/raw-server.mjs', import.meta.url));
type Message = Record<string, unknown>;

const open = new Set<StdioTransport>();
afterEach(async () => {
  await Promise.all([...open].map((transport) => transport.close()));
  open.clear();
});

function make(options: Partial<StdioTransportOptions> & { raw?: object }) {
  const { raw = {}, ...rest } = options;
  const transport = new StdioTransport({
    server: 'raw',
    command: process.execPath,
    args: [RAW, JSON.stringify(raw)],
    logger: silentLogger,
    redact: (text) => text,
    ...rest,
  });
  open.add(transport);
  const messages: Message[] = [];
  const waiting: { test: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];
  transport.onmessage = (message) => {
    messages.push(message);
    for (const one of waiting) if (one.test(message)) one.resolve(message);
  };
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  let nextId = 1;
  const request = async (method: string, params: object = {}): Promise<Message> => {
    const id = nextId++;
    const answer = new Promise<Message>((resolve) => {
      waiting.push({ test: (message) => Number(message['id']) === id, resolve });
    });
    await transport.send({ jsonrpc: '2.0', id, method, params } as never);
    return answer;
  };
  const call = (name: string, args: object = {}) => request('tools/call', { name, arguments: args });
  return { transport, messages, closed, request, call };
}

const processes = (pattern: string): string =>
  execFileSync('sh', ['-c', `ps -eo stat,args | grep -v grep | grep -v '^Z' | grep '${pattern}' || true`]).toString();

/** How long the thread was busy without a pause, at most. */
class LongestTurn {
  readonly #histogram = monitorEventLoopDelay({ resolution: 10 });

  constructor() {
    this.#histogram.enable();
  }

  get ms(): number {
    return this.#histogram.max / 1e6;
  }

  [Symbol.dispose](): void {
    this.#histogram.disable();
  }
}

describe('StdioTransport', () => {
  it('skips a banner and lines that are not JSON [F-B-not-json]', async () => {
    const { transport, call, messages } = make({ raw: { banner: true } });
    await transport.start();
    expect(await call('noisy')).toMatchObject({ result: { content: [{ text: 'heard' }] } });
    expect(messages).toHaveLength(1);
  });

  it.each([
    ['no-jsonrpc', { result: { content: [{ text: 'fine' }] } }],
    ['extra-key', { result: { content: [{ text: 'fine' }] } }],
    ['batch', { result: { content: [{ text: 'fine' }] } }],
    ['string-id', { result: { content: [{ text: 'fine' }] } }],
    ['null-result', { error: { code: -32000 } }],
    ['array-result', { error: { code: -32000 } }],
    ['odd-error', { error: { message: 'it broke' } }],
    ['error', { error: { code: -32050, message: 'no luck', data: { a: 1 } } }],
  ])('answers a call whose frame is odd: %s', async (name, expected) => {
    const { transport, call } = make({});
    await transport.start();
    const answer = await call(name);
    expect(answer).toMatchObject(expected);
    expect(Object.keys(answer).sort()).toEqual(['jsonrpc', 'id', Object.keys(expected)[0]].sort());
  });

  it.each(['y', '{'])(
    'leaves the thread to others while a server writes "%s" without end, and ends it in time [F-B-not-json]',
    async (line) => {
      const flood = `const piece = ${JSON.stringify(`${line}\n`)}.repeat(32768);
        const write = () => { while (process.stdout.write(piece)); process.stdout.once('drain', write); };
        write();`;
      const debug = vi.fn();
      const { transport } = make({ args: ['-e', flood], logger: { ...silentLogger, debug } });
      using delay = new LongestTurn();
      await transport.start();
      // Ten a second are logged at most: with more it went on for a second.
      await vi.waitFor(
        () => {
          expect(debug.mock.calls.length).toBeGreaterThan(10);
        },
        { timeout: 20_000 },
      );
      await transport.close();
      expect(delay.ms).toBeLessThan(2_000);
    },
    30_000,
  );

  it('keeps __proto__ and the order of keys in results', async () => {
    const { transport, call } = make({});
    await transport.start();
    const { result } = await call('proto');
    expect(JSON.stringify(result)).toBe('{"content":[],"structuredContent":{"__proto__":{"a":1},"z":1,"a":2}}');
  });

  it('drains 9 MB of stderr before the first answer and keeps only its end [F-B-stderr-drained] [F-B-stderr-bounded]', async () => {
    const { transport, call } = make({ raw: { stderrBytes: 9_000_000 } });
    await transport.start();
    expect(await call('echo')).toHaveProperty('result');
    expect(transport.stderrTail().length).toBeLessThan(3_000);
    expect(transport.stderrTail()).toContain('eee');
  });

  it('answers only the call whose answer is over 32 MiB with an error [F-B-long-line]', async () => {
    const { transport, call } = make({});
    await transport.start();
    const [huge, large, small] = await Promise.all([
      call('big', { bytes: 34 * 1024 * 1024 }),
      call('big', { bytes: 11_000_000 }),
      call('echo', { a: 1 }),
    ]);
    expect(huge).toMatchObject({ error: { message: expect.stringContaining('larger than the limit') as string } });
    expect(JSON.stringify(large).length).toBeGreaterThan(11_000_000);
    expect(small).toHaveProperty('result');
  }, 20_000);

  it('gives a server up that writes more than 64 MiB without a newline [F-B-endless-line]', async () => {
    const { transport, call, closed } = make({});
    await transport.start();
    void call('endless', { bytes: 66 * 1024 * 1024 });
    await closed;
    expect(transport.ending?.reason).toContain('without a newline');
  }, 20_000);

  it('tells exit code and stderr of a server that dies at once [F-A-death-at-once]', async () => {
    const { transport, closed } = make({ raw: { dieAtOnce: 3 } });
    await transport.start();
    await closed;
    expect(transport.ending).toMatchObject({ exitCode: 3, signal: null });
    expect(transport.ending?.stderrTail).toBe('API_KEY is missing\nset it and try again');
    await expect(transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow('exit code 3');
  });

  it('tells the signal that killed a server', async () => {
    const { transport, call, closed } = make({});
    await transport.start();
    void call('kill-self');
    await closed;
    expect(transport.ending).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
  });

  it('notices the death of a child whose grandchild holds the pipes, and ends the grandchild [F-A-process-group]', async () => {
    const { transport, call, closed } = make({ raw: { grandchild: true } });
    await transport.start();
    const began = Date.now();
    void call('die', { code: 4 });
    await closed;
    expect(Date.now() - began).toBeLessThan(3_000);
    expect(transport.ending?.exitCode).toBe(4);
    await transport.close();
    expect(processes('sleep 986')).toBe('');
  });

  it('gives a server up that closes its standard output but lives on', async () => {
    const { transport, closed } = make({
      command: 'sh',
      args: ['-c', 'exec >&-; exec sleep 985'],
    });
    await transport.start();
    await closed;
    expect(transport.ending?.reason).toContain('closed its standard output');
    await transport.close();
    expect(processes('sleep 985')).toBe('');
  });

  it('leaves nothing of a process group behind [F-A-process-group]', async () => {
    const { transport, call } = make({
      command: 'sh',
      args: ['-c', `sleep 987 & exec "${process.execPath}" "${RAW}"`],
    });
    await transport.start();
    await call('echo');
    expect(processes('sleep 987')).not.toBe('');
    await transport.close();
    expect(processes('sleep 987')).toBe('');
  });

  it('lets a server behind a shell put things in order after SIGTERM', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'a2c-test-'));
    const file = join(folder, 'tidy');
    const tidy = `setTimeout(() => { require('fs').writeFileSync('${file}', 'tidy'); process.exit(); }, 200)`;
    const script = `process.on('SIGTERM', () => ${tidy}); setInterval(() => 0, 1000); console.error('ready');`;
    // The shell waits for it, and is gone as soon as it has the signal.
    const { transport } = make({ command: 'sh', args: ['-c', `"${process.execPath}" -e "${script}"; true`] });
    await transport.start();
    await vi.waitFor(() => {
      expect(transport.stderrTail()).toContain('ready');
    });
    await transport.close();
    expect(existsSync(file)).toBe(true);
    rmSync(folder, { recursive: true });
  }, 10_000);

  it('kills a server that ignores the end of stdin and SIGTERM within 6 s; a second close waits for the first [F-A-six-seconds]', async () => {
    const { transport, call } = make({ raw: { stubborn: true } });
    await transport.start();
    const pid = (await call('pid')) as { result: { content: [{ text: string }] } };
    const began = Date.now();
    await Promise.all([transport.close(), transport.close()]);
    expect(Date.now() - began).toBeLessThan(6_000);
    expect(() => process.kill(Number(pid.result.content[0].text), 0)).toThrow('ESRCH');
  }, 10_000);

  it('adds env to the safe environment [F-C-env-added]', async () => {
    process.env['A2C_TEST_SECRET'] = 'hidden';
    const { transport, call } = make({ env: { ADDED: 'yes', __proto__x: 'p' } });
    await transport.start();
    const answer = (await call('env', { names: ['ADDED', '__proto__x', 'PATH', 'A2C_TEST_SECRET'] })) as {
      result: { content: [{ text: string }] };
    };
    delete process.env['A2C_TEST_SECRET'];
    const seen = JSON.parse(answer.result.content[0].text) as Record<string, unknown>;
    expect(seen).toEqual({ ADDED: 'yes', __proto__x: 'p', PATH: process.env['PATH'], A2C_TEST_SECRET: null });
  });

  it.each([
    ['a missing command', { command: 'no-such-cmd-xyz' }, /Command not found: "no-such-cmd-xyz"; searched PATH: .*bin/],
    ['a missing file', { command: '/no/such/file' }, /Command not found: "\/no\/such\/file"$/],
    ['a missing folder', { cwd: '/no/such/folder' }, /Working directory does not exist: \/no\/such\/folder/],
    ['a file as folder', { cwd: RAW }, /Not a directory/],
    ['a command that is no program', { command: RAW }, /not executable/],
    ['an odd encoding', { encoding: 'klingon' }, /Unknown encoding/],
    ['a NUL byte', { args: ['a\0b'] }, /Cannot start/],
  ])('refuses %s within a second [F-C-missing-command] [F-C-cwd]', async (_what, options, message) => {
    const began = Date.now();
    const { transport } = make(options);
    await expect(transport.start()).rejects.toThrow(message);
    expect(Date.now() - began).toBeLessThan(3_000);
    await transport.close();
  });

  it('speaks another encoding', async () => {
    const { transport, call } = make({ encoding: 'latin1' });
    await transport.start();
    expect(await call('echo', { text: 'é路' })).toMatchObject({
      result: { content: [{ text: expect.any(String) as string }] },
    });
  });
});
