import {
  checkPayload,
  ErrorCode,
  ProtocolError,
  type JoinOfficeRequest,
  type ListRoomAnswer,
  type Outcome,
  type Payload,
  type ProtocolProfile,
} from '../protocol/index.js';
import type { JoinRefusal, Member, OfficeRegistry } from './office-registry.js';
import type { Relay } from './relay.js';
import { officeRoom, type Session, type Stay } from './session.js';
import type { Updates } from './updates.js';

/** What the handlers work with. */
export interface OfficeHandlersOptions {
  readonly registry: OfficeRegistry;
  readonly relay: Relay;
  readonly updates: Updates;
  readonly profile: ProtocolProfile;
}

const REFUSALS: Record<JoinRefusal, (member: Member) => string> = {
  'agent-seat-taken': () => 'Room already has an agent (4101)',
  'name-taken': (member) => `Computer name already in use in this office: ${member.name} (403)`,
  'in-another-office': () => 'Already in another office, leave it first (403)',
};

const JOINED: Outcome = { ok: true };

function refused(reason: string): Outcome {
  return { ok: false, reason };
}

/** A refusal of {@link ProtocolError} as the sentence of join and leave: it ends with the code. Protocol §3.2. */
function asReason(error: unknown): string {
  if (error instanceof ProtocolError) return `${error.message} (${error.code})`;
  throw error;
}

/** Join, leave and list: who is in which office. Protocol §1, §3.2. */
export class OfficeHandlers {
  readonly #options: OfficeHandlersOptions;

  constructor(options: OfficeHandlersOptions) {
    this.#options = options;
  }

  /** `server:join_office`. A refused join leaves no trace. */
  async join(session: Session, payload: unknown): Promise<Outcome> {
    const { profile, registry } = this.#options;
    let request: JoinOfficeRequest;
    try {
      request = checkPayload(profile.commands['server:join_office'].payload, payload);
    } catch (error) {
      return refused(asReason(error));
    }
    const { role, name, office_id: officeId } = request;
    if (session.role !== undefined && session.role !== role) return refused('Role mismatch (403)');
    const member = { sid: session.sid, role, name, officeId, a2cVersion: session.a2cVersion };
    const outcome = await registry.join(member);
    if (session.closed) {
      // The connection went while a shared registry was asked: nobody else would give the place up.
      await registry.leave(session.sid);
      return refused('Not in this office (4103)');
    }
    if (outcome.kind === 'refused') return refused(REFUSALS[outcome.because](member));
    if (outcome.kind === 'joined') await this.#enter(session, member, outcome.left);
    return JOINED;
  }

  /** `server:leave_office`: out of the session's own office. */
  async leave(session: Session, payload: unknown): Promise<Outcome> {
    const { stay } = session;
    if (stay === undefined) return refused('Not in this office (4103)');
    try {
      const request = checkPayload(this.#options.profile.commands['server:leave_office'].payload, payload);
      if (request.office_id !== stay.member.officeId) return refused('Not in this office (4103)');
    } catch (error) {
      return refused(asReason(error));
    }
    this.#options.updates.leaving(session, stay.member);
    this.#exit(session, stay);
    await session.socket.leave(stay.room);
    await this.#options.registry.leave(session.sid);
    return JOINED;
  }

  /** `server:list_room`: everyone in the Agent's own office. */
  async listRoom(stay: Stay, request: Payload<'server:list_room'>): Promise<ListRoomAnswer> {
    const { officeId } = stay.member;
    if (request.office_id !== officeId) {
      throw new ProtocolError(ErrorCode.CrossRoomAccess, 'Only the own office can be listed');
    }
    const members = await this.#options.registry.members(officeId);
    const sessions = members.map((member) => ({
      sid: member.sid,
      name: member.name,
      role: member.role,
      office_id: member.officeId,
      a2c_version: member.a2cVersion,
    }));
    return { sessions, req_id: request.req_id };
  }

  /** A connection is going: its notice, its calls, its name. */
  async disconnected(session: Session): Promise<void> {
    const { stay } = session;
    if (stay !== undefined) {
      this.#options.updates.leaving(session, stay.member);
      this.#exit(session, stay, 'disconnected');
    }
    // Also without a stay: a join or a move may have been under way.
    await this.#options.registry.leave(session.sid);
    // One that is still under way gives up by itself what it gets.
    await session.change;
  }

  /** Everyone goes at once: each is told of every other one, and nobody is in an office afterwards. */
  dissolve(sessions: readonly Session[]): void {
    for (const session of sessions) {
      if (session.stay !== undefined) this.#options.updates.leaving(session, session.stay.member);
    }
    for (const session of sessions) {
      session.exit();
      // Whoever is still joining is turned away.
      session.close();
    }
  }

  async #enter(session: Session, member: Member, left: Member | undefined): Promise<void> {
    const { updates } = this.#options;
    const previous = session.stay;
    if (left !== undefined) updates.leaving(session, left);
    if (previous !== undefined && previous.member.officeId !== member.officeId) {
      this.#exit(session, previous);
      await session.socket.leave(previous.room);
      if (session.closed) return;
    }
    session.enter(member);
    await session.socket.join(officeRoom(member.officeId));
    // One that went meanwhile was said goodbye to already.
    if (!session.closed) updates.entered(session, member);
  }

  #exit(session: Session, stay: Stay, how: 'disconnected' | 'left the office' = 'left the office'): void {
    session.exit();
    if (stay.member.role === 'computer') this.#options.relay.dropTarget(session, how);
  }
}
