import { setMaxListeners } from 'node:events';
import { linkedSignal } from '../../client/index.js';
import type { Check, Finding } from './check.js';
import { fail } from './check.js';
import type { DoctorContext } from './context.js';

/** How checks are run. */
export interface CheckRun {
  /** How long each may take, in ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Runs all checks at the same time.
 *
 * @returns their findings in the order of the table, each as soon as it and those before it are there.
 * @throws the signal's reason.
 */
export async function* runChecks(
  checks: readonly Check[],
  context: DoctorContext,
  run: CheckRun,
): AsyncGenerator<{ readonly check: Check; readonly findings: readonly Finding[] }> {
  // One for each check: many at a time are no leak.
  setMaxListeners(0, run.signal);
  const running = checks.map((check) => runOne(check, context, run));
  for (const [index, check] of checks.entries()) {
    const findings = (await running[index]) ?? [];
    run.signal.throwIfAborted();
    yield { check, findings };
  }
}

/** Never rejects, and never takes longer than it may, whatever the check does. */
async function runOne(check: Check, context: DoctorContext, run: CheckRun): Promise<readonly Finding[]> {
  const limit = linkedSignal([run.signal], run.timeoutMs);
  const late = new Promise<readonly Finding[]>((resolve) => {
    limit.signal.addEventListener('abort', () => {
      resolve([
        fail(`no outcome within ${run.timeoutMs / 1_000} s`, 'something does not answer; --timeout waits longer'),
      ]);
    });
  });
  try {
    return await Promise.race([Promise.resolve(check.run(context, limit.signal)), late]);
  } catch (error) {
    return [fail(error instanceof Error ? error.message : String(error), 'mend that, then ask again')];
  } finally {
    limit.release();
  }
}
