import { ErrorCode, failedCall, type CallToolResult } from '../../protocol/index.js';
import type { ToolRoute } from '../hosting.js';
import { isAllowed, OPEN_ACCESS, readAccessRules, type AccessRules } from './access-rules.js';

/** That the owner of a Computer has paused it. */
export interface PausedState {
  /** What the owner said; Agents are told. */
  readonly reason: string | undefined;
  /** In ms since 1970. */
  readonly since: number;
}

/** A call that wants through. */
export interface CallAtGate {
  /** The name of the Agent that counts. */
  readonly agent: string;
  /** The name that it calls. */
  readonly exposedName: string;
  /** Where that leads; a name that leads nowhere is answered by others. */
  readonly route: ToolRoute | undefined;
}

const MAX_REASON = 500;

/** What the owner of a Computer has to say about which calls of Agents are executed at all. */
export class CallGate {
  readonly #now: () => number;
  #paused: PausedState | undefined;
  #access: AccessRules = OPEN_ACCESS;

  /**
   * @param access - the rules at first.
   * @throws TypeError naming the field of the rules that is wrong.
   */
  constructor(access: unknown = OPEN_ACCESS, now: () => number = Date.now) {
    this.access = access as AccessRules;
    this.#now = now;
  }

  get paused(): PausedState | undefined {
    return this.#paused;
  }

  get access(): AccessRules {
    return this.#access;
  }

  /** @throws TypeError naming the field. */
  set access(rules: AccessRules) {
    this.#access = readAccessRules(rules);
  }

  /** Lets no call through from now on. A second time: for another reason, since the first time. */
  pause(reason: string | undefined): PausedState {
    const said = reason?.trim().slice(0, MAX_REASON);
    this.#paused = { reason: said === '' ? undefined : said, since: this.#paused?.since ?? this.#now() };
    return this.#paused;
  }

  /** @returns whether it was paused. */
  resume(): boolean {
    const wasPaused = this.#paused !== undefined;
    this.#paused = undefined;
    return wasPaused;
  }

  /**
   * What a call of an Agent is answered with that may not be executed: 4002. Protocol §5.1.
   *
   * @param redact - takes secrets out of a text.
   * @returns `undefined` when it may.
   */
  refusal({ agent, exposedName, route }: CallAtGate, redact: (text: string) => string): CallToolResult | undefined {
    if (this.#paused !== undefined) {
      const { reason } = this.#paused;
      const why = reason === undefined ? '' : ` The reason given: ${redact(reason)}`;
      return refused(`The owner of this Computer has paused it, so the tool was not called; try again later.${why}`);
    }
    if (route === undefined) return undefined;
    const { server, tool } = route;
    if (isAllowed(this.#access, { agent, server, tools: [exposedName, tool] })) return undefined;
    return refused(
      `The owner of this Computer does not allow this Agent to call "${exposedName}"; it was not called, and trying again does not help.`,
    );
  }
}

function refused(message: string): CallToolResult {
  return failedCall(message, { error_code: ErrorCode.ToolDisabled });
}
