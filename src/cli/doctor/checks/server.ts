import { randomUUID } from 'node:crypto';
import { Agent, JoinRefusedError } from '../../../agent/index.js';
import { ErrorCode, PROTOCOL_VERSION, ProtocolVersionError, VERSION_QUERY_PARAMETER } from '../../../protocol/index.js';
import { plainSentence, hintFor } from '../../describe-failure.js';
import { readToken } from '../../flags/flags.js';
import { checked } from '../../to-usage.js';
import { fail, ok, skipped, warn, type Check, type Finding } from '../check.js';
import type { DoctorContext } from '../context.js';
import { probe } from '../http-probe.js';

const NO_SERVER = skipped('no Server was named: --server URL');
const MAX_DIFFERENCE_MS = 60_000;

function newAgent(context: DoctorContext, url: string): Agent {
  const { flags } = context;
  const token = readToken(flags);
  const name = `doctor-${randomUUID().slice(0, 8)}`;
  const { options } = context.network();
  const settings = { url, name, path: flags.path, catalog: false, connectTimeoutMs: flags.timeout * 1_000, ...options };
  return checked(() => new Agent(token === undefined ? settings : { ...settings, token }));
}

function failure(error: unknown): Finding {
  if (error instanceof ProtocolVersionError) {
    return fail(error.message, 'install the release of a2c for that protocol version, or update the Server');
  }
  return fail(plainSentence(error), hintFor(error) ?? 'check --server');
}

/** Whether the Server can be reached, speaks this protocol and takes the token. No office is joined for it. */
export const serverCheck: Check = {
  id: 'server',
  title: 'Server',
  run: async (context, signal) => {
    const { server } = context.flags;
    if (server === undefined) return [NO_SERVER];
    await using agent = newAgent(context, server);
    const begun = context.machine.now();
    try {
      await agent.connect({ signal });
    } catch (error) {
      return [failure(error)];
    }
    const token = readToken(context.flags) === undefined ? 'without a token' : 'with the token';
    return [ok(`connected ${token} within ${context.machine.now() - begun} ms`)];
  },
};

/** Whether the office can be joined as its Agent. Only where one was named: others notice it. */
export const officeCheck: Check = {
  id: 'office',
  title: 'office',
  run: async (context, signal) => {
    const { server, office } = context.flags;
    if (server === undefined) return [NO_SERVER];
    if (office === undefined) return [skipped('is not joined; --office ID does, for a moment')];
    await using agent = newAgent(context, server);
    try {
      await agent.connect({ signal });
      await agent.joinOffice(office, { signal });
    } catch (error) {
      if (!(error instanceof JoinRefusedError)) return [skipped('there is no connection')];
      if (error.code !== ErrorCode.RoomFull) return [fail(error.message, 'check --office and the token')];
      return [
        warn('an Agent is in it, which is the only one there can be', 'a Computer can join; an Agent cannot yet'),
      ];
    }
    await agent.leaveOffice();
    return [ok('joined as its Agent, and left again')];
  },
};

/** Whether this machine and the Server agree on the time: tokens and certificates depend on it. */
export const clockCheck: Check = {
  id: 'clock',
  title: 'clock',
  run: async (context, signal) => {
    const { server, path } = context.flags;
    if (server === undefined) return [NO_SERVER];
    if (!URL.canParse(server)) return [skipped('the URL of the Server is none')];
    const { now } = context.machine;
    const network = context.network().settings;
    let answer;
    try {
      const url = new URL(`${path}?${VERSION_QUERY_PARAMETER}=${PROTOCOL_VERSION}`, server);
      answer = await probe('HEAD', url, { network, signal, now });
    } catch {
      return [skipped('the Server does not answer')];
    }
    if (answer.date === undefined) return [skipped('the Server does not say what time it is')];
    // The header has whole seconds, and was written somewhere on the way.
    const difference = answer.now - answer.tookMs / 2 - (answer.date + 500);
    const seconds = Math.round(Math.abs(difference) / 1_000);
    if (Math.abs(difference) <= MAX_DIFFERENCE_MS) return [ok('agrees with the Server')];
    const way = difference > 0 ? 'ahead of' : 'behind';
    return [warn(`${seconds} s ${way} the Server`, 'let the clock be set by the network (NTP), here or there')];
  },
};
