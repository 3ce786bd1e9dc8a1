// The load of the benchmarks, in a process of its own.
import { answerRequests } from './child.js';
import type { LoadRequest, LoadResult } from './requests.js';
import { RawPeer } from './raw-peer.js';
import { median } from './rounds.js';

const PAIRS = 8;

/** JSON of about this many bytes, made of many small objects as tool results are. */
function filler(bytes: number): string {
  const items: object[] = [];
  for (let size = 2; size < bytes; size += 48) items.push({ id: size, name: `item ${size}`, ok: true });
  return JSON.stringify(items);
}

interface Pair {
  readonly agent: RawPeer;
  readonly computer: string;
}

const pairs = new Map<string, Promise<readonly Pair[]>>();
let answer = '{}';

async function connectPair(url: string, index: number): Promise<Pair> {
  const computer = `computer-${index}`;
  const peer = await RawPeer.connect(url, (self, packet) => {
    self.answer(packet, answer);
  });
  const agent = await RawPeer.connect(url);
  const place = (role: string, name: string): string => JSON.stringify({ role, name, office_id: `office-${index}` });
  await agent.call('server:join_office', place('agent', 'agent'));
  await peer.call('server:join_office', place('computer', computer));
  return { agent, computer };
}

function connectPairs(url: string): Promise<readonly Pair[]> {
  const known = pairs.get(url) ?? Promise.all(Array.from({ length: PAIRS }, (_, index) => connectPair(url, index)));
  pairs.set(url, known);
  return known;
}

function request(computer: string, bytes: number): string {
  const call = { agent: 'agent', req_id: 'f3a1c2d4e5b60718', computer, tool_name: 'echo', timeout: 60 };
  const frame = JSON.stringify(call).length + '{,"params":{"items":}}'.length;
  return `${JSON.stringify(call).slice(0, -1)},"params":{"items":${filler(bytes - frame)}}}`;
}

async function load(options: LoadRequest & { load: 'calls' }): Promise<LoadResult> {
  const { url, bytes, inFlight, ms } = options;
  answer = `{"content":[{"type":"text","text":"done"}],"structuredContent":{"items":${filler(bytes - 90)}}}`;
  const connected = await connectPairs(url);
  const times: number[] = [];
  const started = performance.now();
  const deadline = started + ms;
  const lane = async (index: number): Promise<void> => {
    const pair = connected[index % PAIRS];
    if (pair === undefined) return;
    const text = request(pair.computer, bytes);
    for (let now = performance.now(); now < deadline;) {
      await pair.agent.call('client:tool_call', text);
      const then = performance.now();
      times.push(then - now);
      now = then;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, (_, index) => lane(index)));
  return { callsPerSecond: (times.length / (performance.now() - started)) * 1000, p50: median(times) };
}

const LANES = 20;
/** Everyone hears of everyone who comes, so one office of thousands would take minutes to fill. */
const OFFICE_SIZE = 50;

/** Opens idle members, some at a time. */
async function members({ url, count, from, join }: LoadRequest & { load: 'members' }): Promise<object> {
  const lane = async (start: number): Promise<void> => {
    for (let index = start; index < from + count; index += LANES) {
      const peer = await RawPeer.connect(url);
      const place = {
        role: 'computer',
        name: `computer-${index}`,
        office_id: `office-${Math.floor(index / OFFICE_SIZE)}`,
      };
      if (join) await peer.call('server:join_office', JSON.stringify(place));
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_, index) => lane(from + index)));
  return {};
}

answerRequests((message: LoadRequest) => (message.load === 'calls' ? load(message) : members(message)));
