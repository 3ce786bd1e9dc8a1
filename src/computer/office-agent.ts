import { checkPayload, NOTICE_EVENTS, readIncoming, type Logger } from '../protocol/index.js';
import type { HandlerTarget } from './handlers.js';
import { messageOf } from './hosting.js';

/**
 * The name of the office's Agent, as far as the Server told of it: notices carry the name of the session, which the Server
 * checked at the join, while a call carries what the Agent wrote. Only an Agent that enters while this Computer is
 * there is known; one that was there first is not. Protocol §3.1, §3.3.
 */
export class OfficeAgent {
  #known: { readonly officeId: string; readonly name: string } | undefined;

  /** Listens to the notices of a connection. */
  register(target: HandlerTarget, logger: Logger): void {
    for (const event of ['notify:enter_office', 'notify:leave_office'] as const) {
      target.handle(event, (args) => {
        try {
          const { office_id: officeId, agent } = checkPayload(NOTICE_EVENTS[event].payload, readIncoming(args).payload);
          if (agent != null) this.#known = event === 'notify:enter_office' ? { officeId, name: agent } : undefined;
        } catch (error) {
          logger.debug({ event, problem: messageOf(error) }, 'A notice of a member cannot be read');
        }
      });
    }
  }

  /**
   * What was known may not hold any more: notices were or will be missed.
   *
   * @param officeId - only what is known of this office; absent: of any.
   */
  forget(officeId?: string): void {
    if (officeId === undefined || this.#known?.officeId === officeId) this.#known = undefined;
  }

  /** The name of the Agent of an office; `undefined` when it is not known. */
  nameIn(officeId: string | undefined): string | undefined {
    return this.#known?.officeId === officeId ? this.#known?.name : undefined;
  }
}
