import { linkedSignal } from '../../client/index.js';
import type { Invocation } from '../command.js';
import { programOf } from '../demo/demo-servers.js';
import type { DemoContext, DemoStep } from '../demo/demo-steps.js';
import { EXIT_CODES, type ExitCode } from '../exit-codes.js';
import { printable } from '../terminal/printable.js';
import type { DEMO_FLAGS } from '../flags/setup-flags.js';

/** How long the whole demonstration may take, in milliseconds. */
const LIMIT_MS = 20_000;

/** `a2c demo` */
export async function runDemo(invocation: Invocation<typeof DEMO_FLAGS>): Promise<ExitCode> {
  const { logger, signal, terminal, flags } = invocation;
  if (!flags.json) {
    terminal.paragraph(terminal.style('bold', 'A2C-SMCP: an Agent calls tools on a Computer through a Server'));
    terminal.line();
  }
  const limit = linkedSignal([signal], LIMIT_MS);
  const began = performance.now();
  const { DemoOffice } = await import('../demo/demo-office.js');
  const { demoSteps } = await import('../demo/demo-steps.js');
  await using office = new DemoOffice(logger);
  const ok = await demonstrate(demoSteps(), invocation, { office, signal: limit.signal, progress: [] });
  limit.release();
  if (signal.aborted) return EXIT_CODES.interrupted;
  if (ok && !flags.json) {
    terminal.line();
    terminal.paragraph(
      `All of it in ${seconds(began)}. Next: a2c server --help, a2c computer run --help, a2c agent --help`,
    );
  }
  return ok ? EXIT_CODES.ok : EXIT_CODES.failed;
}

async function demonstrate(
  steps: readonly DemoStep[],
  invocation: Invocation<typeof DEMO_FLAGS>,
  context: DemoContext,
): Promise<boolean> {
  for (const step of steps) {
    if (step.needs !== undefined && programOf(step.needs) === undefined) continue;
    if (!(await show(step, invocation, context))) return false;
  }
  return true;
}

/** Runs a step and prints what came of it. @returns whether it went as it should. */
async function show(
  step: DemoStep,
  { terminal, flags, signal }: Invocation<typeof DEMO_FLAGS>,
  context: DemoContext,
): Promise<boolean> {
  const began = performance.now();
  let lines: string[];
  let ok = true;
  try {
    lines = await step.run(context);
  } catch (error) {
    ok = false;
    lines = [context.signal.aborted && !signal.aborted ? 'it took too long' : (error as Error).message];
  }
  const ms = Math.round(performance.now() - began);
  if (flags.json) {
    terminal.json({ step: step.step, ok, ms, ...(ok ? {} : { reason: lines.join(' ') }) });
    return ok;
  }
  const mark = ok ? terminal.style('green', '✔') : terminal.style('red', '✘');
  terminal.paragraph(`${mark} ${terminal.style('bold', step.title)} ${terminal.style('dim', `${ms} ms`)}`);
  for (const line of lines) terminal.paragraph(printable(line), '    ');
  return ok;
}

function seconds(began: number): string {
  return `${((performance.now() - began) / 1000).toFixed(1)} s`;
}
