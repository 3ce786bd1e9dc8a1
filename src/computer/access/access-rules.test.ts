import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAllowed, readAccessRules, type AccessQuestion, type AccessRule, type AccessRules } from './access-rules.js';

const question: AccessQuestion = { agent: 'ann', server: 'files', tools: ['read', 'read_file'] };

const name = fc.constantFrom('ann', 'bob', 'a*', '*', 'files', 'read', 'read_*', 'web');
const rule: fc.Arbitrary<AccessRule> = fc
  .record({ agent: name, tool: name, server: name }, { requiredKeys: [] })
  .filter((one) => Object.keys(one).length > 0);
const list = fc.array(rule, { maxLength: 4 });
const asked: fc.Arbitrary<AccessQuestion> = fc.record({
  agent: fc.constantFrom('ann', 'bob', ''),
  server: fc.constantFrom('files', 'web'),
  tools: fc.constantFrom(['read'], ['read', 'read_file'], ['fetch', 'get']),
});

describe('isAllowed', () => {
  it.each<[string, AccessRules, boolean]>([
    ['no rules', {}, true],
    ['empty lists', { allow: [], deny: [] }, true],
    ['an allowed name', { allow: [{ tool: 'read' }] }, true],
    ['the own name of an aliased tool', { allow: [{ tool: 'read_file' }] }, true],
    ['another allowed tool', { allow: [{ tool: 'write' }] }, false],
    ['one of several allowed', { allow: [{ tool: 'write' }, { server: 'f*' }] }, true],
    ['an allow rule of which a part does not fit', { allow: [{ tool: 'read', agent: 'bob' }] }, false],
    ['a deny rule', { deny: [{ agent: 'ann' }] }, false],
    ['a deny rule of which a part does not fit', { deny: [{ agent: 'ann', server: 'web' }] }, true],
    ['both', { allow: [{ agent: '*' }], deny: [{ tool: 'read_*' }] }, false],
  ])('%s', (_, rules, allowed) => {
    expect(isAllowed(rules, question)).toBe(allowed);
  });

  it('never lets through what a deny rule alone forbids, whatever is allowed', () => {
    fc.assert(
      fc.property(list, list, asked, (allow, deny, call) => {
        if (!isAllowed({ deny }, call)) expect(isAllowed({ allow, deny }, call)).toBe(false);
      }),
    );
  });

  it('lets no more through for another deny rule, and no less for another allow rule', () => {
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), list, rule, asked, (allow, deny, more, call) => {
        const now = isAllowed({ allow, deny }, call);
        if (!now) expect(isAllowed({ allow, deny: [...deny, more] }, call)).toBe(false);
        else expect(isAllowed({ allow: [...allow, more], deny }, call)).toBe(true);
      }),
    );
  });

  it('is decided by the rules and not by their order', () => {
    fc.assert(
      fc.property(list, list, asked, (allow, deny, call) => {
        const turned = { allow: [...allow].reverse(), deny: [...deny].reverse() };
        expect(isAllowed(turned, call)).toBe(isAllowed({ allow, deny }, call));
      }),
    );
  });
});

describe('readAccessRules', () => {
  it('gives a copy of what is right', () => {
    fc.assert(
      fc.property(list, list, (allow, deny) => {
        const rules = { allow, deny };
        const read = readAccessRules(rules);
        expect(read).toEqual(rules);
        expect(read.allow).not.toBe(allow);
      }),
    );
    expect(readAccessRules({})).toEqual({});
  });

  it.each<[unknown, string]>([
    [null, 'access: expected an object'],
    [[], 'access: expected an object'],
    ['*', 'access: expected an object'],
    [{ denied: [] }, 'access: does not know "denied"; there are "allow", "deny"'],
    [{ deny: {} }, 'access.deny: expected a list'],
    [{ deny: null }, 'access.deny: expected a list'],
    [{ allow: ['read'] }, 'access.allow[0]: expected an object'],
    [
      { allow: [{ tool: 'a' }, { tol: 'b' }] },
      'access.allow[1]: does not know "tol"; there are "agent", "tool", "server"',
    ],
    [{ allow: [{ tool: 3 }] }, 'access.allow[0].tool: expected a name'],
    [{ allow: [{ agent: '' }] }, 'access.allow[0].agent: expected a name'],
    [{ allow: [{}] }, 'access.allow[0]: names neither agent, tool nor server'],
    [{ deny: [{ tool: undefined }] }, 'access.deny[0]: names neither agent, tool nor server'],
  ])('refuses %j, naming the field', (given, message) => {
    expect(() => readAccessRules(given)).toThrow(TypeError);
    expect(() => readAccessRules(given)).toThrow(message);
  });
});
