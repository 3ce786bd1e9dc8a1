import { z } from 'zod';
import { nameSchema } from '../names.js';

const text = z.string({ error: 'expected a string' });

/** The two roles that join an office. Protocol §1. */
export const roleSchema = z.enum(['agent', 'computer'], { error: 'expected "agent" or "computer"' });
/** `agent` or `computer`. */
export type Role = z.infer<typeof roleSchema>;

/** `server:join_office`. Protocol §3.2. */
export const joinOfficeRequestSchema = z.looseObject({ role: roleSchema, name: nameSchema, office_id: nameSchema });
/** See {@link joinOfficeRequestSchema}. */
export type JoinOfficeRequest = z.infer<typeof joinOfficeRequestSchema>;

/** `server:leave_office`. Protocol §3.2. */
export const leaveOfficeRequestSchema = z.looseObject({ office_id: text });
/** See {@link leaveOfficeRequestSchema}. */
export type LeaveOfficeRequest = z.infer<typeof leaveOfficeRequestSchema>;

/** `server:update_config`, `server:update_tool_list`, `server:update_desktop`, and their notices. Protocol §3.2, §3.3. */
export const computerUpdateSchema = z.looseObject({ computer: text });
/** See {@link computerUpdateSchema}. */
export type ComputerUpdate = z.infer<typeof computerUpdateSchema>;

/** `server:list_room`. Protocol §3.2. */
export const listRoomRequestSchema = z.looseObject({ agent: text, req_id: text, office_id: text });
/** See {@link listRoomRequestSchema}. */
export type ListRoomRequest = z.infer<typeof listRoomRequestSchema>;

/** One member of an office, as `server:list_room` shows it. Protocol §3.2. */
export const sessionInfoSchema = z.looseObject({
  sid: text,
  name: text,
  role: roleSchema,
  office_id: text,
  a2c_version: text.nullish(),
});
/** See {@link sessionInfoSchema}. */
export type SessionInfo = z.infer<typeof sessionInfoSchema>;

/** Answer of `server:list_room`. Protocol §3.2. */
export const listRoomAnswerSchema = z.looseObject({ sessions: z.array(sessionInfoSchema), req_id: text.nullish() });
/** See {@link listRoomAnswerSchema}. */
export type ListRoomAnswer = z.infer<typeof listRoomAnswerSchema>;

/** `notify:enter_office` and `notify:leave_office`: exactly one of the two names is present. Protocol §3.3. */
export const memberNoticeSchema = z
  .looseObject({ office_id: text, computer: text.nullish(), agent: text.nullish() })
  .refine((notice) => (notice.computer == null) !== (notice.agent == null), {
    error: 'exactly one of "computer" and "agent" must be present',
  });
/** See {@link memberNoticeSchema}. */
export type MemberNotice = z.infer<typeof memberNoticeSchema>;
