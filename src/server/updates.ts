import type { COMMAND_EVENTS, CommandEvent, NoticeEvent, Payload } from '../protocol/index.js';
import type { EventLog } from './event-log.js';
import type { Member } from './office-registry.js';
import { officeRoom, type Session, type Stay } from './session.js';

/** A `server:*` event that becomes a notice and nothing else. */
export type UpdateEvent = {
  [E in CommandEvent]: (typeof COMMAND_EVENTS)[E]['ack'] extends 'none' ? E : never;
}[CommandEvent];

/** Sends a notice to everyone in a room but one connection. */
export type Broadcast = (room: string, exceptSid: string, event: NoticeEvent, payload: object) => void;

/** The notices of an office: who came and went, what changed. Identities come from the session. Protocol §3.3. */
export class Updates {
  readonly #broadcast: Broadcast;
  readonly #log: EventLog;

  constructor(broadcast: Broadcast, log: EventLog) {
    this.#broadcast = broadcast;
    this.#log = log;
  }

  /** `server:update_*` and `server:tool_call_cancel`, told to the rest of the office. Protocol §3.2. */
  update(session: Session, stay: Stay, notice: NoticeEvent, payload: Payload<UpdateEvent>): void {
    const { role, name } = stay.member;
    const told = role === 'computer' ? { computer: name } : { agent: name, req_id: payload.req_id };
    this.#send(session, stay.room, notice, told);
  }

  /** The member is in. */
  entered(session: Session, member: Member): void {
    this.#send(session, officeRoom(member.officeId), 'notify:enter_office', memberNotice(member));
  }

  /** The member is about to go, or to change its name. */
  leaving(session: Session, member: Member): void {
    this.#send(session, officeRoom(member.officeId), 'notify:leave_office', memberNotice(member));
  }

  #send(session: Session, room: string, event: NoticeEvent, payload: object): void {
    this.#log.notified(session, event);
    this.#broadcast(room, session.sid, event, payload);
  }
}

function memberNotice({ role, name, officeId }: Member): object {
  return role === 'agent' ? { office_id: officeId, agent: name } : { office_id: officeId, computer: name };
}
