import type { Diagnostic, ReportDiagnostic } from '../hosting.js';

/** Passes diagnostics on once for as long as they stay, although the lists they come from are made again and again. */
export class DiagnosticLog {
  readonly #report: ReportDiagnostic;
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(report: ReportDiagnostic) {
    this.#report = report;
  }

  /**
   * Notes everything that is wrong with one thing now.
   *
   * @param subject - what they are about, the same each time.
   */
  update(subject: string, diagnostics: readonly Diagnostic[]): void {
    const before = this.#known.get(subject);
    const now = new Set<string>();
    for (const diagnostic of diagnostics) {
      const key = JSON.stringify([diagnostic.server, diagnostic.item, diagnostic.problem]);
      if (!now.has(key) && before?.has(key) !== true) this.#report(diagnostic);
      now.add(key);
    }
    if (now.size === 0) this.#known.delete(subject);
    else this.#known.set(subject, now);
  }
}
