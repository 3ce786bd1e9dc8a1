// Hosts a fleet of MCP servers while calls run all the time and servers are killed, restarted and reconfigured at
// random; at the end nothing may be left, and every call must have been answered exactly once.
// `npm run soak -- --minutes 10 --seed 1`
import { parseArgs } from 'node:util';
import { openHandles, settledHandles } from '../support/open-handles.js';
import { Faults } from './faults.js';
import { Havoc } from './havoc.js';
import { Load } from './load.js';
import { Chance } from './random.js';
import { checkRecovery } from './recovery.js';
import { buildStage } from './stage.js';

const REPORT_MS = 15_000;

interface Options {
  readonly minutes: number;
  readonly seed: number;
}

function readOptions(): Options {
  const { values } = parseArgs({ options: { minutes: { type: 'string' }, seed: { type: 'string' } } });
  const options = { minutes: Number(values.minutes ?? 10), seed: Number(values.seed ?? Date.now() % 1_000_000) };
  if (!(options.minutes > 0)) throw new TypeError('--minutes must be a number above 0');
  if (!Number.isInteger(options.seed)) throw new TypeError('--seed must be an integer');
  return options;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function counts(map: ReadonlyMap<string, number>): string {
  const sorted = [...map].toSorted(([, a], [, b]) => b - a);
  return sorted.map(([what, count]) => `${count} ${what}`).join(', ');
}

/** Heap after garbage collection, in MB. */
function heap(): string {
  globalThis.gc?.();
  return `${(process.memoryUsage().heapUsed / 1e6).toFixed(1)} MB of heap`;
}

/** Everything that needs the stage. @returns when all of it is closed. */
async function play({ minutes, seed }: Options, faults: Faults): Promise<void> {
  await using stage = await buildStage(faults);
  const { mark } = stage;
  const chance = new Chance(seed);
  const load = new Load({ ...stage, faults });
  const havoc = new Havoc({ ...stage, faults });
  const began = Date.now();
  const report = setInterval(() => {
    const seconds = ((Date.now() - began) / 1_000).toFixed(0);
    say(`${seconds} s: ${load.calls} calls, ${mark.list().length} children, ${heap()}, ${faults.count} faults`);
  }, REPORT_MS);
  const working = Promise.all([load.run(chance.fork()), havoc.run(chance.fork())]);
  await new Promise((resolve) => setTimeout(resolve, minutes * 60_000));
  havoc.stop();
  load.stop();
  await working;
  clearInterval(report);
  await checkRecovery(stage, load, faults);
  load.check(stage.tap.answers);
  say(`${load.calls} calls: ${counts(load.outcomes)}`);
  say(`Havoc: ${counts(havoc.acts)}`);
  await stage[Symbol.asyncDispose]();
  for (const { pid, command } of mark.list()) faults.add('a child is left', `${pid} ${command}`);
}

const options = readOptions();
say(`Soak of ${options.minutes} minutes with --seed ${options.seed}`);
const faults = new Faults();
const endWatch = faults.watchProcess();
const before = openHandles();
await play(options, faults);
for (const kind of await settledHandles(before)) faults.add('a handle is open', kind);
endWatch();
say(faults.count === 0 ? 'No faults' : `Faults (again with --seed ${options.seed}):\n${faults.toString()}`);
if (faults.count > 0) process.exitCode = 1;
