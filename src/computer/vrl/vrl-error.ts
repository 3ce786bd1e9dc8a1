/**
 * Why a script gave nothing:
 * - `compile`: the script is wrong;
 * - `runtime`: it failed on this event, or gave up (`abort`);
 * - `timeout`: it ran, or waited for its turn, for too long;
 * - `limit`: script, event, outcome or queue is larger than allowed;
 * - `crash`: it broke the interpreter (out of memory, nested too deep), or the runner was closed.
 */
export type VrlErrorKind = 'compile' | 'runtime' | 'timeout' | 'limit' | 'crash';

/** A VRL script could not be checked or run. The message never holds anything of the event. Protocol §7.4. */
export class VrlError extends Error {
  override readonly name = 'VrlError';
  readonly kind: VrlErrorKind;

  constructor(kind: VrlErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
