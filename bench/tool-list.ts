// What answering `client:get_tools` costs inside the Computer, from the event to the packet that goes out, against the
// serialising of that answer.
import { Encoder, PacketType } from 'socket.io-parser';
import { TypedEvents } from '../src/client/index.js';
import { ComputerCore } from '../src/computer/computer-core.js';
import type { ComputerEvents } from '../src/computer/computer-events.js';
import { readConfig } from '../src/computer/config/parse-config.js';
import { registerHandlers } from '../src/computer/handlers.js';
import { sharedOf } from '../src/computer/shared.js';
import { NAMESPACE, type SmcpTool } from '../src/protocol/index.js';
import { rawServer } from './support/mcp-servers.js';
import { compare, runWhenExecuted } from './support/rounds.js';

const SERVERS = 50;
const TOOLS_EACH = 20;
const ANSWERS_PER_ROUND = 100;
const MAX_ANSWER_BYTES = 1_000_000;

/** A `get_tools` answer, the only one that is asked for. */
interface Answer {
  readonly tools: readonly SmcpTool[];
  readonly req_id: string;
}

/** Asks as the connection would. @returns the answer, in the turn in which it is sent. */
type Ask = (onAnswer: (answer: Answer) => void) => void;

/** A Computer without a connection, all of whose servers run. */
async function openCore(): Promise<{ readonly core: ComputerCore; readonly ask: Ask }> {
  const events = new TypedEvents<ComputerEvents>(() => undefined);
  const core = new ComputerCore(sharedOf({}), {}, { events, maxAnswerBytes: () => MAX_ANSWER_BYTES });
  const servers = Array.from({ length: SERVERS }, (_, index) => {
    const name = `server-${index}`;
    return [name, rawServer({ only: [], extraTools: TOOLS_EACH, extraName: `${name}-tool-` })];
  });
  await core.servers.setConfig(readConfig({ servers: Object.fromEntries(servers) as object }));
  const payload = { agent: 'agent', computer: 'computer', req_id: 'f3a1c2d4e5b60718' };
  let ask: Ask | undefined;
  const handle = (event: string, handler: (args: unknown[]) => void): void => {
    if (event !== 'client:get_tools') return;
    ask = (onAnswer) => {
      handler([payload, onAnswer]);
    };
  };
  registerHandlers({ handle }, core.handlerContext());
  if (ask === undefined) throw new Error('Nothing answers client:get_tools');
  return { core, ask };
}

/** @returns ms for one answer, as an average of many. */
async function perAnswer(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let count = 0; count < ANSWERS_PER_ROUND; count += 1) await act();
  return (performance.now() - began) / ANSWERS_PER_ROUND;
}

/** Runs the benchmark and prints its tables. */
export async function run(): Promise<void> {
  const { core, ask } = await openCore();
  try {
    const answered = (): Promise<Answer> => new Promise(ask);
    const answer = await answered();
    if (answer.tools.length !== SERVERS * TOOLS_EACH) throw new Error(`${answer.tools.length} tools are listed`);
    const encoder = new Encoder();
    const sent = (): Promise<unknown> =>
      new Promise((resolve) => {
        ask((data) => {
          resolve(encoder.encode({ type: PacketType.ACK, nsp: NAMESPACE, id: 1, data: [data] }));
        });
      });
    const size = (JSON.stringify(answer).length / 1_000).toFixed(0);
    const serialise = {
      name: 'JSON.stringify of the answer',
      measure: () => perAnswer(() => Promise.resolve(JSON.stringify(answer))),
    };
    const title = `get_tools, ${answer.tools.length} tools on ${SERVERS} servers, ${size} KB`;
    const common = { unit: 'ms', better: 'lower', bar: 2, baseline: serialise } as const;
    const work = { name: 'handler', measure: () => perAnswer(answered) };
    await compare({ ...common, title: `${title}: until the answer is handed over`, subject: work });
    const whole = { name: 'handler and packet', measure: () => perAnswer(sent) };
    await compare({ ...common, title: `${title}: until the packet is made`, subject: whole });
  } finally {
    await core.close();
  }
}

await runWhenExecuted(import.meta.url, run);
