import { callTool } from '../../agent-shell/ask-call.js';
import { findTool } from '../../agent-shell/ask-tools.js';
import type { Asking } from '../../agent-shell/asking.js';
import type { CALL_FLAGS } from '../../flags/agent-flags.js';
import { toolArguments } from '../../flags/call-arguments.js';
import type { Invocation } from '../../command.js';
import { EXIT_CODES, type ExitCode } from '../../exit-codes.js';
import { printable } from '../../terminal/printable.js';
import { readParams } from '../../flags/read-params.js';
import type { JsonObject } from '../../../protocol/index.js';
import { withAgent } from '../../with-agent.js';

/** `a2c agent call` */
export async function runCall(invocation: Invocation<typeof CALL_FLAGS>): Promise<ExitCode> {
  const [computer = '', tool = '', ...given] = invocation.args;
  const words = given.filter((word) => word !== undefined);
  const paramsFor = await readWords(words);
  const { flags, signal, terminal } = invocation;
  const call = async (asking: Asking): Promise<boolean> => {
    const params = await paramsFor(async () => (await findTool(asking, computer, tool))?.params_schema);
    const { failed, why } = await callTool(asking, { computer, tool, params, output: flags.output });
    if (why !== undefined) terminal.note(printable(why));
    return failed;
  };
  const failed = await withAgent(invocation, call, { about: { computer, tool } });
  if (signal.aborted) return EXIT_CODES.interrupted;
  return failed ? EXIT_CODES.failed : EXIT_CODES.ok;
}

type ParamsFor = (schema: () => Promise<unknown>) => Promise<JsonObject>;

/**
 * Reads the parameters as far as can be without the tool.
 *
 * @returns what reads the rest; `schema` is only asked for where it matters.
 */
async function readWords(words: readonly string[]): Promise<ParamsFor> {
  const [first, ...others] = words;
  const isWhole = first === undefined || (others.length === 0 && (/^[{[@]/.test(first) || !first.includes('=')));
  if (isWhole) {
    const params = await readParams(first);
    return () => Promise.resolve(params);
  }
  // What is wrong with the words is said before anything is connected.
  await toolArguments(words, undefined);
  return async (schema) => toolArguments(words, await schema());
}
