import type { AccessRule, AccessRules } from '../../computer/index.js';
import { UsageError } from '../failure.js';
import { text } from '../flags/flags.js';
import { checked } from '../to-usage.js';
import { define } from './computer-context.js';
import { printTable } from '../terminal/show.js';

const ARGS = [
  { name: 'AGENT', help: 'the name of an Agent; * stands for anything', completes: ['agent'] },
  {
    name: 'TOOL',
    help: 'the name of a tool; * stands for anything; every tool when left out',
    optional: true,
    completes: ['tool'],
  },
] as const;

const FLAGS = { mcp: text('SERVER', 'only tools of this MCP server') } as const;

const KINDS = [
  {
    word: 'allow',
    summary: 'Let only those Agents call tools that such rules name',
    examples: ['allow agent-1', 'allow * read_*'],
  },
  {
    word: 'deny',
    summary: 'Refuse the calls of an Agent; wins over allow',
    examples: ['deny agent-1 write_file', 'deny * --mcp shell'],
  },
] as const;

const rules = KINDS.map(({ word, summary, examples }) =>
  define({
    path: word,
    summary,
    args: ARGS,
    flags: FLAGS,
    examples,
    run: ({ context: { computer }, args: [agent = '*', tool], flags, show }) => {
      const rule: AccessRule = {
        agent,
        ...(tool === undefined ? {} : { tool }),
        ...(flags.mcp === undefined ? {} : { server: flags.mcp }),
      };
      const { [word]: before = [], ...others } = computer.access;
      const access: AccessRules = { ...others, [word]: [...before, rule] };
      checked(() => {
        computer.setAccess(access);
      });
      show(computer.access, (terminal) => {
        printTable(terminal, rulesTable(computer.access));
      });
    },
  }),
);

function rulesTable({ allow = [], deny = [] }: AccessRules): { headings: string[]; rows: string[][]; none: string } {
  const rows = (word: string, all: readonly AccessRule[]): string[][] =>
    all.map(({ agent = '*', tool = '*', server = '*' }) => [word, agent, tool, server]);
  return {
    headings: ['RULE', 'AGENT', 'TOOL', 'MCP SERVER'],
    rows: [...rows('deny', deny), ...rows('allow', allow)],
    none: 'no rules: every Agent of the office may call every tool',
  };
}

const access = define({
  path: 'access',
  summary: 'Show who may call what',
  args: [],
  flags: {},
  examples: ['access'],
  run: ({ context: { computer }, show }) => {
    show(computer.access, (terminal) => {
      printTable(terminal, rulesTable(computer.access));
    });
  },
});

const clear = define({
  path: 'access clear',
  summary: 'Take the rules away: of one kind, or all',
  args: [{ name: 'KIND', help: 'allow or deny', optional: true, completes: ['access'] }],
  flags: {},
  examples: ['access clear', 'access clear deny'],
  run: ({ context: { computer }, args: [kind], show }) => {
    if (kind !== undefined && kind !== 'allow' && kind !== 'deny') throw new UsageError('KIND: expected allow or deny');
    const { allow = [], deny = [] } = computer.access;
    computer.setAccess({ allow: kind === 'deny' ? allow : [], deny: kind === 'allow' ? deny : [] });
    show(computer.access, (terminal) => {
      printTable(terminal, rulesTable(computer.access));
    });
  },
});

/** Who may call what. */
export const ACCESS_COMMANDS = [...rules, access, clear];
