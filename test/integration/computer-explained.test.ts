import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  InputError,
  parseConfig,
  readConfig,
  ServerNotFoundError,
  type ServerLogLine,
} from '../../src/computer/index.js';
import { COMPUTER, Office, officeServer } from '../fixtures/computer/office.js';

describe('What a Computer tells its owner', () => {
  let office: Office;
  const prompted: string[] = [];

  beforeAll(async () => {
    office = await Office.open({
      prompt: (input) => {
        prompted.push(input.id);
        return Promise.resolve(input.id === 'number' ? 7 : 'canary-typed');
      },
      env: { ...process.env, A2C_SMCP_KEY: 'canary-env' },
      inputs: [
        { type: 'promptString', id: 'key', description: 'Key', password: true },
        { type: 'promptString', id: 'asked', description: 'Asked' },
        { type: 'promptString', id: 'number', description: 'Number' },
      ],
      servers: {
        windows: officeServer({
          resources: [
            { uri: 'window://a/one', name: 'one' },
            { uri: 'window://a/blob', name: 'blob' },
            { uri: 'window://a/broken', name: 'broken' },
            { uri: 'window:bad', name: 'bad' },
            { uri: 'dpe://a/doc', name: 'doc' },
          ],
          contents: { 'window://a/blob': [{ uri: 'window://a/blob', blob: 'AAAA' }] },
          unreadable: ['window://a/broken'],
          key: '${input:key}',
        }),
        mute: officeServer({
          only: ['hidden-here'],
          capabilities: { tools: {}, resources: {} },
          resources: [{ uri: 'window://m/x', name: 'x' }],
        }),
        off: officeServer({ only: ['dig'] }, { disabled: true, tool_meta: { dig: { tags: ['x'] } } }),
      },
    });
  });
  afterAll(async () => {
    await office[Symbol.asyncDispose]();
  });

  it('why the desktop is as it is', async () => {
    const { requireSubscribe, servers } = await office.computer.desktopStatus();
    expect(requireSubscribe).toBe(true);
    expect(servers).toEqual([
      {
        server: 'windows',
        state: 'running',
        declaresResources: true,
        declaresSubscribe: true,
        takesPart: true,
        resources: 5,
        windows: 3,
        shown: 1,
        dropped: [
          { uri: 'window:bad', problem: expect.stringContaining('no window URI') as string },
          { uri: 'window://a/blob', problem: 'has no text content' },
          { uri: 'window://a/broken', problem: expect.stringContaining('unreadable') as string },
        ],
      },
      {
        server: 'mute',
        state: 'running',
        declaresResources: true,
        declaresSubscribe: false,
        takesPart: false,
        resources: 1,
        windows: 1,
        shown: 0,
        dropped: [],
      },
      expect.objectContaining({ server: 'off', state: 'disabled', takesPart: false, resources: 0, shown: 0 }),
    ]);
    expect(await office.computer.desktop()).toHaveLength(1);
  });

  it('what a tool is, and why a name cannot be called', async () => {
    const { computer } = office;
    expect(computer.tool('echo')).toMatchObject({
      server: 'windows',
      originalName: 'echo',
      autoApply: true,
      listed: true,
    });
    expect(computer.tool('nobody')).toBeUndefined();
    expect(computer.explainTool('echo')).toBeUndefined();
    expect(computer.explainTool('dig')).toEqual({ cause: 'server-down', server: 'off', state: 'disabled' });
    expect(computer.explainTool('ehco')).toMatchObject({ cause: 'unknown', near: ['echo'] });
    await computer.setToolMeta('windows', 'echo', { alias: 'parrot' });
    expect(computer.explainTool('echo')).toMatchObject({ cause: 'renamed', exposedAs: 'parrot', server: 'windows' });
    await computer.setToolMeta('windows', 'echo', { alias: null });
    expect(computer.explainTool('echo')).toBeUndefined();
    await computer.stopServer('windows');
    expect(computer.explainTool('echo')).toEqual({ cause: 'server-down', server: 'windows', state: 'stopped' });
    await computer.startServer('windows');
  });

  it('what a server writes for a person, without secrets, over its restarts [F-B-stderr-redacted]', async () => {
    const { computer } = office;
    const lines: ServerLogLine[] = [];
    const off = computer.on('serverLog', (line) => void lines.push(line));
    const messages = [{ level: 'warning', logger: 'db', data: { token: 'canary-env' } }];
    await office.call('say', { stderr: 'says canary-env\nhalf', messages });
    await vi.waitFor(() => {
      expect(lines).toHaveLength(2);
    });
    expect(lines).toEqual(
      expect.arrayContaining([
        { server: 'windows', line: 'says ******', source: 'stderr' },
        { server: 'windows', line: '[warning] db: {"token":"******"}', source: 'mcp' },
      ]),
    );
    const log = computer.serverLog('windows');
    expect(log).toEqual(expect.arrayContaining(['says ******', '[warning] db: {"token":"******"}']));
    expect(log).not.toContain('half');
    await computer.restartServer('windows');
    expect(computer.serverLog('windows').filter((line) => line.startsWith('started with'))).not.toHaveLength(1);
    expect(computer.serverLog('windows')).toContain('half');
    off();
    expect(() => computer.serverLog('nobody')).toThrow(ServerNotFoundError);
  });

  it('what a value is once its placeholders are filled in, asking for what is missing', async () => {
    const { computer } = office;
    const value = { a: ['${input:asked}', 'k=${input:key}'], n: '${input:number}', 'x${input:key}': null };
    expect(await computer.render(value)).toEqual({
      a: ['canary-typed', 'k=canary-env'],
      n: 7,
      'x${input:key}': null,
    });
    expect(prompted).toEqual(['asked', 'number']);
    // What was typed is known to the redactor from now on.
    await office.call('say', { stderr: 'says canary-typed\n' });
    await vi.waitFor(() => {
      expect(computer.serverLog('windows').at(-1)).toBe('says ******');
    });
    await expect(computer.render('${input:aksed}')).rejects.toThrow(InputError);
    await expect(computer.render(['${input:asked} ${input:aksed}'])).rejects.toThrow(
      'Input "aksed": is not defined; did you mean "asked"?',
    );
    await expect(computer.render('${env:NOT_SET_HERE}')).rejects.toThrow(InputError);
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await expect(computer.render(circle)).rejects.toThrow(TypeError);
    await expect(computer.render('x', { signal: AbortSignal.abort(new Error('no')) })).rejects.toThrow('no');
  });

  it('changes what counts for a tool without a restart', async () => {
    const { computer } = office;
    const states: string[] = [];
    const off = computer.on('serverState', ({ server, state }) => states.push(`${server} ${state}`));
    await computer.setToolMeta('windows', 'echo', { auto_apply: false });
    expect(await office.call('echo')).toMatchObject({ meta: { error_code: 4005 } });
    await computer.setToolMeta('windows', 'echo', { auto_apply: true, tags: ['x'] });
    expect(await office.call('echo')).toMatchObject({ isError: false });
    expect(computer.tool('echo')?.meta).toEqual({ auto_apply: true, tags: ['x'] });
    off();
    expect(states).toEqual([]);
    await expect(computer.setToolMeta('nobody', 'echo', {})).rejects.toThrow(ServerNotFoundError);
    await expect(computer.setToolMeta('windows', 'echo', { auto_apply: 'yes' as never })).rejects.toThrow(
      /servers\.windows\.tool_meta\.echo\.auto_apply/,
    );
    expect(computer.tool('echo')?.meta).toEqual({ auto_apply: true, tags: ['x'] });
  });

  it('its configuration, with all that was changed, as a file would have it', async () => {
    const { computer } = office;
    await computer
      .addServer('10', { command: 'no-such-program', env: { KEY: 'literal-in-clear' } })
      .catch(() => undefined);
    await computer.disableServer('mute');
    await computer.setInput({ type: 'promptString', id: 'more', description: 'More' });
    const written = computer.configuration();
    expect(written.servers).toMatchObject({
      10: { server_parameters: { command: 'no-such-program', env: { KEY: 'literal-in-clear' } } },
      windows: { tool_meta: { echo: { auto_apply: true, tags: ['x'] } } },
      mute: { disabled: true },
    });
    expect(JSON.stringify(written)).toContain('${input:key}');
    expect(written.inputs.map(({ id }) => id)).toEqual(['key', 'asked', 'number', 'more']);
    expect([...readConfig(written).servers.keys()].sort()).toEqual(['10', 'mute', 'off', 'windows']);
    const read = parseConfig(computer.configurationText());
    expect([...read.servers.keys()]).toEqual(['windows', 'mute', 'off', '10']);
    // The same Computer: nothing of it is started anew.
    const states: unknown[] = [];
    const off = computer.on('serverState', (state) => states.push(state));
    await computer.setConfig(read);
    off();
    expect(states).toEqual([]);
    expect(computer.configuration()).toEqual(written);
    await computer.removeServer('10');
    expect(computer.configuration().servers).not.toHaveProperty('10');
  });
});

describe('notifyUpdate', () => {
  it('tells the office that configuration and tools may have changed, when the Computer is in one', async () => {
    await using office = await Office.open({ servers: {} });
    const { computer } = office;
    expect(computer.notifyUpdate()).toBe(true);
    await vi.waitFor(() => {
      expect(office.notices).toHaveLength(2);
    });
    expect(office.notices).toEqual([`update_tool_list ${COMPUTER}`, `update_config ${COMPUTER}`]);
    await computer.leaveOffice();
    expect(computer.notifyUpdate()).toBe(false);
    await computer.disconnect();
    expect(computer.notifyUpdate()).toBe(false);
  });
});
