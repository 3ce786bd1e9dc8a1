import {
  checkPayload,
  NOTICE_EVENTS,
  readIncoming,
  type Logger,
  type NoticeEvent,
  type Payload,
} from '../protocol/index.js';
import type { OfficeConnection } from '../client/index.js';

/** What an Agent does with the notices of its office. */
export interface NoticeSink {
  readonly entered: (computer: string) => void;
  readonly left: (computer: string) => void;
  readonly configChanged: (computer: string) => void;
  readonly toolsChanged: (computer: string) => void;
  readonly desktopChanged: (computer: string) => void;
}

/** Takes in the notices of the office; malformed ones are logged and ignored. Protocol §3.3, §3.4. */
export function takeNotices(connection: Pick<OfficeConnection, 'handle'>, sink: NoticeSink, logger: Logger): void {
  const take = <E extends NoticeEvent>(event: E, act: (payload: Payload<E>) => void): void => {
    connection.handle(event, (args) => {
      const payload = read(event, args, logger);
      if (payload !== undefined) act(payload);
    });
  };
  // A notice names a Computer or an Agent; an Agent's own office has no other Agent.
  take('notify:enter_office', ({ computer }) => {
    if (computer != null) sink.entered(computer);
  });
  take('notify:leave_office', ({ computer }) => {
    if (computer != null) sink.left(computer);
  });
  take('notify:update_config', ({ computer }) => {
    sink.configChanged(computer);
  });
  take('notify:update_tool_list', ({ computer }) => {
    sink.toolsChanged(computer);
  });
  take('notify:update_desktop', ({ computer }) => {
    sink.desktopChanged(computer);
  });
}

function read<E extends NoticeEvent>(event: E, args: readonly unknown[], logger: Logger): Payload<E> | undefined {
  try {
    return checkPayload(NOTICE_EVENTS[event].payload, readIncoming(args).payload) as Payload<E>;
  } catch (error) {
    logger.warn({ event, error: String(error) }, 'Ignored a malformed notice');
    return undefined;
  }
}
