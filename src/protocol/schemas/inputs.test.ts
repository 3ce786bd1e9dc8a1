import { describe, expect, it } from 'vitest';
import { describeIssues, mcpServerInputSchema } from '../index.js';

describe('an input of the configuration', () => {
  it.each([
    { type: 'promptString', id: 'key', description: 'API key', password: true, default: null },
    { type: 'pickString', id: 'region', description: '', options: ['eu', 'us'], default: 'eu' },
    { type: 'command', id: 'token', description: '', command: 'vault', args: ['read', 'x'] },
    { type: 'command', id: 'token', description: '', command: 'vault', args: { '--path': 'x' } },
    { type: 'command', id: 'token', description: '', command: 'a | b', timeout: 'PT5S', shell: true },
    { type: 'promptString', id: 'key', description: '', group: 'kept' },
  ])('is read as written: %j', (input) => {
    expect(mcpServerInputSchema.parse(input)).toEqual(input);
  });

  it('may do without a description', () => {
    expect(mcpServerInputSchema.parse({ type: 'promptString', id: 'key' })).toMatchObject({ description: '' });
  });

  it.each<[unknown, RegExp]>([
    [{ id: 'a' }, /^type: expected "promptString", "pickString" or "command"$/],
    [{ type: 'promptString' }, /^id: expected a string$/],
    [{ type: 'promptString', id: '' }, /^id: must not be empty$/],
    [{ type: 'promptString', id: 'a', password: 'yes' }, /^password: expected true or false$/],
    [{ type: 'pickString', id: 'a' }, /^options: expected a list of strings$/],
    [{ type: 'command', id: 'a' }, /^command: expected a string$/],
    [{ type: 'command', id: 'a', command: 'x', args: 'y' }, /^args: expected a list or a map of strings$/],
    [{ type: 'command', id: 'a', command: 'x', timeout: 'soon' }, /^timeout: expected seconds or an ISO 8601 duration/],
    [{ type: 'command', id: 'a', command: 'x', shell: 1 }, /^shell: expected true or false$/],
  ])('%j is refused with the field', (input, message) => {
    const { error } = mcpServerInputSchema.safeParse(input);
    expect(error && describeIssues(error)).toMatch(message);
  });
});
