import type { ComputerConfig } from './parse-config.js';

/** What the compiler says of the VRL script of a server that is wrong. */
export interface VrlFinding {
  readonly server: string;
  /** Place and reason, over several lines. */
  readonly problem: string;
}

/**
 * Compiles every VRL script of a configuration, in a thread that is started only if there is one.
 *
 * @returns the servers that would not start because of theirs. Protocol §7.4.
 */
export async function checkVrlScripts({ servers }: ComputerConfig): Promise<VrlFinding[]> {
  const scripts = [...servers].flatMap(([server, { config }]) =>
    typeof config.vrl === 'string' ? [{ server, script: config.vrl }] : [],
  );
  if (scripts.length === 0) return [];
  const { VrlError, VrlRunner } = await import('../vrl/index.js');
  await using runner = new VrlRunner();
  const findings: VrlFinding[] = [];
  for (const { server, script } of scripts) {
    try {
      await runner.assertCompiles(script);
    } catch (error) {
      if (!(error instanceof VrlError)) throw error;
      findings.push({ server, problem: error.message });
    }
  }
  return findings;
}
