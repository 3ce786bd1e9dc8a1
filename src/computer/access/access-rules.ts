import { isJsonObject } from '../../protocol/index.js';
import { matchesGlob } from './glob.js';

/** Which calls a rule is about: those that fit everything that it names. Each may have `*` for any characters. */
export interface AccessRule {
  /**
   * The name of the Agent. It is the one under which it entered the office, where this Computer saw it enter; the
   * Server vouches for that one. Where the Agent was there first, or the connection was lost since, it is only what
   * the call itself says, which an Agent can choose: a rule that must hold in spite of a malicious Agent names tools
   * or servers, and who may enter the office at all is for the Server's authentication. Protocol §3.1.
   */
  readonly agent?: string;
  /** The tool: the name that Agents call, or its own name on its MCP server. */
  readonly tool?: string;
  /** The MCP server. */
  readonly server?: string;
}

/**
 * Which calls of Agents the owner of a Computer lets through. `deny` wins over `allow`; when there is any rule in
 * `allow`, a call must fit one of them. Without rules every call may be made. Nothing here takes a tool off the list, and
 * confirmation is asked for all the same.
 */
export interface AccessRules {
  readonly allow?: readonly AccessRule[];
  readonly deny?: readonly AccessRule[];
}

/** Every call may be made. */
export const OPEN_ACCESS: AccessRules = {};

/** A call that rules are held against. */
export interface AccessQuestion {
  readonly agent: string;
  readonly server: string;
  /** Every name that the tool goes by. */
  readonly tools: readonly string[];
}

const LISTS = ['allow', 'deny'] as const;
const FIELDS = ['agent', 'tool', 'server'] as const;

/**
 * Reads access rules that an application or a file gives.
 *
 * @returns a copy.
 * @throws TypeError naming the field.
 */
export function readAccessRules(value: unknown): AccessRules {
  if (!isJsonObject(value)) throw new TypeError('access: expected an object with "allow" or "deny"');
  refuseUnknown(value, LISTS, 'access');
  const rules: { allow?: readonly AccessRule[]; deny?: readonly AccessRule[] } = {};
  for (const list of LISTS) if (value[list] !== undefined) rules[list] = readList(value[list], `access.${list}`);
  return rules;
}

/** Whether a call may be made. */
export function isAllowed({ allow = [], deny = [] }: AccessRules, question: AccessQuestion): boolean {
  if (deny.some((rule) => fits(rule, question))) return false;
  return allow.length === 0 || allow.some((rule) => fits(rule, question));
}

function fits({ agent, tool, server }: AccessRule, question: AccessQuestion): boolean {
  const named = (pattern: string | undefined, names: readonly string[]): boolean =>
    pattern === undefined || names.some((name) => matchesGlob(pattern, name));
  return named(agent, [question.agent]) && named(server, [question.server]) && named(tool, question.tools);
}

function readList(value: unknown, place: string): readonly AccessRule[] {
  if (!Array.isArray(value)) throw new TypeError(`${place}: expected a list of rules`);
  return (value as unknown[]).map((rule, index) => readRule(rule, `${place}[${index}]`));
}

function readRule(value: unknown, place: string): AccessRule {
  if (!isJsonObject(value)) throw new TypeError(`${place}: expected an object with "agent", "tool" or "server"`);
  refuseUnknown(value, FIELDS, place);
  const rule: { agent?: string; tool?: string; server?: string } = {};
  for (const field of FIELDS) {
    const pattern = value[field];
    if (pattern === undefined) continue;
    if (typeof pattern !== 'string' || pattern === '') {
      throw new TypeError(`${place}.${field}: expected a name, or a pattern with * for any characters`);
    }
    rule[field] = pattern;
  }
  // One that is empty by mistake would let everything through, or nothing.
  if (Object.keys(rule).length === 0) {
    throw new TypeError(`${place}: names neither agent, tool nor server; { "tool": "*" } is every call`);
  }
  return rule;
}

function refuseUnknown(value: object, known: readonly string[], place: string): void {
  const unknown = Object.keys(value).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  const shown = known.map((field) => `"${field}"`).join(', ');
  throw new TypeError(`${place}: does not know ${JSON.stringify(unknown.slice(0, 40))}; there are ${shown}`);
}
