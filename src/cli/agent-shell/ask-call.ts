import { isJsonObject, type CallToolResult, type JsonObject } from '../../protocol/index.js';
import { withAck } from '../with-agent.js';
import { printable } from '../terminal/printable.js';
import { renderResult } from '../terminal/render-result.js';
import type { Asking } from './asking.js';
import { CallClock } from './call-clock.js';
import { saveContent, type Saved } from './save-content.js';
import { whyCallFailed } from './why-failed.js';

/** A tool, with what, and where its binary content goes. */
export interface WantedCall {
  readonly computer: string;
  readonly tool: string;
  readonly params: JsonObject;
  /** The folder for binary content; absent: it is only named. */
  readonly output?: string | undefined;
}

/** How a call ended. */
export interface CallOutcome {
  /** Whether the tool failed, or not all of what it gave could be written. */
  readonly failed: boolean;
  /** What to do about it, where that is known. */
  readonly why: string | undefined;
  readonly seconds: number;
}

/**
 * Calls a tool and shows what it gave.
 *
 * @throws what `Agent.callTool` throws.
 */
export async function callTool(asking: Asking, wanted: WantedCall): Promise<CallOutcome> {
  const { signal, terminal } = asking;
  const { ack, answer, seconds } = await timedCall(asking, wanted);
  const saved = await savedContent(answer, wanted);
  // The outcome of a timeout is the Agent's own: no acknowledgement, or the Server's 408, stands for it.
  const came = answer.meta?.['timeout'] === true ? answer : ack;
  asking.show(withFiles(came, saved), () => {
    print(answer, saved, asking);
    const outcome = signal.aborted ? ', cancelled' : answer.isError === true ? ', failed' : '';
    if (terminal.attended) terminal.note(terminal.style('dim', `${seconds.toFixed(2)} s${outcome}`));
  });
  const problems = saved?.problems ?? [];
  for (const problem of problems) terminal.error(problem);
  const why = signal.aborted || asking.json ? undefined : await reasonFor(asking, wanted, { ack, answer });
  return { failed: answer.isError === true || problems.length > 0, why, seconds };
}

async function timedCall(
  asking: Asking,
  { computer, tool, params }: WantedCall,
): Promise<{ ack: unknown; answer: CallToolResult; seconds: number }> {
  const { agent, signal, timeoutMs } = asking;
  using clock = new CallClock(
    (seconds) => `${tool} on ${computer}: ${seconds} s of ${timeoutMs / 1_000} s, Ctrl-C cancels`,
    asking.live,
  );
  const { ack, answer } = await withAck(({ onAck }) =>
    agent.callTool(computer, tool, params, { signal, onAck, timeoutMs }),
  );
  return { ack, answer, seconds: clock.seconds };
}

async function savedContent(answer: CallToolResult, { tool, output }: WantedCall): Promise<Saved | undefined> {
  return output === undefined ? undefined : saveContent(answer, { folder: output, name: tool });
}

/** The answer as it came; where files were asked for, `files` beside what came says where they are. */
function withFiles(came: unknown, saved: Saved | undefined): unknown {
  return saved === undefined || !isJsonObject(came) ? came : { ...came, files: saved.files };
}

function print(answer: CallToolResult, saved: Saved | undefined, { terminal }: Asking): void {
  for (const line of renderResult(answer)) terminal.line(line);
  for (const { path } of saved?.files ?? []) terminal.line(printable(path));
}

async function reasonFor(
  asking: Asking,
  { computer, tool }: WantedCall,
  { ack, answer }: { readonly ack: unknown; readonly answer: CallToolResult },
): Promise<string | undefined> {
  if (answer.isError !== true || !asking.agent.connected) return undefined;
  return whyCallFailed(answer, { ...asking, computer, tool, ack, seconds: Math.ceil(asking.timeoutMs / 1_000) });
}
