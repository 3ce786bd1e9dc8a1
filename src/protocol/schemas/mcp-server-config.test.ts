import { describe, expect, it } from 'vitest';
import { describeIssues, mcpServerConfigSchema } from '../index.js';

const common = { disabled: false, forbidden_tools: [], tool_meta: {}, default_tool_meta: null, vrl: null };

function refusal(config: unknown): string | undefined {
  const { error } = mcpServerConfigSchema.safeParse(config);
  return error && describeIssues(error);
}

describe('the configuration of an MCP server', () => {
  it('[R-7.1-defaults] over stdio needs name, type and command', () => {
    const config = { name: 's', type: 'stdio', server_parameters: { command: 'node' } };
    expect(mcpServerConfigSchema.parse(config)).toEqual({
      ...common,
      name: 's',
      type: 'stdio',
      server_parameters: {
        command: 'node',
        args: [],
        env: null,
        cwd: null,
        encoding: 'utf-8',
        encoding_error_handler: 'strict',
      },
    });
  });

  it('[R-7.1-defaults] over SSE needs name, type and url', () => {
    const config = { name: 's', type: 'sse', server_parameters: { url: 'http://h/sse' } };
    expect(mcpServerConfigSchema.parse(config)).toEqual({
      ...common,
      name: 's',
      type: 'sse',
      server_parameters: { url: 'http://h/sse', headers: null, timeout: 5, sse_read_timeout: 300 },
    });
  });

  it('[R-7.1-defaults] over streamable HTTP needs name, type and url', () => {
    const config = { name: 's', type: 'streamable', server_parameters: { url: 'http://h/mcp' } };
    expect(mcpServerConfigSchema.parse(config)).toEqual({
      ...common,
      name: 's',
      type: 'streamable',
      server_parameters: {
        url: 'http://h/mcp',
        headers: null,
        timeout: 'PT30S',
        sse_read_timeout: 'PT5M',
        terminate_on_close: true,
      },
    });
  });

  it('[R-7.1-defaults] takes durations as ISO 8601 or as seconds in both HTTP transports', () => {
    for (const type of ['sse', 'streamable']) {
      for (const timeout of [7, '7', 'PT7S']) {
        expect(refusal({ name: 's', type, server_parameters: { url: 'u', timeout } })).toBeUndefined();
      }
    }
  });

  it('keeps what is written, defaults or not, and unknown fields', () => {
    const config = {
      name: 's',
      type: 'stdio',
      disabled: true,
      forbidden_tools: ['rm'],
      tool_meta: { ls: { alias: 'list', owner: 'ops' } },
      default_tool_meta: { auto_apply: true },
      vrl: '.a = 1',
      note: 'mine',
      server_parameters: {
        command: 'x',
        args: ['-a'],
        env: { K: '${input:k}' },
        cwd: '/',
        encoding: 'latin1',
        encoding_error_handler: 'replace',
        shell: false,
      },
    };
    expect(mcpServerConfigSchema.parse(config)).toEqual(config);
  });

  const stdio = (more: object, parameters: object = {}): unknown => ({
    name: 's',
    type: 'stdio',
    server_parameters: { command: 'c', ...parameters },
    ...more,
  });
  const http = (parameters: object): unknown => ({ name: 's', type: 'streamable', server_parameters: parameters });

  it.each<[unknown, RegExp]>([
    [null, /^payload: /],
    [{}, /^type: expected "stdio", "sse" or "streamable"$/],
    [stdio({ type: 'http' }), /^type: expected "stdio"/],
    [stdio({ name: '' }), /^name: must not be empty$/],
    [stdio({ disabled: 'no' }), /^disabled: expected true or false$/],
    [stdio({ forbidden_tools: 'rm' }), /^forbidden_tools: expected a list of tool names$/],
    [stdio({ tool_meta: [] }), /^tool_meta: expected an object keyed by tool name$/],
    [stdio({ tool_meta: { ls: 'x' } }), /^tool_meta\.ls: expected an object$/],
    [stdio({ server_parameters: null }), /^server_parameters: /],
    [stdio({}, { command: '' }), /^server_parameters\.command: must not be empty$/],
    [stdio({}, { args: ['a', 1] }), /^server_parameters\.args\.1: expected a string$/],
    [stdio({}, { env: { A: 1 } }), /^server_parameters\.env\.A: expected a string$/],
    [http({}), /^server_parameters\.url: expected a string$/],
    [http({ url: 'u', timeout: 'soon' }), /^server_parameters\.timeout: expected seconds or an ISO 8601 duration/],
    [http({ url: 'u', timeout: -1 }), /^server_parameters\.timeout: expected seconds/],
    [http({ url: 'u', timeout: null }), /^server_parameters\.timeout: expected seconds/],
    [http({ url: 'u', headers: ['a'] }), /^server_parameters\.headers: expected an object of strings$/],
    [http({ url: 'u', terminate_on_close: 1 }), /^server_parameters\.terminate_on_close: expected true or false$/],
  ])('%j is refused with the field and what it should be', (config, message) => {
    expect(refusal(config)).toMatch(message);
  });
});
