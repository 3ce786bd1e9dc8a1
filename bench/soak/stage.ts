import { Agent } from '../../src/agent/index.js';
import { Computer } from '../../src/computer/index.js';
import { Server } from '../../src/server/index.js';
import { ProcessMark } from '../support/processes.js';
import type { Faults } from './faults.js';
import { makeFleet, type Fleet } from './fleet.js';
import { HttpServers } from './http-servers.js';
import { COMPUTER } from './load.js';
import { WireTap } from './wire-tap.js';

const OFFICE = 'office';
const HTTP_SERVERS = 2;
/** Short, so that a soak sees each of them often: waits, crash loops, and servers that are stable again. */
const RESTARTS = { minMs: 100, maxMs: 2_000, maxRestarts: 5, stableMs: 3_000 } as const;
/** A cancelled call is answered by the Computer, however busy the machine is. */
const CANCEL_GRACE_MS = 30_000;

/** A Server, an Agent and a Computer in one office, over real sockets, and everything that the Computer hosts. */
export interface Stage extends AsyncDisposable {
  /** What the children of the Computer are known by. */
  readonly mark: ProcessMark;
  readonly http: HttpServers;
  readonly fleet: Fleet;
  readonly tap: WireTap;
  readonly computer: Computer;
  readonly agent: Agent;
}

/** Builds it all and waits until every server has come to an outcome. */
export async function buildStage(faults: Faults): Promise<Stage> {
  const mark = new ProcessMark();
  const http = await HttpServers.start(HTTP_SERVERS);
  const fleet = makeFleet(http.urls, mark.env);
  const server = new Server({ logger: faults.logger('the Server') });
  const { url, port } = await server.listen(0);
  const tap = new WireTap(port);
  const computer = new Computer({
    name: COMPUTER,
    url,
    config: fleet.whole(),
    hosting: { restarts: RESTARTS, startTimeoutMs: 20_000 },
    logger: faults.logger('the Computer'),
    onToolProgress: () => undefined,
  });
  const agent = new Agent({
    url: await tap.listen(),
    // The tap reads this one.
    transports: ['websocket'],
    cancelGraceMs: CANCEL_GRACE_MS,
    logger: faults.logger('the Agent'),
  });
  const endWatch = watchConnections({ computer, agent }, faults);
  computer.start();
  await computer.settled();
  await computer.connect();
  await computer.joinOffice(OFFICE);
  await agent.connect();
  await agent.joinOffice(OFFICE);
  const close = async (): Promise<void> => {
    endWatch();
    await agent.close();
    await computer.close();
    await server.close();
    await tap.close();
    await http[Symbol.asyncDispose]();
    fleet[Symbol.dispose]();
  };
  return { mark, http, fleet, tap, computer, agent, [Symbol.asyncDispose]: close };
}

/** Nothing that an MCP server does ends a connection. @returns a function that ends the watch. */
function watchConnections({ computer, agent }: Pick<Stage, 'computer' | 'agent'>, faults: Faults): () => void {
  const lost = (role: string, reason: string): void => {
    faults.add(`the ${role} lost its connection`, reason);
  };
  const watches = [
    computer.on('disconnected', ({ reason }) => {
      lost('Computer', reason);
    }),
    agent.on('disconnected', ({ reason }) => {
      lost('Agent', reason);
    }),
  ];
  return () => {
    for (const end of watches) end();
  };
}
