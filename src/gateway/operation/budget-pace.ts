import type { BudgetWindow } from '../../common/ports/watched-parts.ts';

/** What a wallet has spent within the window of a budget. */
export interface SpentBudget {
  readonly window: BudgetWindow;
  /** Lamports. */
  readonly spent: bigint;
}

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
/** So soon after midnight, what was spent on the day says nothing about its pace. */
const LEAST_SECONDS = 600;

/**
 * Computes for how many seconds lamports last, if they go on being spent as within the windows of the budgets. Returns null when
 * nothing was spent, and shortly after midnight UTC, when the pace of the day is not known.
 *
 * @param now - Unix milliseconds.
 */
export function computeLastsSeconds(
  lamports: bigint,
  budgets: readonly SpentBudget[],
  now: number,
): bigint | null {
  const elapsed = Math.floor(now / 1_000) % DAY_SECONDS;
  if (elapsed < LEAST_SECONDS && budgets.some(({ window }) => window === 'day')) return null;
  const ofDay = Math.max(elapsed, 1);
  // Lamports in a time that both windows divide, so that nothing is rounded before the end.
  const perTime = budgets.reduce(
    (sum, { window, spent }) => sum + spent * BigInt(window === 'hour' ? ofDay : HOUR_SECONDS),
    0n,
  );
  const seconds = BigInt(ofDay) * BigInt(HOUR_SECONDS);
  return perTime <= 0n ? null : (lamports * seconds) / perTime;
}
