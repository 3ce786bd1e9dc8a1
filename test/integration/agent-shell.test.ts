import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Agent } from '../../src/agent/index.js';
import { EventFeed } from '../../src/cli/agent-shell/event-feed.js';
import { namesOf } from '../../src/cli/agent-shell/names.js';
import { Selection } from '../../src/cli/agent-shell/selection.js';
import { AGENT_COMMANDS } from '../../src/cli/agent-shell/table.js';
import type { AgentContext } from '../../src/cli/agent-shell/agent-context.js';
import { Shell, type LineSource } from '../../src/cli/shell/shell.js';
import { Terminal } from '../../src/cli/terminal/terminal.js';
import { Computer, type ComputerOptions } from '../../src/computer/index.js';
import { Server } from '../../src/server/index.js';
import { officeServer, packageServer } from '../fixtures/computer/office.js';

const OFFICE = 'office-1';
const EVERYTHING = packageServer('@modelcontextprotocol/server-everything', 'stdio');

/** Lines that a test gives one after the other. */
class GivenLines implements LineSource {
  onInterrupt: () => void = () => undefined;
  readonly #lines: string[];

  constructor(lines: readonly string[]) {
    this.#lines = [...lines];
  }

  readLine(): Promise<string | undefined> {
    return Promise.resolve(this.#lines.shift());
  }
}

/** The shell of an Agent in an office with real Computers; only the keyboard is the test's. */
class AgentShell implements AsyncDisposable {
  readonly server = new Server();
  readonly computers: Computer[] = [];
  agent!: Agent;
  context!: AgentContext;
  shell!: Shell<AgentContext>;
  url = '';
  #screen = '';

  static async open(computers: Readonly<Record<string, ComputerOptions>>, json = false): Promise<AgentShell> {
    const opened = new AgentShell();
    opened.url = (await opened.server.listen(0)).url;
    for (const [name, options] of Object.entries(computers)) await opened.addComputer(name, options);
    opened.agent = new Agent({ url: opened.url, name: 'agent-1' });
    await opened.agent.connect();
    await opened.agent.joinOffice(OFFICE);
    const write = (text: string | Uint8Array): void => {
      opened.#screen += String(text);
    };
    const terminal = new Terminal({ write, columns: 200 }, { write }, false);
    opened.context = {
      agent: opened.agent,
      office: OFFICE,
      url: opened.url,
      timeout: 10,
      json,
      selection: new Selection(opened.agent, OFFICE),
      feed: new EventFeed(opened.agent, { terminal, json, on: false }),
      seen: { servers: new Set(), documents: new Set(), windows: new Set() },
      live: () => undefined,
    };
    opened.shell = new Shell({
      context: opened.context,
      commands: AGENT_COMMANDS,
      names: namesOf(opened.context),
      prompt: () => '',
      terminal,
      json,
    });
    return opened;
  }

  async addComputer(name: string, options: ComputerOptions): Promise<Computer> {
    const computer = new Computer({ name, env: {}, ...options });
    this.computers.push(computer);
    computer.start();
    await computer.settled();
    await computer.connect({ url: this.url });
    await computer.joinOffice(OFFICE);
    return computer;
  }

  /** What stands on the screen since the last command began. */
  get told(): string {
    return this.#screen;
  }

  /** Runs the lines. @returns what they printed. */
  async type(...lines: string[]): Promise<string> {
    this.#screen = '';
    await this.shell.run(new GivenLines(lines), new AbortController().signal);
    return this.#screen;
  }

  /** Runs a line, and presses Ctrl-C once something is so. */
  async interrupt(line: string, when: Promise<unknown>): Promise<string> {
    this.#screen = '';
    const lines = new GivenLines([line]);
    void when.then(() => {
      lines.onInterrupt();
    });
    await this.shell.run(lines, new AbortController().signal);
    return this.#screen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.context.feed[Symbol.dispose]();
    await this.agent.close();
    for (const computer of this.computers) await computer.close();
    await this.server.close();
  }
}

const WINDOW = 'window://com.office/list';
const DOCUMENT = 'dpe://com.office/report';
const LAPTOP: ComputerOptions = {
  servers: {
    everything: { ...EVERYTHING, forbidden_tools: ['get-env'] },
    office: officeServer({
      only: [],
      moreTools: ['wait'],
      resources: [
        { uri: WINDOW, name: 'List' },
        { uri: DOCUMENT, name: 'Report', mimeType: 'application/json' },
      ],
      contents: { [WINDOW]: [{ uri: WINDOW, text: 'one\ntwo' }] },
    }),
  },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'a2c-agent-shell-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('the shell of an Agent with one Computer', () => {
  let shell: AgentShell;
  beforeAll(async () => {
    shell = await AgentShell.open({ laptop: LAPTOP });
  });
  afterAll(() => shell[Symbol.asyncDispose]());

  it('is about that Computer without a word', async () => {
    expect(await shell.type('tools echo')).toMatch(/^echo {2}Echoes back/);
    expect(await shell.type('status')).toMatch(
      /office +"office-1"\ncomputer +laptop, the only one there[^]*laptop: \d+ tools/,
    );
    expect(await shell.type('room')).toMatch(/agent +agent-1[^]*computer +laptop/);
  });

  it('calls a tool with words of which each is read as the tool wants it', async () => {
    expect(await shell.type('call echo message=5')).toBe('Echo: 5\n');
    expect(await shell.type('call get-sum a=1 b=2')).toBe('The sum of 1 and 2 is 3.\n');
    expect(await shell.type('call echo {"message":"as JSON"}')).toBe('Echo: as JSON\n');
    expect(await shell.type('call echo message:=5')).toMatch(/echo failed/);
  });

  it('writes images into a folder, and names them with their size', async () => {
    const printed = await shell.type(`call get-tiny-image --output "${join(folder, 'a b')}"`);
    expect(printed).toMatch(/\[image image\/png, 4\.0 kB\]/);
    expect(printed).toContain(join(folder, 'a b', 'get-tiny-image-1.png'));
    expect(readdirSync(join(folder, 'a b'))).toEqual(['get-tiny-image-1.png']);
  });

  it('shows a tool with what is known of it', async () => {
    const printed = await shell.type('tool echo');
    expect(printed).toMatch(/^echo\ncomputer +laptop[^]*Echoes back[^]*parameters \{[^]*"message"/);
  });

  it.each([
    ['a tool with a name nearly right', 'call ecko message=x', /did you mean "echo"\? tools lists them/],
    ['a tool that nobody has', 'call frobnicate', /ask the owner, whose shell says why \(tool frobnicate\)/],
    ['a tool that the owner forbids', 'call get-env', /only the owner of the Computer can allow it/],
    ['a tool that it is to show', 'tool ecko', /there is no tool "ecko"; did you mean "echo"\?/],
    [
      'a tool that takes too long',
      'call trigger-long-running-operation duration=60 --timeout 1',
      /the Computer ended the tool; call trigger-long-running-operation --timeout 5 … gives it more time/,
    ],
    ['a Computer that is not there', 'call echo --computer lapto', /404: .*did you mean "laptop"\?/],
    ['a Computer that is to be used', 'use printer', /there is no Computer "printer"; there is "laptop"/],
    ['an MCP server that is not there', 'resources offices', /did you mean "office"\?/],
    ['a document without a resolver', `dpe ${DOCUMENT}`, /4011: .*--documents file, http or s3/],
    ['a URI that is none', 'open dpe://x', /4012: .*documents lists the documents/],
    [
      'a window that is not there',
      'desktop window://no/such',
      new RegExp(`none is "window://no/such"; there is "${WINDOW}"`),
    ],
    ['a desktop of no size', 'desktop 0', /the size 0 asks for none/],
    ['broken JSON', 'call echo {"message":}', /not valid JSON at line 1, column 12.*▸\}/],
    ['a filter that fits nothing', 'tools zzz', /no tool has "zzz" in it/],
  ])('says which cause applies to %s, and what to type next', async (_, line, expected) => {
    expect(await shell.type(line)).toMatch(expected);
  });

  it('lists windows, documents and resources, and offers them afterwards', async () => {
    expect(await shell.type('windows')).toMatch(/^window:\/\/com\.office\/list {2}7 characters {2}one\n/);
    expect(await shell.type('desktop 1')).toContain('one\ntwo');
    expect(await shell.type('documents report')).toMatch(/office {2}dpe:\/\/com\.office\/report/);
    expect(await shell.type('resources office')).toContain(WINDOW);
    expect(shell.shell.complete('open dpe')).toEqual([[`${DOCUMENT} `], 'dpe']);
    expect(shell.shell.complete('desktop w')).toEqual([[`${WINDOW} `], 'w']);
    expect(shell.shell.complete('call echo mes')).toEqual([['message='], 'mes']);
    expect(shell.shell.complete('use l')).toEqual([['laptop '], 'l']);
    expect(shell.shell.complete('call get-tin')).toEqual([['get-tiny-image '], 'get-tin']);
  });

  it('cancels the call that runs with Ctrl-C, and the tool hears of it', async () => {
    const [laptop] = shell.computers;
    const started = new Promise((resolve) => laptop?.on('toolStarted', resolve));
    const ended = new Promise<{ outcome: string }>((resolve) => laptop?.on('toolCall', resolve));
    const printed = await shell.interrupt('call trigger-long-running-operation duration=60', started);
    expect(printed).toMatch(/cancelled/);
    expect((await ended).outcome).toBe('cancelled');
  });
});

describe('the shell of an Agent', () => {
  let shell: AgentShell;
  beforeEach(async () => {
    shell = await AgentShell.open({ laptop: { servers: { office: officeServer() } }, desk: {} });
  });
  afterEach(() => shell[Symbol.asyncDispose]());

  it('asks which of several Computers is meant, and stays with the one that was chosen', async () => {
    expect(await shell.type('config')).toMatch(/which Computer\? There is "laptop", "desk": use COMPUTER/);
    expect(await shell.type('use')).toBe('  laptop\n  desk\n');
    expect(await shell.type('use desk', 'tools')).toMatch(/no tools: desk shows none/);
    expect(await shell.type('desktop')).toMatch(/no windows\ndesk has no MCP server/);
  });

  it('lists the tools of all where none is chosen, and says who has a tool that another one lacks', async () => {
    expect(await shell.type('tools')).toMatch(/^laptop {2}\S+/);
    const [tool = ''] = shell.agent.tools.map(({ name }) => name);
    expect(await shell.type('use desk', `call ${tool}`)).toContain(`"laptop" has it: call ${tool} --computer laptop`);
  });

  it('tells what happens as it comes once that is wanted, the same thing once', async () => {
    await shell.type('watch on');
    const came = new Promise<void>((resolve) =>
      shell.agent.on('toolsChanged', ({ computer }) => {
        if (computer === 'printer') resolve();
      }),
    );
    const printer = await shell.addComputer('printer', {});
    await came;
    const left = new Promise<void>((resolve) =>
      shell.agent.on('computerLeft', () => {
        resolve();
      }),
    );
    await printer.close();
    await left;
    expect(shell.told).toBe(
      'what happens is told as it comes\nprinter is in the office\nprinter shows 0 tools\nprinter has left the office\n',
    );
    expect(await shell.type('watch')).toContain('only what becomes of the connection is told');
  });

  it('says that the connection is being made again while it is', async () => {
    const gone = new Promise<void>((resolve) =>
      shell.agent.on('disconnected', () => {
        resolve();
      }),
    );
    await shell.server.close();
    await gone;
    expect(await shell.type('room')).toMatch(/the connection is being made again: status shows when it is there/);
    expect(await shell.type('status')).toMatch(/not connected; it is tried again and again\noffice +not in "office-1"/);
  });

  it('says that a Computer has left when a call ends without it', async () => {
    const desk = shell.computers[1];
    await desk?.close();
    expect(await shell.type('tools --computer desk')).toMatch(/404: .*there is "laptop"/);
  });
});

it('gives programs a line of JSON for each result', async () => {
  await using shell = await AgentShell.open({ laptop: LAPTOP }, true);
  const printed = await shell.type('use', 'call echo message=x', 'call ecko', 'desktop');
  const lines = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  expect(lines).toMatchObject([
    { event: 'result', command: 'use', result: { computer: 'laptop', computers: ['laptop'] } },
    { event: 'result', command: 'call', result: { content: [{ type: 'text', text: 'Echo: x' }] } },
    { event: 'result', command: 'call', result: { isError: true, meta: { error_code: 4001 } } },
    { event: 'error', command: 'call', message: 'ecko failed' },
    { event: 'result', command: 'desktop', result: { desktops: [`${WINDOW}\n\none\ntwo`] } },
  ]);
});
