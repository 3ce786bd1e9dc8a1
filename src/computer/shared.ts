import { hostname } from 'node:os';
import { PROFILE_0_2, silentLogger, type Logger, type ProtocolProfile } from '../protocol/index.js';
import type { ComputerOptions } from './computer-options.js';
import { redactingLogger } from './redacting-logger.js';
import { Redactor } from './redactor.js';

/** What the parts of one Computer share. */
export interface Shared {
  readonly name: string;
  readonly profile: ProtocolProfile;
  readonly redactor: Redactor;
  /** Takes secrets out of everything. */
  readonly logger: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Fills in what the options leave out. */
export function sharedOf(options: ComputerOptions): Shared {
  const redactor = new Redactor();
  return {
    name: options.name ?? hostname(),
    profile: options.profile ?? PROFILE_0_2,
    redactor,
    logger: redactingLogger(options.logger ?? silentLogger, redactor),
    env: options.env ?? process.env,
  };
}
