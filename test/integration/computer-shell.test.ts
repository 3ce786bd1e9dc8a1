import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Computer, readConfig, readConfigFiles } from '../../src/computer/index.js';
import { OfficeSession } from '../../src/cli/computer-shell/office-session.js';
import type { JsonObject } from '../../src/protocol/index.js';
import { Server, type Authenticator } from '../../src/server/index.js';
import { COMPUTER, OFFICE, officeServer, packageServer } from '../fixtures/computer/office.js';
import { OwnerShell, QUIET } from './shell-fixtures.js';

const EVERYTHING = packageServer('@modelcontextprotocol/server-everything', 'stdio');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'a2c-shell-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function file(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

describe('the shell of a Computer, of which nothing is changed', () => {
  let shell: OwnerShell;
  beforeAll(async () => {
    shell = await OwnerShell.open({
      ...QUIET,
      servers: {
        everything: { ...EVERYTHING, tool_meta: { echo: { alias: 'say' } }, forbidden_tools: ['get-env'] },
        asking: officeServer({ only: [], moreTools: ['wait'] }, { default_tool_meta: {} }),
        broken: { command: 'a2c-no-such-program' },
        off: officeServer({}, { disabled: true }),
      },
      inputs: [
        { id: 'region', type: 'pickString', description: 'Where', options: ['eu', 'us'], default: 'eu' },
        { id: 'token', type: 'promptString', description: 'The token', password: true },
      ],
    });
  });
  afterAll(async () => {
    await shell[Symbol.asyncDispose]();
  });

  it('shows connection, office and MCP servers with status', async () => {
    const screen = await shell.type('status');
    expect(screen).toMatch(new RegExp(`computer +${COMPUTER}`));
    expect(screen).toMatch(new RegExp(`server +${shell.office.url}, connected`));
    expect(screen).toMatch(new RegExp(`office +"${OFFICE}"`));
    expect(screen).toMatch(/everything +running +\d+/);
    expect(screen).toMatch(/broken +failed .*a2c-no-such-program/);
    expect(screen).toMatch(/off +disabled/);
    expect(await shell.value('status')).toMatchObject({
      name: COMPUTER,
      connected: true,
      office: OFFICE,
      paused: null,
    });
  });

  it('lists tools, and those with a word in them', async () => {
    expect(await shell.type('tools')).toMatch(/^TOOL +SERVER +DESCRIPTION\nsay +everything /);
    expect((await shell.type('tools sum')).split('\n')).toHaveLength(3);
    expect(await shell.type('tools nothing-like-it')).toBe('no tool has "nothing-like-it" in it\n');
    expect(await shell.value('tools sum')).toMatchObject([{ server: 'everything', name: 'get-sum' }]);
  });

  it('fits tables to the width', async () => {
    for (const line of (await shell.type('tools', 'status')).split('\n')) expect(line.length).toBeLessThanOrEqual(120);
  });

  it('shows a tool with its server, its own name and its schema', async () => {
    const screen = await shell.type('tool say');
    expect(screen).toMatch(/tool +say\nserver +everything\nown name +echo\nconfirmed +not asked for/);
    expect(screen).toContain('"message"');
  });

  it.each([
    ['tool echo', 'it has an alias: call it as say'],
    ['tool sya', 'there is no tool "sya"; did you mean "say"?'],
    ['tc get-env', '"get-env" is in forbidden_tools of "everything"; server edit everything takes it out'],
  ])('says for %j which cause applies', async (line, sentence) => {
    expect(await shell.type(line)).toContain(sentence);
  });

  it.each([
    'tc say message="hello world"',
    'tc say {"message":"hello world"}',
    'tc {"computer":"local","agent":"debug","req_id":"1","tool_name":"say","params":{"message":"hello world"},"timeout":30}',
  ])('calls a tool with %s', async (line) => {
    expect(await shell.type(line)).toMatch(/^Echo: hello world\nok in \d/);
  });

  it('calls a tool with a request or arguments in a file', async () => {
    const whole = await file('whole call.json', { tool_name: 'say', params: { message: 'from a file' } });
    const params = await file('params.json', { message: 'parameters' });
    expect(await shell.type(`tc "@${whole}"`)).toContain('Echo: from a file');
    expect(await shell.type(`tc say @${params}`)).toContain('Echo: parameters');
  });

  it('takes numbers for what they are where the schema wants them', async () => {
    expect(await shell.type('tc get-sum a=2 b=3')).toContain('The sum of 2 and 3 is 5');
  });

  it('answers a call that nobody confirms with how to let it run', async () => {
    const screen = await shell.type('tc wait');
    expect(screen).toContain('当前工具需要调用前进行二次确认');
    expect(screen).toContain('tool_meta.wait.auto_apply of "asking" lets it run without asking');
  });

  it('keeps calls in the history, without --whole on a line each', async () => {
    await shell.type('tc say message=remembered');
    expect(await shell.type('history 1')).toMatch(/TIME +AGENT .*\n.*\(owner\) +say +ok .*remembered/);
    expect(await shell.type('history 1 --whole')).toContain('answer: Echo: remembered');
    expect(await shell.type('history 0')).toContain('N: expected a whole number from 1 on');
  });

  it('shows inputs and values, what may be secret not', async () => {
    await shell.type('inputs value set token s3cr3t', 'inputs value set region us');
    expect(await shell.type('inputs list')).toMatch(/region +pickString +"us".*\ntoken +promptString +hidden/);
    expect(await shell.type('inputs value list', 'inputs value get token')).not.toContain('s3cr3t');
    expect(await shell.type('inputs get region')).toContain('"options"');
    expect(await shell.type('render {"a":"${input:region}","b":"${input:token}"}')).toBe(
      '{\n  "a": "us",\n  "b": "******"\n}\n',
    );
  });

  it.each([
    ['inputs value set region mars', /region/],
    ['inputs get tokne', /there is no input "tokne"; did you mean "token"\?/],
    ['inputs load {"id": 5', /INPUTS: .*line 1/s],
    ['inputs load @nowhere.json', /there is no such file|cannot read/],
    ['inputs add {"id":"token","type":"promptString"}', /there is an input "token" already; inputs update changes it/],
    ['inputs update {"id":"new","type":"promptString"}', /there is no input "new"/],
    ['render {"a":"${input:tokem}"}', /tokem/],
    ['start evrything', /there is no MCP server "evrything"; did you mean "everything"\?/],
    ['server add {"command":"x"}', /CONFIG: the name is missing/],
    ['server add [1]', /CONFIG: expected a JSON object/],
    ['socket join', /OFFICE is missing.*usage: socket join OFFICE \[NAME\].*example: socket join demo/s],
    ['tc', /TOOL is missing.*usage: tc/s],
    ['tc {"params":{}}', /tool_name is missing/],
    ['tc say message', /message/],
    ['desktop 1 2 3', /one word too many/],
    ['desktop 1 2', /one SIZE and one URI at most/],
    ['desktop 9999999999999999999', /SIZE: 9{19} is too large/],
    ['socket connect http://127.0.0.1:1 --token-file /nowhere/token', /--token-file: cannot read/],
    ['save', /FILE is missing/],
  ])('answers %j with what is wrong', async (line, sentence) => {
    expect(await shell.type(line)).toMatch(sentence);
  });

  it('stays connected when a credential file cannot be read', async () => {
    await shell.type('socket connect http://127.0.0.1:1 --token-file /nowhere/token');
    expect(shell.computer.connected).toBe(true);
  });

  it('shows the configuration, secrets masked', async () => {
    expect(await shell.type('mcp')).toMatch(/everything +stdio +\/.*node/);
    expect(await shell.type('mcp everything')).toContain('"forbidden_tools"');
    expect(await shell.value('mcp everything')).toMatchObject({ type: 'stdio', forbidden_tools: ['get-env'] });
  });

  it('says of each MCP server why nothing is on the desktop', async () => {
    const screen = await shell.type('desktop');
    expect(screen).toContain('no windows:\n  everything: it lists no window:// resources');
    expect(screen).toMatch(/broken: it is failed; start broken\n +off: it is disabled; enable off/);
    expect(await shell.type('desktop 0')).toBe('no windows: the size 0 asks for none\n');
  });

  it('pauses and resumes, and Agents are told', async () => {
    await shell.type('pause back at two');
    const call = shell.office.call('say', { message: 'x' });
    expect(JSON.stringify(await call)).toMatch(/back at two/);
    expect(await shell.type('status')).toMatch(/calls +paused: back at two/);
    await shell.type('resume');
    expect(await shell.type('status')).not.toContain('paused');
  });

  it('allows and denies', async () => {
    expect(await shell.type('deny * get-*')).toMatch(/deny +\* +get-\* +\*/);
    const call = shell.office.call('get-sum', { a: 1, b: 2 });
    expect(JSON.stringify(await call)).toContain('4002');
    expect(await shell.type('access')).toMatch(/deny/);
    expect(await shell.type('access clear')).toContain('every Agent of the office may call every tool');
  });

  it('stops the calls that run', async () => {
    expect(await shell.type('calls', 'stop calls')).toBe('no calls run now\nno calls run now\n');
    expect(await shell.type('stop calls 77')).toContain('there is no running call "77"');
  });

  it('lists and explains its commands', async () => {
    const overview = await shell.type('help');
    for (const word of [
      'status',
      'tools',
      'server add',
      'inputs load',
      'socket connect',
      'tc',
      'notify update',
      'quit',
    ]) {
      expect(overview).toMatch(new RegExp(`^${word}`, 'm'));
    }
    expect(await shell.type('help server add')).toMatch(/server add CONFIG\n {2}Add an MCP server.*Examples:/s);
    expect(await shell.type('? inputs value')).toMatch(/inputs value set ID \[VALUE\]/);
    expect(await shell.type('help nonsense')).toContain('there is no command "nonsense"');
  });

  it('keeps no argument that may be secret with the past lines', async () => {
    shell.remembered.length = 0;
    await shell.type(
      'tools',
      ' status',
      'inputs value set token hunter2',
      'tc say message=hunter2',
      'render {"header":"Bearer hunter2"}',
      'nonsense hunter2',
    );
    expect(shell.remembered).toEqual(['tools', 'inputs value set', 'tc', 'render']);
  });
});

describe('the shell of a Computer', () => {
  let shell: OwnerShell;
  let config: string;
  beforeEach(async () => {
    config = await file(
      'mcp.json',
      `{\n  // mine\n  "servers": {\n    "one": ${JSON.stringify(officeServer())}\n  },\n  "inputs": []\n}\n`,
    );
    shell = await OwnerShell.open({ ...QUIET, servers: { one: officeServer() } }, { files: [config] });
  });
  afterEach(async () => {
    await shell[Symbol.asyncDispose]();
  });

  const states = (): JsonObject =>
    Object.fromEntries(shell.computer.servers().map(({ server, state }) => [server, state]));

  it('starts, stops, enables and disables MCP servers', async () => {
    await shell.type('stop one');
    expect(states()).toEqual({ one: 'stopped' });
    expect(await shell.type('tc echo')).toMatch(/which is stopped: start one/);
    await shell.type('start all');
    expect(states()).toEqual({ one: 'running' });
    expect(await shell.type('restart one')).toBe('one: restarted\n');
    await shell.type('disable one');
    expect(states()).toEqual({ one: 'disabled' });
    await shell.type('start all');
    expect(states()).toEqual({ one: 'disabled' });
    await shell.type('enable one');
    expect(states()).toEqual({ one: 'running' });
  });

  it('adds, changes and removes MCP servers, and saves that among the comments of the file', async () => {
    const two = JSON.stringify({ name: 'two words', ...officeServer() });
    expect(await shell.type(`server add ${two}`)).toContain('two words: added');
    expect(states()).toEqual({ one: 'running', 'two words': 'running' });
    expect(await shell.type('save')).toBe(`written: ${config}\n`);
    const saved = await readFile(config, 'utf8');
    expect(saved).toContain('// mine');
    expect(saved).toContain('"two words"');
    expect(await shell.type('save')).toBe('nothing is different from the configuration file\n');
    await shell.type(`server edit "two words" ${JSON.stringify(officeServer({}, { disabled: true }))}`);
    expect(states()).toEqual({ one: 'running', 'two words': 'disabled' });
    await shell.type('server remove "two words"', 'save');
    expect(await readFile(config, 'utf8')).not.toContain('two words');
    expect(await readFile(config, 'utf8')).toContain('// mine');
  });

  it('adds several MCP servers from a file of another host', async () => {
    const { server_parameters: parameters } = officeServer() as { server_parameters: JsonObject };
    const path = await file('other.json', { mcpServers: { a: parameters, b: parameters } });
    await shell.type(`server add @${path}`);
    expect(states()).toEqual({ one: 'running', a: 'running', b: 'running' });
  });

  it('saves the whole configuration to another file, not over one that is there', async () => {
    const path = join(folder, 'copy of it.json');
    expect(await shell.type(`save "${path}"`)).toBe(`written: ${path}\n`);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ servers: { one: { type: 'stdio' } } });
    expect(await shell.type(`save "${path}"`)).toContain('exists; replace it with --force');
    expect(await shell.type(`save --force "${path}"`)).toBe(`written: ${path}\n`);
  });

  it.each([
    ['an array', [{ id: 'a', type: 'promptString' }]],
    ['one object', { id: 'a', type: 'promptString' }],
    ['what a configuration file has', { inputs: [{ id: 'a', type: 'promptString' }] }],
  ])('loads inputs from a file with %s', async (_what, content) => {
    const path = await file('inputs.json', content);
    expect(await shell.type(`inputs load @${path}`, 'inputs list')).toMatch(/a +promptString +none yet/);
    await shell.type('inputs load []');
    expect(await shell.type('inputs list')).toContain('no inputs: inputs load @FILE');
  });

  it('takes no input of a file in which one is wrong', async () => {
    const path = await file('wrong.json', [
      { id: 'a', type: 'promptString' },
      { id: 'b', type: 'nonsense' },
    ]);
    expect(await shell.type(`inputs load @${path}`)).toMatch(/inputs\[1\]/);
    expect(await shell.type(`inputs add @${path}`)).toMatch(/inputs\[1\]/);
    expect(await shell.type('inputs add [{"id":"a","type":"promptString"},{"id":"a","type":"promptString"}]')).toMatch(
      /inputs\[1\]\.id: another input has this id/,
    );
    expect(shell.computer.inputs()).toEqual([]);
  });

  it('waits no longer for a server that does not come up than its owner does', async () => {
    const line = shell.begin(
      `server add ${JSON.stringify({ name: 'slow', ...officeServer({ ignored: ['initialize'] }) })}`,
    );
    await expect.poll(states).toEqual({ one: 'running', slow: 'starting' });
    line.interrupt();
    await line.ended;
    await shell.shows(/^not waited for any more; it goes on, status shows how far it is\n$/);
    expect(await shell.type('server rm slow')).toBe('slow: removed\n');
  });

  it.each(['server add {"x":{"command":"false"},"y":{"command":"false"}}', 'restart broken', 'restart all'])(
    'has failed where %s has, as scripts must know',
    async (line) => {
      await shell.computer.addServer('broken', { command: 'false' }).catch(() => undefined);
      expect(shell.shell.failed).toBe(false);
      expect(await shell.type(line)).toMatch(/error: /);
      expect(shell.shell.failed).toBe(true);
    },
  );

  it('says of a server that is added and does not start that it is there all the same', async () => {
    expect(await shell.type('server add {"name":"x y","command":"false"}')).toMatch(
      /^error: x y: .*it is added all the same: server edit "x y" mends it/,
    );
    expect(await shell.type('server add {"name":"z","command":5}')).toMatch(/^error: servers\.z\.command: expected/);
  });

  it('saves to the file that has it what was changed, to the last one what is new, and nothing else', async () => {
    const base = `{
  // base
  "mcpServers": {
    "one": { "command": "false" }, // one
    "gone": { "command": "false" },
    "both": { "command": "false" }
  },
  "inputs": [
    // a, of the base
    { "id": "a", "type": "promptString" },
    { "id": "b", "type": "promptString" },
    { "id": "c", "type": "promptString" }
  ]
}
`;
    const mine = '{ "servers": { "both": { "command": "false", "disabled": true } } } // mine\n';
    const files = [await file('base.json', base), await file('mine.json', mine)];
    const read = (): Promise<string[]> => Promise.all(files.map((path) => readFile(path, 'utf8')));
    const config = await readConfigFiles(files);
    await using other = await OwnerShell.open({ ...QUIET }, { files });
    // What is about these servers is their configuration alone.
    await other.computer.setConfig(config);
    expect(await other.type('save')).toBe('nothing is different from the configuration file\n');
    expect(await read()).toEqual([base, mine]);
    await other.type('disable one', 'server rm gone', 'inputs rm b');
    await other.type('inputs update {"id":"c","type":"promptString","description":"C"}');
    await other.type('inputs add {"id":"new","type":"promptString"}');
    await other.type('server add {"name":"new","command":"false","disabled":true}');
    expect(await other.type('save')).toBe(files.map((path) => `written: ${path}\n`).join(''));
    const [baseNow = '', mineNow = ''] = await read();
    expect(baseNow).toContain('"one": { "command": "false", "disabled": true }, // one');
    expect(baseNow).not.toMatch(/gone|"b"|new|server_parameters/);
    expect(baseNow).toMatch(/\/\/ base\n[^]*\/\/ a, of the base\n[^]*"C"/);
    expect(mineNow).not.toMatch(/"one"|"a"|"c"/);
    expect(mineNow).toMatch(/"both": \{ "command": "false", "disabled": true \}[^]*"new"[^]*\/\/ mine\n$/);
    expect((await readConfigFiles(files)).inputs).toEqual(readConfig(other.computer.configuration()).inputs);
    expect(await other.type('save')).toBe('nothing is different from the configuration file\n');
  });

  it('leaves, joins, disconnects and connects', async () => {
    expect(await shell.type('socket leave', 'socket status')).toMatch(/connected +yes\noffice +none/);
    expect(await shell.type('socket leave')).toContain('this Computer is in no office');
    expect(await shell.type('notify update')).toContain('this Computer is in no office');
    await shell.type('socket join "other office" "new name"');
    expect(shell.computer.membership).toMatchObject({ officeId: 'other office', name: 'new name' });
    expect(await shell.type('notify update')).toBe('the office was told\n');
    await shell.type('socket disconnect');
    expect(shell.computer.connected).toBe(false);
    expect(await shell.type('socket join x')).toContain('there is no connection to a Server yet: socket connect first');
    expect(await shell.type('socket connect')).toContain(`connected to ${shell.office.url}`);
    expect(shell.computer.membership).toMatchObject({ officeId: OFFICE });
  });

  it('says what to do where an office cannot be joined', async () => {
    await using other = new Computer({ name: 'taken', url: shell.office.url });
    await other.connect();
    await other.joinOffice('elsewhere');
    expect(await shell.type('socket join elsewhere taken')).toMatch(
      /already in use.*a Computer of this name is there.*socket join OFFICE NAME takes another one/,
    );
    expect(await shell.type('socket join " "')).toMatch(/^error: OFFICE must be 1 to 256 characters/);
  });

  it('says why a Server cannot be reached, and goes on', async () => {
    await shell.type('socket join "other office" "new name"');
    expect(await shell.type('socket connect http://127.0.0.1:1')).toMatch(/ECONNREFUSED.*does the Server run/);
    expect(await shell.type('status')).toMatch(/not connected\noffice +not in "other office" at the moment/);
    expect(await shell.type('socket connect')).toContain(`connected to ${shell.office.url}`);
    expect(shell.computer.membership).toMatchObject({ officeId: 'other office', name: 'new name' });
  });

  it('gives a Server the token that was typed for it again, and another Server none', async () => {
    const seen: unknown[] = [];
    const authenticator: Authenticator = ({ token }) => seen.push(token) > 0;
    await using one = new Server({ authenticator });
    await using other = new Server({ authenticator });
    const [first, second] = [(await one.listen(0)).url, (await other.listen(0)).url];
    await using computer = new Computer({ name: 'own', token: 'of the command line' });
    await using session = new OfficeSession(computer, { url: first }, () => undefined);
    const { signal } = new AbortController();
    await session.connect({}, signal);
    await session.connect({ token: 'typed' }, signal);
    await session.connect({ url: first }, signal);
    await session.connect({ url: second }, signal);
    await session.connect({ url: first }, signal);
    expect(seen).toEqual(['of the command line', 'typed', 'typed', undefined, 'of the command line']);
  });

  it('shows what an MCP server wrote', async () => {
    expect(await shell.type('logs one')).toMatch(/one has written nothing|\n/);
    expect(await shell.type('logs two')).toContain('there is no MCP server "two"; there is one');
  });
});
