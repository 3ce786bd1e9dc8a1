import { describe, expect, it } from 'vitest';
import { hasPlaceholder } from '../inputs/placeholders.js';
import { parseConfig } from '../index.js';
import { readOAuth } from './oauth-settings.js';

describe('the field "oauth"', () => {
  it.each([
    [undefined, {}],
    [true, {}],
    [false, false],
    [
      { client_id: 'a', client_secret: 's', scope: 'x y', redirect_port: 8080 },
      { clientId: 'a', clientSecret: 's', scope: 'x y', redirectPort: 8080 },
    ],
    [
      { clientId: 'a', clientSecret: 's', scopes: ['x', 'y'], callbackPort: '8080' },
      { clientId: 'a', clientSecret: 's', scope: 'x y', redirectPort: 8080 },
    ],
    [{ client_id: null, unknown: 1 }, {}],
  ])('is read from %j', (oauth, settings) => {
    expect(readOAuth({ oauth })).toEqual({ settings });
  });

  it('leaves texts with placeholders for later', () => {
    expect(readOAuth({ oauth: { redirect_port: '${input:port}', client_id: 'a' } }, hasPlaceholder)).toEqual({
      settings: { clientId: 'a' },
    });
  });

  it.each([
    ['{ "oauth": "yes" }', 'servers.a.oauth: expected an object, or false for no login'],
    ['{ "oauth": { "client_id": "" } }', 'servers.a.oauth.client_id: expected a text that is not empty'],
    ['{ "oauth": { "scope": 7 } }', 'servers.a.oauth.scope: expected a text or a list of texts'],
    ['{ "oauth": { "redirect_port": 70000 } }', 'servers.a.oauth.redirect_port: expected a port from 1 to 65535'],
    ['{ "oauth": { "callbackPort": "x" } }', 'servers.a.oauth.callbackPort: expected a port'],
  ])('is refused with its path: %s', (fields, problem) => {
    const text = `{ "servers": { "a": { "url": "http://h/mcp", ${fields.slice(1)} } }`;
    expect(() => parseConfig(text)).toThrow(problem);
  });
});
