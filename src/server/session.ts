import type { Socket } from 'socket.io';
import type { Role } from '../protocol/index.js';
import type { Member } from './office-registry.js';

/**
 * The time that a connection spends in one office. A new object for every entry, the same across renames: calls
 * remember the stay they belong to, so that nothing learnt in one office shows in the next.
 */
export interface Stay {
  /** The member as the registry knows it; replaced by a rename. */
  member: Member;
  /** The Socket.IO room of the office. */
  readonly room: string;
}

/**
 * The Socket.IO room of an office. Every socket's id is a room as well; the prefix keeps an office that is named like
 * one from receiving that member's traffic.
 */
export function officeRoom(officeId: string): string {
  return `office:${officeId}`;
}

/** What a connection said about itself when it was opened. */
export interface SessionOrigin {
  /** `a2c_version` of the URL query. */
  readonly a2cVersion: string;
  /** `auth.role`, where it was sent. */
  readonly declaredRole: Role | undefined;
}

/** What the Server knows of one connection. The identity in broadcasts and errors comes from here, never from payloads. */
export class Session {
  readonly socket: Socket;
  readonly a2cVersion: string;
  #role: Role | undefined;
  #stay: Stay | undefined;
  #held: (readonly unknown[])[] | undefined;
  #change: Promise<void> | undefined;
  #closed = false;

  constructor(socket: Socket, origin: SessionOrigin) {
    this.socket = socket;
    this.a2cVersion = origin.a2cVersion;
    this.#role = origin.declaredRole;
  }

  /** The id of the connection. */
  get sid(): string {
    return this.socket.id;
  }

  /** Fixed by `auth.role` or else by the first join that succeeds. Protocol §1. */
  get role(): Role | undefined {
    return this.#role;
  }

  /** Where the connection is at present. */
  get stay(): Stay | undefined {
    return this.#stay;
  }

  /** Whether the connection is gone. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Enters an office, or takes a new name in the one it is in. */
  enter(member: Member): Stay {
    this.#role = member.role;
    if (this.#stay?.member.officeId === member.officeId) this.#stay.member = member;
    else this.#stay = { member, room: officeRoom(member.officeId) };
    return this.#stay;
  }

  /** Is in no office from now on. */
  exit(): void {
    this.#stay = undefined;
  }

  /** The connection is gone for good. */
  close(): void {
    this.#closed = true;
    this.#held = undefined;
  }

  /** The join or leave under way. */
  get change(): Promise<void> | undefined {
    return this.#change;
  }

  /** Remembers a join or leave under way. */
  track(change: Promise<void>): void {
    this.#change = change;
  }

  /** Lets events wait from now on: a join or leave is under way. */
  hold(): void {
    this.#held ??= [];
  }

  /** Keeps an event for later. @returns false when nothing is under way, so that it can be handled now. */
  defer(args: readonly unknown[]): boolean {
    this.#held?.push(args);
    return this.#held !== undefined;
  }

  /** The change is over. @returns what has waited, in its order; from now on nothing waits. */
  resume(): readonly (readonly unknown[])[] {
    const held = this.#held ?? [];
    this.#held = undefined;
    this.#change = undefined;
    return held;
  }
}
