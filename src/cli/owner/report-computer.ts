import type { Computer, ComputerEvents } from '../../computer/index.js';
import { printable } from '../terminal/printable.js';
import { counted } from '../terminal/render-result.js';
import { STATE_STYLES } from '../terminal/state-styles.js';
import type { Style, Terminal } from '../terminal/terminal.js';

/** A line about a Computer: what scripts read, and what a person reads. */
interface Report {
  /** The fields of the line of JSON; undefined ones are left out. */
  readonly json: { readonly event: string; readonly [field: string]: unknown };
  readonly style: Style;
  readonly text: string;
}

type Reports = { readonly [E in keyof ComputerEvents]?: (...args: ComputerEvents[E]) => Report };

/** What is told of a Computer, by its event. Never arguments, results or configuration. */
const REPORTS: Reports = {
  serverState: ({ server, state, tools, reason, failure, since, restarts, exitCode, signal, stderrTail }) => ({
    json: {
      event: 'server_state',
      server,
      state,
      tools,
      reason,
      failure,
      since: new Date(since).toISOString(),
      restarts,
      exit_code: exitCode ?? undefined,
      signal: signal ?? undefined,
      stderr: stderrTail,
    },
    style: STATE_STYLES[state] ?? 'dim',
    text: `${server}: ${state}${state === 'running' ? ` with ${counted(tools, 'tool')}` : ''}${reason === undefined ? '' : `, ${reason}`}`,
  }),
  joined: ({ officeId, name, rejoined }) => ({
    json: { event: 'joined', office_id: officeId, name },
    style: 'green',
    text: `${rejoined ? 'back in' : 'joined'} office "${officeId}" as "${name}"`,
  }),
  left: ({ officeId, name }) => ({
    json: { event: 'left', office_id: officeId, name },
    style: 'dim',
    text: `left office "${officeId}"`,
  }),
  disconnected: ({ reason }) => ({
    json: { event: 'disconnected', reason },
    style: 'yellow',
    text: `disconnected: ${reason}`,
  }),
  rejoinFailed: ({ error }) => ({
    json: { event: 'rejoin_failed', reason: error.message },
    style: 'red',
    text: `cannot join again yet: ${error.message}`,
  }),
  paused: ({ reason, since }) => ({
    json: { event: 'paused', reason, since: new Date(since).toISOString() },
    style: 'yellow',
    text: `paused${reason === undefined ? '' : ` (${reason})`}: Agents get 4002 until resume`,
  }),
  resumed: () => ({ json: { event: 'resumed' }, style: 'green', text: 'Agents may call again' }),
  toolCall: ({ reqId, agent, server, tool, ok, code, outcome, durationMs }) => ({
    json: {
      event: 'tool_call',
      req_id: reqId,
      agent,
      server,
      tool,
      ok,
      code,
      outcome,
      duration_ms: Math.round(durationMs),
    },
    style: ok ? 'green' : 'red',
    text: `${agent} → ${tool} of ${server ?? 'no server'}: ${ok ? 'ok' : `${outcome}${code === undefined ? '' : ` (${code})`}`} in ${Math.round(durationMs)} ms`,
  }),
};

/**
 * Prints what happens to a Computer: as lines of JSON, or for a person.
 *
 * @param options - `local`: the owner's own calls too.
 */
export function reportComputer(
  computer: Computer,
  { terminal, json, local }: { terminal: Terminal; json: boolean; local: boolean },
): void {
  const print = (report: Report): void => {
    if (json) terminal.json(report.json);
    else terminal.line(`${terminal.style(report.style, '●')} ${printable(report.text).replaceAll('\n', ' ')}`);
  };
  const report = <E extends keyof ComputerEvents>(event: E, tell: Reports[E]): void => {
    if (tell !== undefined)
      computer.on(event, (...args) => {
        const [about] = args as readonly { readonly local?: boolean }[];
        if (local || about?.local !== true) print(tell(...args));
      });
  };
  for (const event of Object.keys(REPORTS) as (keyof ComputerEvents)[]) report(event, REPORTS[event]);
}
