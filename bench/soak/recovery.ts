import { setTimeout as delay } from 'node:timers/promises';
import { textOf, type Faults } from './faults.js';
import type { Load } from './load.js';
import type { Stage } from './stage.js';

const PATIENCE_MS = 60_000;
const LOOK_AGAIN_MS = 100;
/** How late a change of a list may be noticed: a server that cries wolf is asked every few seconds. */
const LIST_MS = 15_000;

/** Waits until it holds. @returns whether it did in time. */
async function within(ms: number, holds: () => boolean): Promise<boolean> {
  const deadline = Date.now() + ms;
  while (!holds()) {
    if (Date.now() >= deadline) return false;
    await delay(LOOK_AGAIN_MS);
  }
  return true;
}

function extrasOf(names: readonly string[], prefix: string): string {
  return names.filter((name) => name.startsWith(prefix)).join(', ');
}

/** Of each server that runs, the Computer lists the tools that it has now: no change of them was missed. */
async function checkLists({ computer, fleet }: Stage, load: Load, faults: Faults): Promise<void> {
  const running = new Set(computer.servers().flatMap(({ server, state }) => (state === 'running' ? server : [])));
  for (const [server, { names }] of Object.entries(fleet.members)) {
    if (names === undefined || !running.has(server)) continue;
    const { outcome, text } = await load.call({ tool: names.tool, params: {}, timeoutMs: 10_000 });
    if (outcome !== 'ok') continue;
    const there = extrasOf(JSON.parse(String(text)) as string[], names.prefix);
    const listed = (): string =>
      extrasOf(
        computer.tools().map(({ name }) => name),
        names.prefix,
      );
    if (!(await within(LIST_MS, () => listed() === there))) {
      faults.add('the tools of a server are listed as they were once', `${server}: ${listed()} instead of ${there}`);
    }
  }
}

/** After all the havoc every server that can run runs again, answers, and the Agent sees exactly what there is. */
export async function checkRecovery(stage: Stage, load: Load, faults: Faults): Promise<void> {
  const { computer, agent, fleet } = stage;
  await computer.setConfig(fleet.whole());
  await checkLists(stage, load, faults);
  const healthy = Object.entries(fleet.members).filter(([, { dead }]) => dead !== true);
  await Promise.all(
    healthy.map(([name]) =>
      computer.startServer(name).catch((error: unknown) => {
        faults.add('a server did not start after all', `${name}: ${textOf(error)}`);
      }),
    ),
  );
  const lame = (): string[] => {
    const states = new Map(computer.servers().map(({ server, ...status }) => [server, status]));
    const down = healthy.filter(([name]) => states.get(name)?.state !== 'running');
    return down.map(([name]) => `${name}: ${JSON.stringify(states.get(name))}`);
  };
  if (!(await within(PATIENCE_MS, () => lame().length === 0))) {
    for (const text of lame()) faults.add('a server did not recover', text);
  }
  for (const [name, { echo }] of healthy) {
    if (echo === undefined) continue;
    const { outcome } = await load.call({ tool: echo, params: { a: 1 }, timeoutMs: 10_000, expected: '{"a":1}' });
    if (outcome !== 'ok') faults.add('a recovered server does not answer', `${name}: ${outcome}`);
  }
  const seen = (tools: readonly { readonly name: string }[]): string =>
    JSON.stringify(tools.map(({ name }) => name).sort());
  const equal = (): boolean => seen(agent.tools) === seen(computer.tools());
  if (!(await within(PATIENCE_MS, equal))) faults.add('the Agent sees other tools than there are');
}
