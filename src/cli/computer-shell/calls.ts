import type { Computer, RunningCall } from '../../computer/index.js';
import { isJsonObject, type CallToolResult, type JsonObject } from '../../protocol/index.js';
import { readJsonArgument, toolArguments } from '../flags/call-arguments.js';
import { CommandError, UsageError } from '../failure.js';
import { wholeNumber } from '../flags/flags.js';
import { printable } from '../terminal/printable.js';
import { renderResult } from '../terminal/render-result.js';
import { define } from './computer-context.js';
import { progressText } from './progress-text.js';
import { shownRendering } from './shown-rendering.js';
import { ago, printTable } from '../terminal/show.js';
import { whyCallFailed } from './why-call-failed.js';
import { whyNoTool } from './why-no-tool.js';

/** What is known of the tool of a call before it is made. */
interface OwnCall {
  readonly tool_name: string;
  readonly params: JsonObject;
  readonly timeout: number;
}

const tc = define({
  path: 'tc',
  summary: 'Call a tool yourself, under the same rules as an Agent',
  args: [
    {
      name: 'TOOL',
      help: 'the name of a tool; or the whole request as JSON or @FILE: { "tool_name", "params", "timeout" }',
      completes: ['tool', '@file'],
    },
    {
      name: 'VALUE',
      help: 'its arguments: key=value each, key:=JSON, or all as JSON or @FILE',
      optional: true,
      rest: true,
      completes: ['parameter', '@file'],
    },
  ],
  flags: { timeout: wholeNumber('SECONDS', 'how long it may take', { min: 1, max: 3_600, fallback: 60 }) },
  examples: [
    'tc echo message="hello world"',
    'tc write_file {"path":"a.txt","content":"hello"}',
    'tc {"computer":"local","agent":"debug","req_id":"1","tool_name":"echo","params":{"message":"hello"},"timeout":30}',
  ],
  secret: true,
  run: async ({ context: { computer }, args: [first = ''], rest, flags, terminal, signal, show }) => {
    const call = await ownCall(computer, { first, rest, timeout: flags.timeout });
    if (computer.explainTool(call.tool_name) !== undefined) throw new CommandError(whyNoTool(computer, call.tool_name));
    const began = performance.now();
    const result = await computer.callTool(
      { ...call },
      {
        signal,
        onProgress: (progress) => {
          terminal.note(terminal.style('dim', printable(progressText(progress))));
        },
      },
    );
    const seconds = ((performance.now() - began) / 1_000).toFixed(2);
    signal.throwIfAborted();
    show(result, () => {
      for (const line of renderResult(result)) terminal.line(line);
      if (result.isError !== true) terminal.note(terminal.style('dim', `ok in ${seconds} s`));
    });
    if (result.isError === true) throw new CommandError(failure(computer, { call, result, seconds }));
  },
});

function failure(
  computer: Computer,
  { call, result, seconds }: { call: OwnCall; result: CallToolResult; seconds: string },
): string {
  const hint = whyCallFailed(computer, { tool: call.tool_name, result, timeout: call.timeout });
  return `${call.tool_name} failed in ${seconds} s${hint === undefined ? '' : `: ${hint}`}`;
}

async function ownCall(
  computer: Computer,
  { first, rest, timeout }: { first: string; rest: readonly string[]; timeout: number },
): Promise<OwnCall> {
  if (!/^[{@]/.test(first)) {
    const schema = computer.tool(first)?.tool.params_schema;
    return { tool_name: first, params: await toolArguments(rest, schema), timeout };
  }
  const request = await readJsonArgument(first, 'TOOL');
  if (!isJsonObject(request) || typeof request['tool_name'] !== 'string') {
    throw new UsageError('tool_name is missing: expected { "tool_name": "…", "params": { … } }');
  }
  const params = request['params'] ?? {};
  if (!isJsonObject(params)) throw new UsageError('params: expected an object');
  const given = request['timeout'] ?? timeout;
  if (!Number.isInteger(given) || (given as number) < 1 || (given as number) > 3_600) {
    throw new UsageError('timeout: expected a whole number of seconds from 1 to 3600');
  }
  return { tool_name: request['tool_name'], params, timeout: given as number };
}

const render = define({
  path: 'render',
  summary: 'Show JSON with its placeholders resolved; secrets are masked',
  args: [{ name: 'VALUE', help: 'JSON, or @FILE with JSON', completes: ['@file'] }],
  flags: {},
  examples: ['render {"header":"Bearer ${input:token}"}', 'render @server.json'],
  secret: true,
  run: async ({ context: { computer }, args: [source = ''], signal, show }) => {
    const value = await readJsonArgument(source, 'VALUE');
    const rendered = shownRendering(value, await computer.render(value, { signal }), computer);
    show(rendered, (terminal) => {
      terminal.line(printable(JSON.stringify(rendered, null, 2)));
    });
  },
});

const calls = define({
  path: 'calls',
  summary: 'List the calls that run or wait for your word now',
  args: [],
  flags: {},
  examples: ['calls'],
  run: ({ context: { computer }, show }) => {
    const running = computer.runningCalls();
    show(running, (terminal) => {
      const now = Date.now();
      printTable(terminal, {
        headings: ['CALL', 'AGENT', 'TOOL', 'STATE', 'FOR', 'PROGRESS'],
        rows: running.map((call) => [
          call.reqId,
          call.agent,
          call.exposedName,
          call.state,
          ago(call.since, now),
          progressOf(call),
        ]),
        none: 'no calls run now',
      });
    });
  },
});

function progressOf({ progress }: RunningCall): string {
  return progress === undefined ? '' : progressText(progress);
}

const stopCalls = define({
  path: 'stop calls',
  summary: 'End the calls that run now; Agents are told that you did',
  args: [{ name: 'CALL', help: 'only this one, as calls shows it', optional: true, completes: ['call'] }],
  flags: {},
  examples: ['stop calls'],
  run: ({ context: { computer }, args: [reqId], show }) => {
    const stopped = computer.stopCalls(reqId);
    if (reqId !== undefined && stopped === 0)
      throw new CommandError(`there is no running call "${reqId}"; calls lists them`);
    show({ stopped }, (terminal) => {
      terminal.line(stopped === 0 ? 'no calls run now' : `stopped: ${stopped}`);
    });
  },
});

const pause = define({
  path: 'pause',
  summary: 'Refuse the calls of Agents until resume; what runs goes on',
  args: [{ name: 'REASON', help: 'what Agents are told', optional: true, rest: true }],
  flags: {},
  examples: ['pause', 'pause back after lunch'],
  run: ({ context: { computer }, rest, show }) => {
    const reason = rest.length === 0 ? undefined : rest.join(' ');
    computer.pause(reason);
    const running = computer.runningCalls().length;
    show({ paused: true, reason: reason ?? null, running_calls: running }, (terminal) => {
      if (running > 0) terminal.note(`${running} still run: stop calls ends them`);
    });
  },
});

const resume = define({
  path: 'resume',
  summary: 'Let the calls of Agents in again',
  args: [],
  flags: {},
  examples: ['resume'],
  run: ({ context: { computer }, show }) => {
    computer.resume();
    show({ paused: false }, () => undefined);
  },
});

/** What an owner does with calls. */
export const CALL_COMMANDS = [tc, render, calls, stopCalls, pause, resume];
