import { isDeeperThan, MAX_PAYLOAD_DEPTH, type Logger, type SmcpTool } from '../protocol/index.js';
import { answerBytes } from './answer-size.js';

/** A list of tools as it can be sent. */
export interface ToolAnswer {
  readonly tools: readonly SmcpTool[];
  /** The size of the answer with an empty `req_id`, in bytes. */
  readonly size: number;
}

/** The tools stand in a list in the answer: two levels of what a payload may have. Protocol §3. */
const TOOL_DEPTH = MAX_PAYLOAD_DEPTH - 2;

/**
 * Makes lists of tools ready to be sent. A list is the same object until it changes, so it is looked at and measured
 * once. A tool whose schema nests too deep to be sent is left out instead of blanking the rest.
 */
export class ToolAnswers {
  readonly #logger: Logger;
  readonly #known = new WeakMap<readonly SmcpTool[], ToolAnswer>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** The list as it can be sent. */
  of(listed: readonly SmcpTool[]): ToolAnswer {
    const known = this.#known.get(listed);
    if (known !== undefined) return known;
    const tools = listed.filter((tool) => !this.#isTooDeep(tool));
    const answer = { tools, size: answerBytes({ tools, req_id: '' }) };
    this.#known.set(listed, answer);
    return answer;
  }

  #isTooDeep(tool: SmcpTool): boolean {
    if (!isDeeperThan(tool, TOOL_DEPTH)) return false;
    this.#logger.warn({ tool: tool.name }, 'A tool nests too deep to be sent and is left out of the list');
    return true;
  }
}
