import type { Role } from '../protocol/index.js';

/** A value, or a promise of it: a registry may live in this process or be shared between several. */
export type Awaitable<T> = T | Promise<T>;

/** One member of an office. Protocol §1, §3.2. */
export interface Member {
  /** The id of the member's connection. */
  readonly sid: string;
  readonly role: Role;
  readonly name: string;
  readonly officeId: string;
  /** The protocol version that the member's connection was opened with. */
  readonly a2cVersion: string;
}

/** Why a join was refused. */
export type JoinRefusal = 'agent-seat-taken' | 'name-taken' | 'in-another-office';

/** What came of a join. */
export type JoinOutcome =
  /** In, for the first time or after `left`: the office or the name that was given up for it. */
  | { readonly kind: 'joined'; readonly left?: Member }
  /** Was there already under that name. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'refused'; readonly because: JoinRefusal };

/**
 * Who is in which office, under which name. It holds the rules of Protocol §1: at most one Agent per office, Computer
 * names unique within an office, a connection in at most one office. Methods may return promises, so that several
 * Servers can share one registry; each must be atomic.
 */
export interface OfficeRegistry {
  /**
   * Claims a place, all or nothing: of several joins that race for one seat or name exactly one wins, and a refused one
   * changes nothing. A Computer that is elsewhere moves, an Agent is refused; under a new name in the same office the
   * member is renamed, and its old name is free at once.
   */
  join(member: Member): Awaitable<JoinOutcome>;
  /** Gives a connection's place up. @returns the member that it was. */
  leave(sid: string): Awaitable<Member | undefined>;
  /** The Computer of that name in an office. Agents are not found by name. */
  find(officeId: string, name: string): Awaitable<Member | undefined>;
  /** Everyone in an office: the Agent, then the Computers in the order in which they came. */
  members(officeId: string): Awaitable<readonly Member[]>;
}

interface Office {
  agent: Member | undefined;
  readonly computers: Map<string, Member>;
}

/** The registry of a Server that stands alone: plain maps, every method synchronous. */
export class MemoryOfficeRegistry implements OfficeRegistry {
  readonly #offices = new Map<string, Office>();
  /** By connection. */
  readonly #members = new Map<string, Member>();

  join(member: Member): JoinOutcome {
    const current = this.#members.get(member.sid);
    const stays = current?.officeId === member.officeId && current.role === member.role;
    if (stays && current.name === member.name) return { kind: 'unchanged' };
    const because = this.#objection(member, current);
    if (because !== undefined) return { kind: 'refused', because };
    if (current === undefined) {
      this.#put(member);
      return { kind: 'joined' };
    }
    this.#remove(current);
    this.#put(member);
    return { kind: 'joined', left: current };
  }

  leave(sid: string): Member | undefined {
    const member = this.#members.get(sid);
    if (member !== undefined) this.#remove(member);
    return member;
  }

  find(officeId: string, name: string): Member | undefined {
    return this.#offices.get(officeId)?.computers.get(name);
  }

  members(officeId: string): readonly Member[] {
    const office = this.#offices.get(officeId);
    if (office === undefined) return [];
    return [...(office.agent === undefined ? [] : [office.agent]), ...office.computers.values()];
  }

  #objection(member: Member, current: Member | undefined): JoinRefusal | undefined {
    const office = this.#offices.get(member.officeId);
    if (member.role === 'agent') {
      if (current !== undefined && current.officeId !== member.officeId) return 'in-another-office';
      return office?.agent === undefined || office.agent.sid === member.sid ? undefined : 'agent-seat-taken';
    }
    const holder = office?.computers.get(member.name);
    return holder === undefined || holder.sid === member.sid ? undefined : 'name-taken';
  }

  #put(member: Member): void {
    const office = this.#offices.get(member.officeId) ?? { agent: undefined, computers: new Map<string, Member>() };
    this.#offices.set(member.officeId, office);
    if (member.role === 'agent') office.agent = member;
    else office.computers.set(member.name, member);
    this.#members.set(member.sid, member);
  }

  #remove(member: Member): void {
    this.#members.delete(member.sid);
    const office = this.#offices.get(member.officeId);
    if (office === undefined) return;
    if (member.role === 'agent') office.agent = undefined;
    else office.computers.delete(member.name);
    // An office exists while someone is in it.
    if (office.agent === undefined && office.computers.size === 0) this.#offices.delete(member.officeId);
  }
}
