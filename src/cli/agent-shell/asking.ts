import type { Agent } from '../../agent/index.js';
import type { Terminal } from '../terminal/terminal.js';
import type { Guide } from './guide.js';

/** A question that an Agent asks: how long it may take, and where the answer goes. */
export interface Asking {
  readonly agent: Agent;
  /** The office that the Agent is in, or is to be in. */
  readonly office: string;
  readonly signal: AbortSignal;
  /** In milliseconds. */
  readonly timeoutMs: number;
  readonly terminal: Terminal;
  /** Whether a program reads the answer. */
  readonly json: boolean;
  /** How a next command is written here. */
  readonly guide: Guide;
  /** Shows a line at the end of the screen for as long as it lasts; none takes it away. */
  readonly live: (line: string | undefined) => void;
  /** Prints the answer: the value for a program, or what `render` makes of it for a person. */
  readonly show: (value: unknown, render: (terminal: Terminal) => void) => void;
}

/** What every request takes. */
export function requestOptions({ signal, timeoutMs }: Asking): { signal: AbortSignal; timeoutMs: number } {
  return { signal, timeoutMs };
}
