import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryOfficeRegistry, type Member } from './office-registry.js';

const member = (over: Partial<Member> = {}): Member => ({
  sid: 's1',
  role: 'computer',
  name: 'laptop',
  officeId: 'office',
  a2cVersion: '0.2.0',
  ...over,
});

describe('MemoryOfficeRegistry', () => {
  it('finds Computers by name within their office, never Agents', () => {
    const registry = new MemoryOfficeRegistry();
    registry.join(member());
    registry.join(member({ sid: 's2', role: 'agent', name: 'boss' }));
    expect(registry.find('office', 'laptop')?.sid).toBe('s1');
    expect(registry.find('office', 'boss')).toBeUndefined();
    expect(registry.find('elsewhere', 'laptop')).toBeUndefined();
  });

  it('tells what was given up for a move or a rename', () => {
    const registry = new MemoryOfficeRegistry();
    const first = member();
    expect(registry.join(first)).toEqual({ kind: 'joined' });
    expect(registry.join(member())).toEqual({ kind: 'unchanged' });
    const renamed = member({ name: 'desk' });
    expect(registry.join(renamed)).toEqual({ kind: 'joined', left: first });
    expect(registry.join(member({ name: 'desk', officeId: 'two' }))).toEqual({ kind: 'joined', left: renamed });
    expect(registry.leave('s1')).toMatchObject({ name: 'desk', officeId: 'two' });
    expect(registry.leave('s1')).toBeUndefined();
  });

  it('takes names as they are', () => {
    const registry = new MemoryOfficeRegistry();
    for (const name of ['__proto__', 'constructor', 'toString']) {
      expect(registry.find(name, name)).toBeUndefined();
      expect(registry.join(member({ sid: name, name, officeId: name }))).toEqual({ kind: 'joined' });
      expect(registry.find(name, name)?.sid).toBe(name);
    }
  });
});

/** What an office may look like, told in the simplest way: a list of members. */
class Model {
  members: Member[] = [];

  join(candidate: Member): 'joined' | 'unchanged' | 'refused' {
    const current = this.members.find(({ sid }) => sid === candidate.sid);
    if (current?.officeId === candidate.officeId && current.name === candidate.name) return 'unchanged';
    const others = this.members.filter(({ sid, officeId }) => sid !== candidate.sid && officeId === candidate.officeId);
    const taken =
      candidate.role === 'agent'
        ? (current !== undefined && current.officeId !== candidate.officeId) ||
          others.some(({ role }) => role === 'agent')
        : others.some(({ role, name }) => role === 'computer' && name === candidate.name);
    if (taken) return 'refused';
    this.leave(candidate.sid);
    this.members.push(candidate);
    return 'joined';
  }

  leave(sid: string): void {
    this.members = this.members.filter((present) => present.sid !== sid);
  }
}

const SIDS = ['a1', 'a2', 'a3', 'c1', 'c2', 'c3', 'c4'] as const;
const OFFICES = ['one', 'two', '__proto__'] as const;

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      sid: fc.constantFrom(...SIDS),
      name: fc.constantFrom('x', 'y'),
      officeId: fc.constantFrom(...OFFICES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ sid: fc.constantFrom(...SIDS) }) },
);

describe('any sequence of joins and leaves', () => {
  it('keeps one Agent per office, unique Computer names, one office per connection; refusals change nothing', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const registry = new MemoryOfficeRegistry();
        const model = new Model();
        for (const action of steps) {
          if ('officeId' in action) {
            const candidate = member({ ...action, role: action.sid.startsWith('a') ? 'agent' : 'computer' });
            expect(registry.join(candidate).kind).toBe(model.join(candidate));
          } else {
            registry.leave(action.sid);
            model.leave(action.sid);
          }
          const present = OFFICES.flatMap((office) => registry.members(office));
          const bySid = (list: readonly Member[]): Member[] => list.toSorted((a, b) => a.sid.localeCompare(b.sid));
          expect(bySid(present)).toEqual(bySid(model.members));
          for (const { role, name, officeId, sid } of present) {
            if (role === 'computer') expect(registry.find(officeId, name)?.sid).toBe(sid);
          }
        }
      }),
    );
  });
});
