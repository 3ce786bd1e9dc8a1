import { ProtocolError, type CallToolResult, type JsonObject } from '../../src/protocol/index.js';
import type { Agent } from '../../src/agent/index.js';
import type { Computer, ToolCallReport } from '../../src/computer/index.js';
import { textOf, type Faults } from './faults.js';
import type { Fleet } from './fleet.js';
import type { Chance } from './random.js';

/** The name of the Computer under load. */
export const COMPUTER = 'soak';

const LANES = 12;
/** How much later than its budget a call may be answered, in ms: the machine is meant to be busy. */
const GRACE_MS = 5_000;

interface Issued {
  readonly tool: string;
  settled: number;
  acks: number;
  reports: number;
}

interface Plan {
  readonly tool: string;
  readonly params: JsonObject;
  readonly timeoutMs: number;
  readonly cancelAfterMs?: number;
  /** What the text of a good result must be. */
  readonly expected?: string;
}

/** What a call came to. */
interface Called {
  /** `ok`, a code, or what else there is. */
  readonly outcome: string;
  /** What the first block of the result says. */
  readonly text: unknown;
}

/** What a call came to, in the words of the summary. */
function outcomeOf({ isError, meta }: CallToolResult): string {
  if (isError !== true) return 'ok';
  const { error_code: code, a2c_cancelled: cancelled } = meta ?? {};
  if (cancelled === true) return 'cancelled';
  return typeof code === 'number' ? `${code}` : 'error of the tool';
}

/** The text of a result's first block. */
function firstText({ content }: CallToolResult): unknown {
  return content[0]?.['text'];
}

/** Calls tools all the time, from several lanes, and keeps account of every call. */
export class Load {
  /** How many calls came to what. */
  readonly outcomes = new Map<string, number>();
  readonly #agent: Agent;
  readonly #fleet: Fleet;
  readonly #faults: Faults;
  readonly #issued = new Map<string, Issued>();
  #stopped = false;

  constructor(parts: { agent: Agent; computer: Computer; fleet: Fleet; faults: Faults }) {
    this.#agent = parts.agent;
    this.#fleet = parts.fleet;
    this.#faults = parts.faults;
    parts.computer.on('toolCall', (report) => {
      this.#reported(report);
    });
  }

  /** How many calls were made. */
  get calls(): number {
    return this.#issued.size;
  }

  /** Runs until it is stopped. @returns when the last call has settled. */
  async run(chance: Chance): Promise<void> {
    await Promise.all(Array.from({ length: LANES }, () => this.#lane(chance.fork())));
  }

  /** No new calls from now on. */
  stop(): void {
    this.#stopped = true;
  }

  /** Calls a tool once. */
  async call(plan: Plan): Promise<Called> {
    const reqId = `call-${this.#issued.size + 1}`;
    const issued: Issued = { tool: plan.tool, settled: 0, acks: 0, reports: 0 };
    this.#issued.set(reqId, issued);
    const began = performance.now();
    const abort = new AbortController();
    const timer =
      plan.cancelAfterMs === undefined
        ? undefined
        : setTimeout(() => {
            abort.abort();
          }, plan.cancelAfterMs);
    try {
      const result = await this.#agent.callTool(COMPUTER, plan.tool, plan.params, {
        timeoutMs: plan.timeoutMs,
        reqId,
        signal: abort.signal,
        onAck: () => (issued.acks += 1),
      });
      return { outcome: this.#judge(plan, result), text: firstText(result) };
    } catch (error) {
      this.#faults.add('a call was rejected instead of answered', `${reqId} ${plan.tool}: ${textOf(error)}`);
      return { outcome: 'rejected', text: undefined };
    } finally {
      clearTimeout(timer);
      issued.settled += 1;
      const lateMs = performance.now() - began - plan.timeoutMs;
      if (lateMs > GRACE_MS) this.#faults.add('a call was answered too late', `${plan.tool}: ${lateMs.toFixed(0)} ms`);
    }
  }

  /** Compares what Agent, Computer and wire saw. @param answers - on the wire, by `req_id`. */
  check(answers: ReadonlyMap<string, number>): void {
    for (const [reqId, { tool, settled, acks, reports }] of this.#issued) {
      const counts = { settled, acks, reports, 'answers on the wire': answers.get(reqId) ?? 0 };
      const odd = Object.entries(counts).filter(([, count]) => count !== 1);
      if (odd.length > 0)
        this.#faults.add('a call was not answered exactly once', `${reqId} ${tool}: ${JSON.stringify(counts)}`);
    }
  }

  #reported({ reqId }: ToolCallReport): void {
    const issued = this.#issued.get(reqId);
    if (issued === undefined) this.#faults.add('the Computer reported a call that nobody made', reqId);
    else issued.reports += 1;
  }

  #judge({ tool, expected }: Plan, result: CallToolResult): string {
    const outcome = outcomeOf(result);
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    if (outcome === 'ok' && expected !== undefined && firstText(result) !== expected) {
      this.#faults.add('a call got the answer of another one', `${tool}: ${JSON.stringify(result).slice(0, 200)}`);
    }
    if (result.meta?.['timeout'] === true) this.#faults.add('a call was not answered by the Computer', tool);
    return outcome;
  }

  async #lane(chance: Chance): Promise<void> {
    while (!this.#stopped) {
      if (chance.happens(0.05)) await this.#query(chance);
      else await this.call(this.#plan(chance));
      await new Promise((resolve) => setTimeout(resolve, chance.integer(0, 30)));
    }
  }

  #plan(chance: Chance): Plan {
    const members = Object.values(this.#fleet.members);
    const timeoutMs = chance.pick([1_000, 3_000, 10_000]);
    const cancel = chance.happens(0.1) ? { cancelAfterMs: chance.integer(0, 300) } : {};
    if (chance.happens(0.02)) return { tool: 'nobody-has-this', params: {}, timeoutMs };
    if (chance.happens(0.5)) {
      const tool = chance.pick(members.flatMap(({ echo }) => echo ?? []));
      const params = { token: chance.next(), filler: 'x'.repeat(chance.pick([0, 100, 10_000])) };
      return { tool, params, timeoutMs, expected: JSON.stringify(params), ...cancel };
    }
    const [tool, params] = chance.pick(chance.pick(members.filter(({ calls }) => calls !== undefined)).calls ?? []);
    return { tool, params, timeoutMs, ...cancel };
  }

  /** The other questions of an Agent: an error answer is one, none is a fault. */
  async #query(chance: Chance): Promise<void> {
    const queries = [
      () => this.#agent.getTools(COMPUTER),
      () => this.#agent.getConfig(COMPUTER),
      () => this.#agent.getDesktop(COMPUTER),
      () => this.#agent.getResources(COMPUTER, chance.pick(Object.keys(this.#fleet.members))),
    ];
    try {
      await chance.pick(queries)();
    } catch (error) {
      if (!(error instanceof ProtocolError)) this.#faults.add('a query was not answered', textOf(error));
    }
  }
}
