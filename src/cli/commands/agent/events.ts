import type { Agent, AgentEvents } from '../../../agent/index.js';
import { linkedSignal } from '../../../client/index.js';
import { AGENT_FLAGS, withAgent } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { CommandError } from '../../failure.js';
import { printable } from '../../printable.js';
import { untilAborted } from '../../until-aborted.js';

type Watched = { readonly [E in keyof AgentEvents]: readonly [string, (...args: AgentEvents[E]) => object] };

/** The Agent's events that `watch` shows, by the name that it gives them, with what stands in the line. */
const WATCHED: Watched = {
  computerJoined: ['computer_joined', ({ computer }) => ({ computer })],
  computerLeft: ['computer_left', ({ computer }) => ({ computer })],
  toolsChanged: ['tools_changed', ({ computer, tools }) => ({ computer, tools: tools.length })],
  configChanged: ['config_changed', ({ computer }) => ({ computer })],
  desktopChanged: ['desktop_changed', ({ computer }) => ({ computer })],
  disconnected: ['disconnected', ({ reason }) => ({ reason })],
  rejoined: ['rejoined', ({ officeId, name }) => ({ office_id: officeId, name })],
  rejoinFailed: ['rejoin_failed', ({ error }) => ({ reason: error.message })],
  refused: ['refused', ({ error }) => ({ reason: error.message })],
};

type Show = (event: string, fields: object) => void;

function watchEvent<E extends keyof AgentEvents>(agent: Agent, event: E, [name, fields]: Watched[E], show: Show): void {
  agent.on(event, (...args) => {
    show(name, fields(...args));
  });
}

/** Calls `show` at every event of the Agent. */
function watchAll(agent: Agent, show: Show): void {
  for (const event of Object.keys(WATCHED) as (keyof AgentEvents)[]) watchEvent(agent, event, WATCHED[event], show);
}

/** `a2c agent watch` */
export const watchCommand = defineCommand({
  path: 'agent watch',
  summary: 'Print what happens in the office, as it happens',
  args: [],
  flags: AGENT_FLAGS,
  examples: ['a2c agent watch --office demo --json'],
  run: async (invocation) => {
    const { flags, terminal, signal } = invocation;
    const prepare = (agent: Agent): void => {
      watchAll(agent, (event, fields) => {
        if (flags.json) terminal.json({ event, ...fields });
        else
          terminal.line(
            [terminal.style('cyan', event), ...Object.values(fields).map((field) => printable(String(field)))].join(
              '  ',
            ),
          );
      });
    };
    await withAgent(invocation, () => untilAborted(signal), { prepare, catalogue: true });
    return EXIT_CODES.interrupted;
  },
});

/** `a2c agent wait` */
export const waitCommand = defineCommand({
  path: 'agent wait',
  summary: 'Wait until a Computer, or one of its tools, is there',
  args: [
    { name: 'COMPUTER', help: 'the Computer to wait for' },
    { name: 'TOOL', help: 'the tool to wait for', optional: true },
  ],
  flags: AGENT_FLAGS,
  examples: ['a2c agent wait laptop --timeout 30', 'a2c agent wait laptop read_file'],
  run: async (invocation) => {
    const [computer = '', tool] = invocation.args;
    const { flags, terminal, signal } = invocation;
    const timeUp = linkedSignal([], flags.timeout * 1000);
    let tools: number | undefined;
    const there = new AbortController();
    const prepare = (agent: Agent): void => {
      agent.on('toolsChanged', (change) => {
        if (change.computer !== computer) return;
        if (tool !== undefined && !change.tools.some(({ name }) => name === tool)) return;
        tools = change.tools.length;
        there.abort();
      });
    };
    await withAgent(invocation, () => untilAborted(signal, timeUp.signal, there.signal), {
      prepare,
      catalogue: true,
    });
    timeUp.release();
    if (tools === undefined) {
      if (signal.aborted) return EXIT_CODES.interrupted;
      const missing = tool === undefined ? `Computer "${computer}"` : `tool "${tool}" of Computer "${computer}"`;
      throw new CommandError(`${missing} was not there within ${flags.timeout} s`);
    }
    if (flags.json) terminal.json({ computer, tools });
    else terminal.line(`${computer} is there with ${tools} tools`);
    return EXIT_CODES.ok;
  },
});
