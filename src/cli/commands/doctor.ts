import { createRequire } from 'node:module';
import type { Invocation } from '../command.js';
import type { Check, Finding, Verdict } from '../doctor/check.js';
import type { DoctorMachine } from '../doctor/context.js';
import type { DOCTOR_FLAGS } from '../doctor/flags.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { homeFolder } from '../places.js';
import { printable } from '../terminal/printable.js';
import type { Style, Terminal } from '../terminal/terminal.js';
import { wrapText } from '../terminal/wrap-text.js';

/** What stands before a finding, in which style. */
const MARKS: Readonly<Record<Verdict, readonly [mark: string, style: Style]>> = {
  ok: ['ok', 'green'],
  warn: ['warn', 'yellow'],
  fail: ['FAIL', 'red'],
  skipped: ['-', 'dim'],
};
const MARK_WIDTH = 4;
const TITLE_WIDTH = 13;
const MARGIN = ' '.repeat(MARK_WIDTH + 1 + TITLE_WIDTH);

/** `a2c doctor` */
export async function runDoctor({
  args: [config],
  flags,
  terminal,
  signal,
}: Invocation<typeof DOCTOR_FLAGS>): Promise<ExitCode> {
  const [{ Surroundings }, { runChecks }, { CHECKS }] = await Promise.all([
    import('../doctor/context.js'),
    import('../doctor/run-checks.js'),
    import('../doctor/checks.js'),
  ]);
  const files = [...(config === undefined ? [] : [config]), ...flags.config];
  await using context = new Surroundings(files, flags, thisMachine(terminal));
  const counts = { ok: 0, warn: 0, fail: 0, skipped: 0 };
  for await (const { check, findings } of runChecks(CHECKS, context, { timeoutMs: flags.timeout * 1_000, signal })) {
    for (const finding of findings) {
      counts[finding.verdict] += 1;
      show({ flags, terminal }, check, finding);
    }
  }
  if (!flags.json) terminal.line(summary(counts));
  return counts.fail === 0 ? EXIT_CODES.ok : EXIT_CODES.failed;
}

function show(
  { flags, terminal }: Pick<Invocation<typeof DOCTOR_FLAGS>, 'flags' | 'terminal'>,
  check: Check,
  { verdict, found, todo }: Finding,
): void {
  if (flags.json) {
    terminal.json({ check: check.id, verdict, found, ...(todo === undefined ? {} : { todo }) });
    return;
  }
  const [mark, style] = MARKS[verdict];
  const head = `${terminal.style(style, mark.padEnd(MARK_WIDTH))} ${terminal.style('bold', check.title.padEnd(TITLE_WIDTH))}`;
  const lines = [...folded(found, '', terminal), ...(todo === undefined ? [] : folded(todo, '→ ', terminal))];
  for (const [index, line] of lines.entries()) terminal.line(`${index === 0 ? head : MARGIN} ${line}`);
}

/** As it fits beside the title, with its lines under each other. */
function folded(text: string, mark: string, terminal: Terminal): string[] {
  const line = printable(text).replaceAll(/\s*\n\s*/g, ' ');
  return wrapText(`${mark}${line}`, terminal.width - MARGIN.length - 1, ' '.repeat(mark.length));
}

function summary({ warn, fail }: Readonly<Record<Verdict, number>>): string {
  if (fail === 0 && warn === 0) return 'Everything looks good.';
  return `${fail} failed, ${warn} to look at.`;
}

function thisMachine(terminal: Terminal): DoctorMachine {
  const { env, platform, version, stdin, stdout } = process;
  return {
    env,
    platform,
    home: homeFolder(),
    nodeVersion: version,
    package: createRequire(import.meta.url)('../../../package.json') as DoctorMachine['package'],
    terminal: {
      stdin: stdin.isTTY,
      stdout: stdout.isTTY,
      colour: terminal.style('bold', 'x') !== 'x',
      columns: stdout.isTTY ? stdout.columns : undefined,
    },
    now: Date.now,
  };
}
