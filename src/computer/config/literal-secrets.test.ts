import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../protocol/index.js';
import { literalSecretsOf, replaceLiteralSecrets } from './literal-secrets.js';

const masked = (parameters: JsonObject): JsonObject => replaceLiteralSecrets(parameters, ({ name }) => `<${name}>`);

describe('literal secrets in parameters', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ env: { GITHUB_TOKEN: 'x1' } }, { env: { GITHUB_TOKEN: '<GITHUB_TOKEN>' } }],
    [{ env: { DB_PASS: 'hunter' } }, { env: { DB_PASS: '<DB_PASS>' } }],
    [{ env: { ODD: 'ab12-cd34-what' } }, { env: { ODD: '<ODD>' } }],
    [{ env: { ODD: 'correcthorsebattery' } }, { env: { ODD: '<ODD>' } }],
    [{ env: { ODD: 'ab12cd.ef34gh' } }, { env: { ODD: '<ODD>' } }],
    [{ env: { WEBHOOK_URL: 'https://h/a/b' } }, { env: { WEBHOOK_URL: '<WEBHOOK_URL>' } }],
    [{ env: { ODD: 'two words' } }, { env: { ODD: '<ODD>' } }],
    [{ env: { DATABASE_URL: 'postgres://u:p@h/db' } }, { env: { DATABASE_URL: '<DATABASE_URL>' } }],
    [{ headers: { Authorization: 'Bearer abc' } }, { headers: { Authorization: 'Bearer <Authorization>' } }],
    [{ headers: { 'X-Api-Key': 'abc' } }, { headers: { 'X-Api-Key': '<X-Api-Key>' } }],
    [{ args: ['--api-key', 'abc', '--port', '80'] }, { args: ['--api-key', '<api-key>', '--port', '80'] }],
    [{ args: ['--token=abc', 'A_KEY=v', 'x=y'] }, { args: ['--token=<token>', 'A_KEY=<A_KEY>', 'x=y'] }],
    [
      { args: ['--header', 'Authorization: Bearer abc'] },
      { args: ['--header', 'Authorization: Bearer <Authorization>'] },
    ],
    [{ args: ['--token', 'QWJjMTIz=='] }, { args: ['--token', '<token>'] }],
    [{ args: ['ghp_abcdefgh12345'] }, { args: ['<args>'] }],
    [{ args: ['mongodb://u:p@h/x?authSource=a'] }, { args: ['mongodb://<password>@h/x?authSource=<authSource>'] }],
    [{ url: 'https://h/mcp?key=abc&region=eu' }, { url: 'https://h/mcp?key=<key>&region=eu' }],
    [{ url: 'https://h/mcp/Ab1Cd2Ef3Gh4Ij5Kl6Mn7/sse' }, { url: 'https://h/mcp/<url>/sse' }],
    [
      { url: 'https://u:${env:P}@h', oauth: { client_id: 'c', client_secret: 's' } },
      { url: 'https://<password>@h', oauth: { client_id: 'c', client_secret: '<client_secret>' } },
    ],
    [{ env: { T_TOKEN: 'pre-${input:t}' } }, { env: { T_TOKEN: '<T_TOKEN>' } }],
  ])('are found in %j', (parameters, expected) => {
    expect(masked(parameters)).toEqual(expected);
  });

  it.each<JsonObject>([
    { env: { HOME: '/home/x', PATH: '/a:/b', LOG_LEVEL: 'debug', NODE_ENV: 'production' } },
    { env: { PORT: '8080', MAX_TOKENS: '4096', DEBUG: 'true', TOKEN_FILE: '/run/secrets/x', EMPTY: '' } },
    {
      env: {
        API_URL: 'https://api.example.com/v1',
        BASE: './data',
        HOST: 'db.example.com:5432',
        REGION: 'eu-central-1',
      },
    },
    { env: { A: '${env:A}', B: '${input:b}', C: '${env:HOME}/data' }, headers: { Authorization: 'Bearer ${input:t}' } },
    { headers: { Accept: 'text/event-stream', 'X-Region': 'eu' } },
    { args: ['-y', '@modelcontextprotocol/server-filesystem@2026.8.31', '/data/2024-01-31', '--port=80', '--verbose'] },
    { url: 'https://mcp.example.com/v1/mcp?region=eu' },
    { command: 'npx', cwd: '/x', envFile: '.env' },
  ])('are not %j', (parameters) => {
    expect(literalSecretsOf(parameters)).toEqual([]);
    expect(masked(parameters)).toEqual(parameters);
  });

  it('are found whatever holds them, and however they are made', () => {
    const letters = fc.string({
      unit: fc.constantFrom(...Array.from('abcXYZ019_-+=!#~')),
      minLength: 10,
      maxLength: 40,
    });
    // A word, a number or a version may be told apart from a key; what mixes them may not.
    const keys = letters.filter(
      (text) => !text.startsWith('--') && /[a-z]/i.test(text) && /\d[a-z]/i.test(text) && /[a-z]\d/i.test(text),
    );
    const names = fc.string({ unit: fc.constantFrom(...Array.from('ABQX_')), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(keys, names, (key, name) => {
        const shown = JSON.stringify(
          masked({
            env: { [name]: key, B: `https://u:${encodeURIComponent(key)}@h` },
            headers: { [name]: `Bearer ${key}` },
            args: [`--${name}-key=${key}`, '--token', key],
            url: `https://h/?${name}=${encodeURIComponent(key)}`,
          }),
        );
        expect(shown).not.toContain(key);
        expect(shown).not.toContain(encodeURIComponent(key));
      }),
      { numRuns: 1_000 },
    );
  });
});
