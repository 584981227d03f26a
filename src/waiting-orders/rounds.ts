import type { RecurringPlan } from './order-plan.ts';
import type { RoundProgress } from './waiting-order.ts';

const SHORTEST_WINDOW_MS = 30_000;
const LONGEST_WINDOW_MS = 7_200_000;

/** Returns how far an order has come whose deposit is about to be sent. */
export function startRounds({ beginAt }: Pick<RecurringPlan, 'beginAt'>): RoundProgress {
  return { filled: 0, nextAt: beginAt, lastAt: null };
}

/** Computes the atoms that a round sells. The last one sells what is left, with the rest of the division. */
export function computeRoundAmount(inputAmount: bigint, rounds: number): bigint {
  return inputAmount / BigInt(rounds);
}

/** Computes how long a round that is due is tried before it is put off to the next interval. */
export function computeRetryWindowMs(intervalMs: number): number {
  return Math.min(Math.max(intervalMs / 2, SHORTEST_WINDOW_MS), LONGEST_WINDOW_MS);
}

/** Whether a round may be filled at a time. */
export function isRoundDue({ nextAt }: RoundProgress, plan: RecurringPlan, at: number): boolean {
  return at >= nextAt && at < nextAt + computeRetryWindowMs(plan.intervalMs);
}

/**
 * Whether the time in which a round could be filled has passed, or will not come for so long that the clock was ahead when it was
 * put off, and has been put back since.
 */
export function isRoundMissed(progress: RoundProgress, plan: RecurringPlan, at: number): boolean {
  return at >= progress.nextAt + computeRetryWindowMs(plan.intervalMs) || isPutOffTooFar(progress, plan, at);
}

/** After a fill, the next round is due an interval and a small part of it later. Only the first one may be due at any time. */
function isPutOffTooFar(
  { nextAt }: RoundProgress,
  { beginAt, intervalMs }: RecurringPlan,
  at: number,
): boolean {
  return nextAt > beginAt && nextAt >= at + 2 * intervalMs;
}

/**
 * Puts a round off that was not filled in its time: by as many whole intervals as are needed, so that rounds that were missed
 * are not made up for together, and orders keep their distance in time. After the clock was put back, that is one interval from
 * now at least, because nobody knows how long ago the last fill was.
 */
export function recordMissedRound(progress: RoundProgress, plan: RecurringPlan, at: number): RoundProgress {
  const { beginAt, intervalMs } = plan;
  const { nextAt } = progress;
  if (isPutOffTooFar(progress, plan, at)) {
    return { ...progress, nextAt: Math.max(beginAt, at + intervalMs + ((nextAt - at) % intervalMs)) };
  }
  const passed = Math.max(1, Math.ceil((at - nextAt + 1) / intervalMs));
  return { ...progress, nextAt: nextAt + passed * intervalMs };
}

/** A fill of a round. */
export interface FilledRound {
  readonly at: number;
  readonly delayMs: number;
  /** Whether the order has nothing left to sell. */
  readonly isDone: boolean;
}

/**
 * Counts a round that was filled. The next one is due an interval later, and a little more by chance, so that nobody knows when
 * it will be. The last round is counted only when everything is sold: what a fill has left of it waits for an interval, too.
 */
export function recordFilledRound(
  { filled, nextAt }: RoundProgress,
  { intervalMs, rounds }: RecurringPlan,
  { at, delayMs, isDone }: FilledRound,
): RoundProgress {
  if (isDone) return { filled: Math.min(filled + 1, rounds), nextAt, lastAt: at };
  return { filled: Math.min(filled + 1, rounds - 1), nextAt: at + intervalMs + delayMs, lastAt: at };
}
