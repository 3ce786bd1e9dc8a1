import type { z } from 'zod';
import {
  callToolResultSchema,
  DEFAULT_TIMEOUT_SECONDS,
  toolCallCancelSchema,
  toolCallRequestSchema,
} from './schemas/call.js';
import { getConfigAnswerSchema, getConfigRequestSchema } from './schemas/config.js';
import { getDesktopAnswerSchema, getDesktopRequestSchema } from './schemas/desktop.js';
import { getDpeAnswerSchema, getDpeRequestSchema } from './schemas/dpe.js';
import {
  computerUpdateSchema,
  joinOfficeRequestSchema,
  leaveOfficeRequestSchema,
  listRoomAnswerSchema,
  listRoomRequestSchema,
  memberNoticeSchema,
  type Role,
} from './schemas/office.js';
import { getResourcesAnswerSchema, getResourcesRequestSchema } from './schemas/resources.js';
import { getToolsAnswerSchema, getToolsRequestSchema } from './schemas/tools.js';

/** The Socket.IO namespace of the protocol. Protocol §2. */
export const NAMESPACE = '/smcp';

/** How much longer than the call's own budget the Server waits for its answer, in seconds. Protocol §5.2, §6.2. */
export const SERVER_GRACE_SECONDS = 5;

/** How long the Server waits for the answer of a call that has no budget of its own, in seconds. Protocol §5.2. */
export const GET_WAIT_SECONDS = 30;

/** A request of the Agent that the Server relays to one Computer. Protocol §3.1. */
interface CallRow<P extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> {
  readonly from: 'agent';
  readonly to: 'computer';
  readonly payload: P;
  readonly answer: A;
  /** How long the Server waits for the answer, in seconds. */
  readonly waitSeconds: (payload: z.output<P>) => number;
}

/** A request that the Server itself acts on. Protocol §3.2. */
interface CommandRow<P extends z.ZodType = z.ZodType> {
  readonly from: Role | 'both';
  readonly to: 'server';
  readonly payload: P;
  /** `outcome`: the two arguments of join and leave; `none`: an empty acknowledgement when one is asked for. */
  readonly ack: 'outcome' | 'answer' | 'none';
  /** The schema of the answer, where the acknowledgement carries one. */
  readonly answer?: z.ZodType;
  /** The notice that tells the rest of the office. */
  readonly notice?: NoticeEvent;
}

/** What the Server tells an office. Protocol §3.3. */
interface NoticeRow<P extends z.ZodType = z.ZodType> {
  readonly from: 'server';
  readonly to: 'both';
  readonly payload: P;
}

const call = <P extends z.ZodType, A extends z.ZodType>(
  payload: P,
  answer: A,
  waitSeconds: (payload: z.output<P>) => number = () => GET_WAIT_SECONDS,
): CallRow<P, A> => ({ from: 'agent', to: 'computer', payload, answer, waitSeconds });

const notice = <P extends z.ZodType>(payload: P): NoticeRow<P> => ({ from: 'server', to: 'both', payload });

/** `client:*`: Agent → Server → one Computer → back. Protocol §3.1. */
export const CALL_EVENTS = {
  'client:tool_call': call(
    toolCallRequestSchema,
    callToolResultSchema,
    (request) => request.timeout + SERVER_GRACE_SECONDS,
  ),
  'client:get_tools': call(getToolsRequestSchema, getToolsAnswerSchema),
  'client:get_config': call(getConfigRequestSchema, getConfigAnswerSchema),
  'client:get_desktop': call(getDesktopRequestSchema, getDesktopAnswerSchema),
  'client:get_resources': call(getResourcesRequestSchema, getResourcesAnswerSchema),
  'client:get_dpe': call(
    getDpeRequestSchema,
    getDpeAnswerSchema,
    (request) => (request.timeout ?? DEFAULT_TIMEOUT_SECONDS) + SERVER_GRACE_SECONDS,
  ),
} as const;

/** `notify:*`: Server → everyone in the office but the sender. Protocol §3.3. */
export const NOTICE_EVENTS = {
  'notify:enter_office': notice(memberNoticeSchema),
  'notify:leave_office': notice(memberNoticeSchema),
  'notify:update_config': notice(computerUpdateSchema),
  'notify:update_tool_list': notice(computerUpdateSchema),
  'notify:update_desktop': notice(computerUpdateSchema),
  'notify:tool_call_cancel': notice(toolCallCancelSchema),
} as const;

/** The name of a `client:*` event. */
export type CallEvent = keyof typeof CALL_EVENTS;
/** The name of a `notify:*` event. */
export type NoticeEvent = keyof typeof NOTICE_EVENTS;

/** `server:*`: client → Server. Protocol §3.2. */
export const COMMAND_EVENTS = {
  'server:join_office': {
    from: 'both',
    to: 'server',
    payload: joinOfficeRequestSchema,
    ack: 'outcome',
    notice: 'notify:enter_office',
  },
  'server:leave_office': {
    from: 'both',
    to: 'server',
    payload: leaveOfficeRequestSchema,
    ack: 'outcome',
    notice: 'notify:leave_office',
  },
  'server:update_config': {
    from: 'computer',
    to: 'server',
    payload: computerUpdateSchema,
    ack: 'none',
    notice: 'notify:update_config',
  },
  'server:update_tool_list': {
    from: 'computer',
    to: 'server',
    payload: computerUpdateSchema,
    ack: 'none',
    notice: 'notify:update_tool_list',
  },
  'server:update_desktop': {
    from: 'computer',
    to: 'server',
    payload: computerUpdateSchema,
    ack: 'none',
    notice: 'notify:update_desktop',
  },
  'server:tool_call_cancel': {
    from: 'agent',
    to: 'server',
    payload: toolCallCancelSchema,
    ack: 'none',
    notice: 'notify:tool_call_cancel',
  },
  'server:list_room': {
    from: 'agent',
    to: 'server',
    payload: listRoomRequestSchema,
    ack: 'answer',
    answer: listRoomAnswerSchema,
  },
} as const satisfies Record<string, CommandRow>;

/** The name of a `server:*` event. */
export type CommandEvent = keyof typeof COMMAND_EVENTS;

/** Every event of the protocol, one row each. Event maps, relay, handlers and documentation derive from it. Protocol §3. */
export const EVENTS = { ...CALL_EVENTS, ...COMMAND_EVENTS, ...NOTICE_EVENTS } as const;

/** The name of any event. */
export type EventName = keyof typeof EVENTS;
/** The payload of an event. */
export type Payload<E extends EventName> = z.output<(typeof EVENTS)[E]['payload']>;
/** The answer of a `client:*` event, as a reader takes it. */
export type Answer<E extends CallEvent> = z.output<(typeof CALL_EVENTS)[E]['answer']>;

/** Whether a name is that of a `client:*` event. */
export function isCallEvent(name: string): name is CallEvent {
  return Object.hasOwn(CALL_EVENTS, name);
}

/** Whether a name is that of a `server:*` event. */
export function isCommandEvent(name: string): name is CommandEvent {
  return Object.hasOwn(COMMAND_EVENTS, name);
}

/** Whether a name is that of a `notify:*` event. */
export function isNoticeEvent(name: string): name is NoticeEvent {
  return Object.hasOwn(NOTICE_EVENTS, name);
}
