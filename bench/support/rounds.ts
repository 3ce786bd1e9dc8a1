import { pathToFileURL } from 'node:url';

/** One of the things that are measured against each other. */
export interface Side {
  /** What stands in the table. */
  readonly name: string;
  /** Measures once and returns a number in the comparison's unit. Called once per round. */
  readonly measure: () => Promise<number>;
}

/** What is compared, and what it has to reach. */
export interface Comparison {
  /** The headline of the table. */
  readonly title: string;
  /** What is measured, such as `calls/s` or `ms`. */
  readonly unit: string;
  /** Whether more of it is better (throughput) or less (latency, memory). */
  readonly better: 'higher' | 'lower';
  /** What ours is held against. */
  readonly baseline: Side;
  /** Ours. */
  readonly subject: Side;
  /**
   * The A/A control: the baseline once more, best as a second instance of it. What it differs from the baseline by is
   * noise.
   * @default `baseline` measured again
   */
  readonly control?: Side;
  /** The ratio subject / baseline that the median has to reach; left out, the comparison is only shown. */
  readonly bar?: number;
  /** How many interleaved rounds are counted. @default 9 */
  readonly rounds?: number;
  /** How many rounds are thrown away first. @default 1 */
  readonly warmUp?: number;
}

/** What came out. */
export interface Verdict {
  readonly title: string;
  /** Median of subject / baseline, taken round by round. */
  readonly ratio: number;
  /** Median of control / baseline, taken round by round. */
  readonly controlRatio: number;
  /** How far the control's quartiles stand from 1: what the machine's noise may explain. */
  readonly spread: number;
  /** `shown` when there is no bar; `within spread` passes too. */
  readonly outcome: 'passes' | 'within spread' | 'misses' | 'shown';
  /** Whether the bar, if there is one, is met. */
  readonly met: boolean;
}

interface Round {
  readonly baseline: number;
  readonly subject: number;
  readonly control: number;
}

/** The value below which the share `q` (0..1) of the numbers lies, interpolated. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * q;
  const low = sorted[Math.floor(position)] ?? Number.NaN;
  const high = sorted[Math.ceil(position)] ?? Number.NaN;
  return low + (high - low) * (position - Math.floor(position));
}

/** The middle value. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

const ORDERS = [
  ['baseline', 'subject', 'control'],
  ['subject', 'control', 'baseline'],
  ['control', 'baseline', 'subject'],
] as const;

/** One measurement of each side, in an order that turns with the rounds, so that no side always runs first. */
async function measureRound(sides: Record<keyof Round, Side>, index: number): Promise<Round> {
  const round = { baseline: Number.NaN, subject: Number.NaN, control: Number.NaN };
  for (const side of ORDERS[index % ORDERS.length] ?? ORDERS[0]) round[side] = await sides[side].measure();
  return round;
}

function judge(ratio: number, spread: number, { bar, better }: Comparison): Verdict['outcome'] {
  if (bar === undefined) return 'shown';
  const excess = better === 'higher' ? bar - ratio : ratio - bar;
  if (excess <= 0) return 'passes';
  return excess <= spread ? 'within spread' : 'misses';
}

function shownNumber(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function printTable(comparison: Comparison, rounds: readonly Round[], verdict: Verdict): void {
  const { title, unit, better, bar, baseline, subject, control } = comparison;
  const rows: [string, readonly number[], number | undefined][] = [
    [`baseline: ${baseline.name}`, rounds.map((round) => round.baseline), undefined],
    [`control:  ${control?.name ?? baseline.name} (A/A)`, rounds.map((round) => round.control), verdict.controlRatio],
    [`subject:  ${subject.name}`, rounds.map((round) => round.subject), verdict.ratio],
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, values, ratio]) => {
    const range = `${shownNumber(quantile(values, 0.25))} .. ${shownNumber(quantile(values, 0.75))}`;
    const ratioText = ratio === undefined ? '' : `${ratio.toFixed(3)}x`;
    return `  ${name.padEnd(width)}  ${shownNumber(median(values)).padStart(8)}  [${range}]  ${ratioText}`;
  });
  const target = bar === undefined ? 'no bar' : `bar ${better === 'higher' ? '>=' : '<='} ${bar}x`;
  process.stdout.write(
    `\n${title} (${unit}, median [quartiles] of ${rounds.length} interleaved rounds, ${better} is better)\n` +
      `${lines.join('\n')}\n` +
      `  ${target}, measured ${verdict.ratio.toFixed(3)}x, control's spread ±${verdict.spread.toFixed(3)}: ${verdict.outcome}\n`,
  );
}

/**
 * Measures baseline, subject and an A/A control in interleaved rounds, prints a table and judges: the bar is met when
 * the median of the rounds' ratios reaches it within the control's spread.
 *
 * Sets `process.exitCode` to 1 when the bar is missed.
 *
 * @example
 * await compare({
 *   title: 'stdio call, 200 B, 64 in flight',
 *   unit: 'calls/s',
 *   better: 'higher',
 *   bar: 0.85,
 *   baseline: { name: 'client.request', measure: () => throughput(raw) },
 *   control: { name: 'client.request', measure: () => throughput(rawAgain) },
 *   subject: { name: 'manager.callTool', measure: () => throughput(manager) },
 * });
 */
export async function compare(comparison: Comparison): Promise<Verdict> {
  const { title, baseline, subject, control = baseline, rounds = 9, warmUp = 1 } = comparison;
  const measured: Round[] = [];
  for (let index = 0; index < rounds + warmUp; index += 1) {
    const round = await measureRound({ baseline, subject, control }, index);
    if (index >= warmUp) measured.push(round);
  }
  const ratio = median(measured.map((round) => round.subject / round.baseline));
  const controls = measured.map((round) => round.control / round.baseline);
  const spread = Math.max(Math.abs(quantile(controls, 0.25) - 1), Math.abs(quantile(controls, 0.75) - 1));
  const outcome = judge(ratio, spread, comparison);
  const verdict = { title, ratio, controlRatio: median(controls), spread, outcome, met: outcome !== 'misses' };
  printTable(comparison, measured, verdict);
  if (!verdict.met) process.exitCode = 1;
  return verdict;
}

/**
 * Runs a benchmark when its file is the program that was started, and not when it is imported.
 *
 * @param moduleUrl - the benchmark's `import.meta.url`.
 */
export async function runWhenExecuted(moduleUrl: string, run: () => Promise<void>): Promise<void> {
  const program = process.argv[1];
  if (program !== undefined && pathToFileURL(program).href === moduleUrl) await run();
}
