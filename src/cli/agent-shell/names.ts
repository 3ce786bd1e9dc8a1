import { isJsonObject } from '../../protocol/index.js';
import type { NameKind, Names } from '../shell/shell-command.js';
import type { AgentContext } from './agent-context.js';
import { knownTool } from './ask-tools.js';

type Source = (context: AgentContext, given: readonly string[]) => readonly string[];

/** What Tab offers, by the kind of argument. */
const SOURCES: Readonly<Record<string, Source>> = {
  computer: ({ agent }) => agent.computers,
  tool: ({ agent, selection }) => {
    const { implied } = selection;
    const tools = agent.tools.filter(({ computer }) => implied === undefined || computer === implied);
    return [...new Set(tools.map(({ name }) => name))];
  },
  parameter: (context, [tool = '']) => parametersOf(context, tool),
  server: ({ seen }) => [...seen.servers],
  document: ({ seen }) => [...seen.documents],
  window: ({ seen }) => [...seen.windows],
  switch: () => ['on', 'off'],
};

/** `path=` for each parameter of a tool. */
function parametersOf({ agent, selection }: AgentContext, name: string): string[] {
  const schema = selection.implied === undefined ? undefined : knownTool(agent, selection.implied, name)?.params_schema;
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties).map((key) => `${key}=`) : [];
}

/** What Tab offers in the shell of an Agent. */
export function namesOf(context: AgentContext): Names {
  return (kind: NameKind, given) => SOURCES[kind]?.(context, given) ?? [];
}
