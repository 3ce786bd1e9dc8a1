import { describe, expect, it } from 'vitest';
import { JoinRefusedError, RequestTimeoutError, type Agent } from '../../agent/index.js';
import { ErrorCode, failedCall, ProtocolError, type JsonObject } from '../../protocol/index.js';
import { COMMAND_LINE, shellGuide } from './guide.js';
import { whyCallFailed, whyFailed, whyNotJoined, type Failed } from './why-failed.js';

/** An office with tools by Computer, as far as looking into a failure asks for it; `undefined`: nobody answers. */
function office(computers: Readonly<Record<string, readonly string[]>> | undefined): Pick<Failed, 'agent'> {
  const unanswered = (): Promise<never> => Promise.reject(new RequestTimeoutError('x', 1));
  const agent = {
    listRoom: () =>
      computers === undefined
        ? unanswered()
        : Promise.resolve(Object.keys(computers).map((name) => ({ role: 'computer', name }))),
    getTools: (name: string) => Promise.resolve((computers?.[name] ?? []).map((tool) => ({ name: tool }))),
    getConfig: () => Promise.resolve({ servers: { files: {}, web: {} }, inputs: [] }),
  };
  return { agent: agent as unknown as Agent };
}

const THERE = office({ laptop: ['echo', 'read_file'], desk: ['print'] });

function failed(about: Partial<Failed> = {}): Failed {
  const signal = new AbortController().signal;
  return { ...THERE, office: 'demo', signal, guide: COMMAND_LINE, computer: 'laptop', seconds: 60, ...about };
}

function timedOut(ack?: unknown): [JsonObject, Partial<Failed>] {
  return [failedCall('not answered', { timeout: true, a2c_timeout: true }), { tool: 'echo', ack }];
}

describe('whyCallFailed', () => {
  it.each<[string, readonly [JsonObject, Partial<Failed>], RegExp]>([
    [
      'the Server gave up, and the Computer is there',
      timedOut({ code: 408 }),
      /^the Server has given up, and "laptop" is in the office: it is busy, hangs, or waits for its owner; a2c agent call laptop echo --timeout 300 … gives/,
    ],
    [
      'neither side answered',
      timedOut(),
      /^neither the Computer nor the Server has answered, and "laptop" is in the office/,
    ],
    [
      'the Computer has left',
      [timedOut()[0], { ...timedOut()[1], ...office({ desk: [] }) }],
      /"laptop" has left the office \(there is "desk"\); does it run\?/,
    ],
    [
      'the Server says nothing at all',
      [timedOut()[0], { ...timedOut()[1], ...office(undefined) }],
      /the Server does not say who is there: is the connection good\?/,
    ],
    [
      'there is no more time to be had',
      [failedCall('x', { error_code: ErrorCode.ToolTimedOut }), { tool: 'echo', seconds: 3_600 }],
      /3600 s is all that a call can have/,
    ],
    [
      'the tool has nearly that name',
      [failedCall('x', { error_code: ErrorCode.ToolNotFound }), { tool: 'readfile' }],
      /did you mean "read_file"\? a2c agent tools laptop lists them/,
    ],
    [
      'another Computer has it',
      [failedCall('x', { error_code: ErrorCode.ToolNotFound }), { tool: 'print' }],
      /"desk" has it: a2c agent call desk print/,
    ],
    [
      'the tool has come meanwhile',
      [failedCall('x', { error_code: ErrorCode.ToolNotFound }), { tool: 'echo' }],
      /it is in the list now: try again/,
    ],
    [
      'the MCP server wants a login',
      [failedCall('x', { error_code: ErrorCode.ToolAuthorizationRequired, mcp_server: 'my files' }), { tool: 'echo' }],
      /to log in there \(login "my files" in its shell, or a2c computer login "my files"\)/,
    ],
    [
      'the owner is to be asked',
      [failedCall('x', { error_code: ErrorCode.ToolRequiresConfirmation }), { tool: 'echo' }],
      /ask the owner of the Computer .*auto_apply/,
    ],
  ])('says that %s', async (_, [result, about], expected) => {
    expect(await whyCallFailed(result, failed(about))).toMatch(expected);
  });

  it.each([
    ['a result that is none', { content: [], isError: false }],
    ['a tool that failed by itself', { content: [], isError: true }],
    ['a code that says all', failedCall('x', { error_code: ErrorCode.ToolExecutionFailed })],
    ['a code of another version', failedCall('x', { error_code: 4999 })],
  ])('says nothing about %s', async (_, result) => {
    expect(await whyCallFailed(result, failed({ tool: 'echo' }))).toBeUndefined();
  });
});

describe('whyFailed', () => {
  it.each<[string, unknown, Partial<Failed>, RegExp]>([
    ['the name is nearly right', new ProtocolError(404, 'x'), { computer: 'lapto' }, /did you mean "laptop"\?/],
    ['nobody is like that', new ProtocolError(404, 'x'), { computer: 'zzz' }, /^there is "laptop", "desk"$/],
    ['it has come meanwhile', new ProtocolError(404, 'x'), {}, /"laptop" is there now: try again/],
    ['nobody is there', new ProtocolError(404, 'x'), office({}), /is that the right office\? a2c computer run/],
    [
      'the MCP server is another',
      new ProtocolError(404, 'x', { mcp_server_name: 'file' }),
      {},
      /did you mean "files"\?/,
    ],
    [
      'no MCP server is like that',
      new ProtocolError(4014, 'x', { mcp_server_name: 'zzz' }),
      {},
      /there is "files", "web"/,
    ],
    ['nobody answered', new RequestTimeoutError('x', 1), {}, /it is busy or hangs; --timeout 300 gives it more time/],
  ])('says that %s', async (_, error, about, expected) => {
    expect(await whyFailed(error, failed(about))).toMatch(expected);
  });

  it('says nothing about what it does not know, or is about no Computer', async () => {
    expect(await whyFailed(new Error('x'), failed())).toBeUndefined();
    expect(await whyFailed(new ProtocolError(404, 'x'), failed({ computer: undefined }))).toBeUndefined();
    expect(await whyFailed('x', failed())).toBeUndefined();
  });

  it('writes the next command as it is typed where the person is', async () => {
    const result = failedCall('x', { error_code: ErrorCode.ToolNotFound });
    const inShell = failed({ tool: 'ecko', guide: shellGuide(() => 'laptop') });
    expect(await whyCallFailed(result, inShell)).toBe('did you mean "echo"? tools lists them');
    const other = failed({ tool: 'ecko', guide: shellGuide(() => 'desk') });
    expect(await whyCallFailed(result, other)).toBe('did you mean "echo"? tools --computer laptop lists them');
  });

  it('ends with the signal', async () => {
    const stopped = AbortSignal.abort(new Error('stopped'));
    const about = { ...office(undefined), signal: stopped };
    await expect(whyFailed(new ProtocolError(404, 'x'), failed(about))).rejects.toThrow('stopped');
  });
});

describe('whyNotJoined', () => {
  it.each([
    [4101, /room for one.*does not say which Agent it is.*--office/],
    [403, /is the name "agent-1" taken\? --name gives another one/],
    [400, /check --office and --name/],
    [4102, /^undefined$/],
  ])('knows what to do about %i', (code, expected) => {
    expect(String(whyNotJoined(new JoinRefusedError('demo', `x (${code})`, code), 'agent-1'))).toMatch(expected);
  });
});
