import type { Agent } from '../../../agent/index.js';
import { linkedSignal } from '../../../client/index.js';
import type { Asking } from '../../agent-shell/asking.js';
import { watchAgent } from '../../agent-shell/watched-events.js';
import type { AGENT_FLAGS } from '../../flags/agent-flags.js';
import type { Invocation } from '../../command.js';
import { EXIT_CODES, type ExitCode } from '../../exit-codes.js';
import { CommandError } from '../../failure.js';
import { printable } from '../../terminal/printable.js';
import { counted } from '../../terminal/render-result.js';
import { stayInOffice } from '../../stay-in-office.js';
import { untilAborted } from '../../until-aborted.js';
import { withAgent } from '../../with-agent.js';

function shown(field: unknown): string {
  return typeof field === 'number' ? counted(field, 'tool') : printable(String(field));
}

/** `a2c agent watch` */
export async function runWatch(invocation: Invocation<typeof AGENT_FLAGS>): Promise<ExitCode> {
  const { flags, terminal, signal } = invocation;
  const prepare = (agent: Agent): void => {
    watchAgent(agent, ({ name, fields }) => {
      const cells = [terminal.style('cyan', name.padEnd(16)), ...Object.values(fields).map(shown)];
      if (flags.json) terminal.json({ event: name, ...fields });
      else terminal.line(cells.join('  ').trimEnd());
    });
  };
  const stay = ({ agent, office }: Asking): Promise<void> => stayInOffice(agent, office, { signal });
  await withAgent(invocation, stay, { prepare, catalogue: true });
  return EXIT_CODES.interrupted;
}

/** `a2c agent wait` */
export async function runWait(invocation: Invocation<typeof AGENT_FLAGS>): Promise<ExitCode> {
  const [computer = '', tool] = invocation.args;
  const { flags, terminal, signal } = invocation;
  const timeUp = linkedSignal([signal], flags.timeout * 1000);
  const arrival = new Arrival(computer, tool);
  try {
    await withAgent(
      { ...invocation, signal: timeUp.signal },
      () => untilAborted(timeUp.signal, arrival.there, arrival.lost),
      {
        prepare: (agent) => {
          arrival.watch(agent);
        },
        catalogue: true,
      },
    );
  } catch (error) {
    // Connecting and joining have limits of their own, which say more.
    if (!timeUp.signal.aborted) throw error;
  } finally {
    timeUp.release();
  }
  if (signal.aborted) return EXIT_CODES.interrupted;
  arrival.lost.throwIfAborted();
  if (arrival.tools === undefined) throw new CommandError(`${arrival.missing} within ${flags.timeout} s`);
  if (flags.json) terminal.json({ computer, tools: arrival.tools });
  else terminal.line(`${printable(computer)} is there with ${counted(arrival.tools, 'tool')}`);
  return EXIT_CODES.ok;
}

/** Waits for a Computer, or for one of its tools. */
class Arrival {
  readonly #computer: string;
  readonly #tool: string | undefined;
  readonly #there = new AbortController();
  readonly #lost = new AbortController();
  #joined = false;
  #tools: number | undefined;

  constructor(computer: string, tool: string | undefined) {
    this.#computer = computer;
    this.#tool = tool;
  }

  /** Aborts once it is there. */
  get there(): AbortSignal {
    return this.#there.signal;
  }

  /** Aborts, with the reason, when it cannot come any more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** How many tools the Computer has, once it is there. */
  get tools(): number | undefined {
    return this.#tools;
  }

  /** A sentence that lacks the time. */
  get missing(): string {
    if (this.#tool !== undefined) return `tool "${this.#tool}" of Computer "${this.#computer}" was not there`;
    const state = this.#joined ? 'is there, but did not show its tools' : 'was not there';
    return `Computer "${this.#computer}" ${state}`;
  }

  watch(agent: Agent): void {
    agent.on('computerJoined', ({ computer }) => {
      if (computer === this.#computer) this.#joined = true;
    });
    agent.on('computerLeft', ({ computer }) => {
      if (computer === this.#computer) this.#joined = false;
    });
    agent.on('toolsChanged', ({ computer, tools }) => {
      if (computer !== this.#computer) return;
      if (this.#tool !== undefined && !tools.some(({ name }) => name === this.#tool)) return;
      this.#tools = tools.length;
      this.#there.abort();
    });
    agent.on('refused', ({ error }) => {
      this.#lost.abort(error);
    });
  }
}
