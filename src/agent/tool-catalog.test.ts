import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SmcpTool } from '../protocol/index.js';
import { ToolCatalog } from './tool-catalog.js';

const tool = (name: string): SmcpTool => ({ name, description: '', params_schema: {}, return_schema: null, meta: {} });

describe('ToolCatalog', () => {
  it('keeps the tools of Computers that are there, in the order in which they came', () => {
    const catalog = new ToolCatalog();
    expect([catalog.add('b'), catalog.add('a'), catalog.add('b')]).toEqual([true, true, false]);
    expect(catalog.setTools('a', [tool('x')])).toBe(true);
    expect(catalog.setTools('b', [tool('x'), tool('y')])).toBe(true);
    expect(catalog.setTools('c', [tool('z')])).toBe(false);
    expect(catalog.computers).toEqual(['b', 'a']);
    expect(catalog.tools.map(({ computer, name }) => `${computer}.${name}`)).toEqual(['b.x', 'b.y', 'a.x']);
    expect([catalog.remove('b'), catalog.remove('b')]).toEqual([true, false]);
    expect(catalog.tools).toEqual([{ ...tool('x'), computer: 'a' }]);
    catalog.clear();
    expect([catalog.computers, catalog.tools]).toEqual([[], []]);
  });

  it('gives the same list until something changes, and lists that nobody can change', () => {
    const catalog = new ToolCatalog();
    catalog.add('a');
    const before = catalog.tools;
    expect(catalog.tools).toBe(before);
    catalog.setTools('a', [tool('x')]);
    expect(catalog.tools).not.toBe(before);
    expect(before).toEqual([]);
    expect(Object.isFrozen(catalog.tools)).toBe(true);
  });

  it("the Computer's name wins over a field of the tool", () => {
    const catalog = new ToolCatalog();
    catalog.add('a');
    catalog.setTools('a', [{ ...tool('x'), computer: 'forged' } as SmcpTool]);
    expect(catalog.tools[0]?.computer).toBe('a');
  });

  it('holds after any sequence what a plain model holds', () => {
    const name = fc.constantFrom('a', 'b', '__proto__');
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('add' as const, 'remove' as const), name }),
      fc.record({ kind: fc.constant('set' as const), name, tools: fc.array(fc.constantFrom('x', 'y')) }),
    );
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const catalog = new ToolCatalog();
        const model = new Map<string, string[]>();
        for (const one of steps) {
          if (one.kind === 'add' && catalog.add(one.name)) model.set(one.name, []);
          if (one.kind === 'remove') expect(catalog.remove(one.name)).toBe(model.delete(one.name));
          if (one.kind === 'set' && catalog.setTools(one.name, one.tools.map(tool))) model.set(one.name, one.tools);
        }
        expect(catalog.computers).toEqual([...model.keys()]);
        const expected = [...model].flatMap(([computer, tools]) => tools.map((t) => [computer, t]));
        expect(catalog.tools.map((t) => [t.computer, t.name])).toEqual(expected);
      }),
    );
  });
});
