import type { Computer } from '../../computer/index.js';
import { isJsonObject } from '../../protocol/index.js';
import type { NameKind, Names } from '../shell/shell-command.js';

type Source = (computer: Computer, given: readonly string[]) => readonly string[];

/** What Tab offers, by the kind of argument. */
const SOURCES: Readonly<Record<string, Source>> = {
  server: (computer) => computer.servers().map(({ server }) => server),
  all: () => ['all'],
  tool: (computer) => computer.tools().map(({ name }) => name),
  input: (computer) => computer.inputs().map(({ id }) => id),
  call: (computer) => computer.runningCalls().map(({ reqId }) => reqId),
  agent: (computer) => [...new Set(computer.history.map(({ agent }) => agent))],
  access: () => ['allow', 'deny'],
  parameter: (computer, [tool = '']) => parametersOf(computer.tool(tool)?.tool.params_schema),
};

/** `path=` for each parameter of a tool. */
function parametersOf(schema: unknown): string[] {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? Object.keys(properties).map((key) => `${key}=`) : [];
}

/** What Tab offers in the shell of a Computer. */
export function namesOf(computer: Computer): Names {
  return (kind: NameKind, given) => SOURCES[kind]?.(computer, given) ?? [];
}
