import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { GuardedWebServer, type Refusal } from '../fixtures/computer/guarded-web-server.js';
import { Office, officeServer, textOf } from '../fixtures/computer/office.js';

const challenge = { 'www-authenticate': 'Bearer error="invalid_token", scope="canary-scope"' };
const scope = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="canary-scope"' };

describe('Authorization of MCP servers', () => {
  let web: GuardedWebServer;
  let office: Office;

  beforeAll(async () => {
    web = await GuardedWebServer.open();
    const config = { url: `${web.url}?key=canary-query`, type: 'http', default_tool_meta: { auto_apply: true } };
    office = await Office.open({ servers: { web: config, local: officeServer({ only: ['echo'] }) } });
  });
  beforeEach(() => {
    web.refusals.clear();
  });
  afterAll(async () => {
    await office[Symbol.asyncDispose]();
    await web[Symbol.asyncDispose]();
  });

  const cases: [string, Refusal, number][] = [
    ['HTTP 401 with a challenge', { status: 401, headers: challenge }, 4006],
    ['HTTP 401 without a challenge', { status: 401, body: 'canary-body' }, 4006],
    ['HTTP 403', { status: 403, body: 'canary-body' }, 4007],
    ['HTTP 403 for want of scope', { status: 403, headers: scope }, 4007],
    ['HTTP 502 that talks of auth', { status: 502, body: 'unauthorized: auth gateway 401' }, 4003],
    ['HTTP 500', { status: 500 }, 4003],
    ['a cut connection', 'cut', 4003],
  ];
  it.each(cases)(
    'answers %s with its code, the server and a hint without secrets [R-6.5-required] [R-6.5-failed] [R-6.5-provider-down] [R-6.5-meta] [F-G-auth-by-status]',
    async (_what, refusal, code) => {
      web.refusals.set('tools/call', refusal);
      const result = await office.call('work');
      expect(result).toMatchObject({ isError: true, meta: { error_code: code } });
      if (code !== 4003) {
        expect(result['meta']).toMatchObject({
          mcp_server: 'web',
          auth_hint: { message: expect.any(String) as string },
        });
      }
      expect(JSON.stringify(result)).not.toContain('canary');
      expect(await office.callJson('echo', { other: 1 })).toEqual({ other: 1 });
    },
  );

  it('works again once the server takes the credentials', async () => {
    await office.computer.restartServer('web');
    expect(await office.call('work')).toMatchObject({ isError: false });
  });

  it('knows the tools of a server that waits for a login, names it for others, and asks it no more [F-G-login-absent]', async () => {
    web.refusals.set('initialize', { status: 401, headers: challenge });
    await expect(office.computer.restartServer('web')).rejects.toThrow();
    const { tools } = await office.ask('client:get_tools');
    expect(tools).toMatchObject([{ name: 'echo' }]);
    expect(await office.call('work')).toMatchObject({ isError: true, meta: { error_code: 4006, mcp_server: 'web' } });
    const unknown = await office.call('never-listed');
    expect(unknown).toMatchObject({ isError: true, meta: { error_code: 4001 } });
    expect(textOf(unknown)).toContain('web');
    const asked = web.methods.length;
    await office.call('work');
    expect(web.methods).toHaveLength(asked);
  });
});
