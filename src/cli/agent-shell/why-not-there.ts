import type { OfficeMember } from '../../agent/index.js';
import { shellWord } from '../terminal/shell-word.js';
import { nearest } from '../shell/parse-call.js';
import type { Asking } from './asking.js';

/** How long a failure may be looked into, in milliseconds: what follows it must not take longer than the thing itself. */
const LOOK_MS = 5_000;
/** How many names are listed. */
const MANY = 8;

/** What is asked of the Agent to look into a failure. */
export type Search = Pick<Asking, 'agent' | 'office' | 'signal' | 'guide'>;

/** What an answer takes that only explains. */
export function looking({ signal }: Search): { signal: AbortSignal; timeoutMs: number } {
  return { signal, timeoutMs: LOOK_MS };
}

/** What it says; `undefined` where it cannot be found out. */
export async function ifKnown<T>(search: Search, look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch {
    // Looking into a failure must not hide it behind another one.
    search.signal.throwIfAborted();
    return undefined;
  }
}

/** The names of the Computers in the office; `undefined` where they cannot be had. */
export async function computersThere(search: Search): Promise<string[] | undefined> {
  const members: readonly OfficeMember[] | undefined = await ifKnown(search, () =>
    search.agent.listRoom(looking(search)),
  );
  return members?.filter(({ role }) => role === 'computer').map(({ name }) => name);
}

/** No Computer is in the office: why that may be. */
export function nobodyThere({ office }: Pick<Search, 'office'>): string {
  return `no Computer is in office "${office}"; is that the right office? a2c computer run CONFIG --office ${shellWord(office)} starts a Computer there`;
}

/** Why there is no such Computer, and who is there. */
export async function whyNoComputer(search: Search, computer: string): Promise<string | undefined> {
  const names = await computersThere(search);
  if (names === undefined) return undefined;
  if (names.includes(computer)) return `"${computer}" is there now: try again`;
  if (names.length === 0) return nobodyThere(search);
  const near = nearest(computer.toLowerCase(), names);
  return near === undefined ? `there is ${listed(names)}` : `did you mean "${near}"? There is ${listed(names)}`;
}

/** `"a", "b"` and how many more. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, MANY).map((name) => `"${name}"`);
  return names.length > MANY ? `${shown.join(', ')} and ${names.length - MANY} more` : shown.join(', ');
}

/** Why a Computer has no such tool, who has it, and what to do. */
export async function whyNoTool(
  search: Search,
  { computer, tool }: { computer: string; tool: string },
): Promise<string> {
  const { guide } = search;
  const own = await toolNames(search, computer);
  if (own?.includes(tool) === true) return 'it is in the list now: try again';
  const near = own === undefined ? undefined : nearest(tool.toLowerCase(), own);
  if (near !== undefined) return `did you mean "${near}"? ${guide.command('tools', computer)} lists them`;
  const others = await othersWith(search, { computer, tool });
  const [other] = others;
  if (other !== undefined) {
    return `${listed(others)} ${others.length === 1 ? 'has' : 'have'} it: ${guide.command('call', other, shellWord(tool))}`;
  }
  return `${guide.command('tools', computer)} lists what is there; its MCP server may be down, or its owner may have forbidden it: ask the owner, whose shell says why (tool ${shellWord(tool)})`;
}

async function toolNames(search: Search, computer: string): Promise<string[] | undefined> {
  const tools = await ifKnown(search, () => search.agent.getTools(computer, looking(search)));
  return tools?.map(({ name }) => name);
}

async function othersWith(search: Search, { computer, tool }: { computer: string; tool: string }): Promise<string[]> {
  const others = (await computersThere(search))?.filter((name) => name !== computer) ?? [];
  const having = await Promise.all(
    others.map(async (name) => ((await toolNames(search, name))?.includes(tool) === true ? [name] : [])),
  );
  return having.flat();
}
