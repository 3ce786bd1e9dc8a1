import type { DoctorContext } from './context.js';

/** How a check came out. */
export type Verdict = 'ok' | 'warn' | 'fail' | 'skipped';

/** One thing that a check found. */
export interface Finding {
  readonly verdict: Verdict;
  /** What was found; never a secret. */
  readonly found: string;
  /** What to do about it. */
  readonly todo?: string;
}

/** One row of the table of checks. */
export interface Check {
  /** For machines: stays the same. */
  readonly id: string;
  /** For a person. */
  readonly title: string;
  /**
   * Looks, and changes nothing.
   *
   * @param signal - aborts at the time limit; what goes on after that is not waited for.
   * @returns what was found, the most important first; at least one.
   */
  run(context: DoctorContext, signal: AbortSignal): Promise<readonly Finding[]> | readonly Finding[];
}

/** Everything is as it should be. */
export function ok(found: string): Finding {
  return { verdict: 'ok', found };
}

/** It works, but not as it seems to, or not for long. */
export function warn(found: string, todo: string): Finding {
  return { verdict: 'warn', found, todo };
}

/** It does not work. */
export function fail(found: string, todo: string): Finding {
  return { verdict: 'fail', found, todo };
}

/** There was nothing to look at. */
export function skipped(found: string): Finding {
  return { verdict: 'skipped', found };
}

/** The findings, or one that says that there is nothing to find. */
export function orElse(findings: readonly Finding[], otherwise: Finding): readonly Finding[] {
  return findings.length === 0 ? [otherwise] : findings;
}
