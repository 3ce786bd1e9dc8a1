import type { ToolCallRequest } from '../../protocol/index.js';
import type { Coalescer } from '../coalesce.js';
import type { ToolRoute } from '../hosting.js';
import { Cancellation } from '../mcp/cancellation.js';
import type { CallProgress } from './call-progress.js';

/** The name that stands for an Agent's in calls that the owner of the Computer makes; they are marked `local` too. */
export const OWNER = '(owner)';

/** Whom a call came from. */
export interface CallOrigin {
  /**
   * The Agent's name: the one under which it entered the office where this Computer saw that, else what the call says;
   * {@link OWNER} for the owner's own calls.
   */
  readonly agent: string;
  /** The office that the Computer was in; absent outside one. */
  readonly officeId?: string | undefined;
  /** The owner's own call, not an Agent's. */
  readonly local?: true;
}

/** A call that runs now. */
export interface RunningCall {
  readonly reqId: string;
  /** See {@link ToolCallReport.agent}. */
  readonly agent: string;
  /** The owner's own call. */
  readonly local?: true;
  /** The MCP server; absent when no tool has that name. */
  readonly server?: string;
  /** The tool's own name there; the name that was called where no tool has it. */
  readonly tool: string;
  /** The name by which it was called. */
  readonly exposedName: string;
  /** When the call came, in ms since 1970. */
  readonly since: number;
  /** `confirming`: a person is being asked. */
  readonly state: 'confirming' | 'running';
  /** What the MCP server said last, where it was asked for it. */
  readonly progress?: CallProgress;
}

/** Why a call ended before its MCP server answered. */
export type Ending = 'cancelled' | 'stopped' | 'timeout' | 'closing';

/** One call under way. Why it ended is its own state, not read from an error. */
export interface Call {
  readonly request: ToolCallRequest;
  readonly origin: CallOrigin;
  readonly cancellation: Cancellation;
  /** On the clock of `performance.now()`. */
  readonly began: number;
  readonly deadline: number;
  readonly startedAt: Date;
  /** Counts the offices: what was asked for in an earlier one must not show in the present one. */
  readonly office: number;
  /** Gets the progress of this call. */
  readonly onProgress: ((progress: CallProgress) => void) | undefined;
  state: RunningCall['state'];
  ending: Ending | undefined;
  route: ToolRoute | undefined;
  /** The MCP server that has the tool, also where the call may not be made. */
  server: string | undefined;
  /** Its result is the MCP server's, not one of ours. */
  isAnswered: boolean;
  progress: CallProgress | undefined;
  /** Tells of progress, not too often. */
  telling: Coalescer | undefined;
}

/** The calls that run now. */
export class RunningCalls {
  readonly #running = new Set<Call>();
  /** Those of Agents, by req_id; ids that were taken in another office are forgotten. */
  readonly #cancellable = new Map<string, Set<Call>>();
  #office = 0;

  /** Notes a call that has come just now. */
  begin(
    request: ToolCallRequest,
    origin: CallOrigin,
    onProgress: ((progress: CallProgress) => void) | undefined,
  ): Call {
    const began = performance.now();
    const call: Call = {
      request,
      origin,
      onProgress,
      began,
      deadline: began + request.timeout * 1000,
      cancellation: new Cancellation(),
      startedAt: new Date(),
      office: this.#office,
      state: 'running',
      ending: undefined,
      route: undefined,
      server: undefined,
      isAnswered: false,
      progress: undefined,
      telling: undefined,
    };
    this.#running.add(call);
    if (origin.local !== true) {
      const same = this.#cancellable.get(request.req_id) ?? new Set();
      this.#cancellable.set(request.req_id, same.add(call));
    }
    return call;
  }

  /** A call has its result. */
  end(call: Call): void {
    call.telling?.close();
    this.#running.delete(call);
    const { req_id: reqId } = call.request;
    const same = this.#cancellable.get(reqId);
    same?.delete(call);
    if (same?.size === 0) this.#cancellable.delete(reqId);
  }

  /** Whether the Computer is in the office still that the call came in. */
  isOfThisOffice(call: Call): boolean {
    return call.office === this.#office;
  }

  /** The Computer is in another office now: what runs goes on, but its ids and its traces mean nothing there. */
  officeChanged(): void {
    this.#office += 1;
    this.#cancellable.clear();
  }

  /** Ends the calls of Agents of this id; unknown ids do nothing. Protocol §6.3. */
  cancel(reqId: string): void {
    for (const call of this.#cancellable.get(reqId) ?? []) stopCall(call, 'cancelled');
  }

  /** Ends every call, or those with such an id, whoever made them. @returns how many. */
  stop(ending: Ending, isMeant: (reqId: string) => boolean = () => true): number {
    const due = [...this.#running].filter((call) => call.ending === undefined && isMeant(call.request.req_id));
    for (const call of due) stopCall(call, ending);
    return due.length;
  }

  /**
   * What runs now, oldest first.
   *
   * @param shown - makes a name that came from elsewhere one that may be shown.
   */
  list(shown: (name: string) => string): readonly RunningCall[] {
    return [...this.#running].map(({ request, origin, route, startedAt, state, progress }) => ({
      reqId: shown(request.req_id),
      agent: shown(origin.agent),
      ...(origin.local === true ? { local: true } : undefined),
      ...(route === undefined ? undefined : { server: route.server }),
      tool: route?.tool ?? shown(request.tool_name),
      exposedName: shown(request.tool_name),
      since: startedAt.getTime(),
      state,
      ...(progress === undefined ? undefined : { progress }),
    }));
  }
}

/** Ends a call early, once; it is answered accordingly. */
export function stopCall(call: Call, ending: Ending): void {
  if (call.ending !== undefined) return;
  call.ending = ending;
  call.cancellation.cancel();
}
