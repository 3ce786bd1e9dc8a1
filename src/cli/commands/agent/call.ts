import { renderResult } from '../../render-result.js';
import { AGENT_FLAGS, withAck, withAgent } from '../../agent-flags.js';
import { defineCommand } from '../../command.js';
import { EXIT_CODES } from '../../exit-codes.js';
import { readParams } from '../../read-params.js';

/** `a2c agent call` */
export const callCommand = defineCommand({
  path: 'agent call',
  summary: 'Call a tool',
  args: [
    { name: 'COMPUTER', help: 'the Computer that has the tool' },
    { name: 'TOOL', help: 'the name of the tool' },
    { name: 'PARAMS', help: 'JSON, @FILE with JSON, or - for stdin; {} when left out', optional: true },
  ],
  flags: AGENT_FLAGS,
  examples: [
    `a2c agent call laptop echo '{"message":"hello"}' --server http://127.0.0.1:8000 --office demo`,
    'a2c agent call laptop write_file @params.json --timeout 300 --json',
  ],
  run: async (invocation) => {
    const [computer = '', tool = '', params] = invocation.args;
    const parameters = await readParams(params);
    const { flags, signal, terminal } = invocation;
    return await withAgent(invocation, async (agent) => {
      const { ack, answer } = await withAck(({ onAck }) =>
        agent.callTool(computer, tool, parameters, { signal, onAck, timeoutMs: flags.timeout * 1000 }),
      );
      // The outcome of a timeout is the Agent's own: no acknowledgement, or the Server's 408, stands for it.
      const timedOut = answer.meta?.['timeout'] === true;
      if (flags.json) terminal.json(timedOut ? answer : ack);
      else for (const line of renderResult(answer)) terminal.line(line);
      if (signal.aborted) return EXIT_CODES.interrupted;
      return answer.isError === true ? EXIT_CODES.failed : EXIT_CODES.ok;
    });
  },
});
