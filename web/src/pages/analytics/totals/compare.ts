import { formatWhole } from '../../../base/format-amount.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import type { AnalyticsReport } from '../source/analytics-shapes.ts';

/** Formats how much a number changed: `+25%`, `−3.4%`, `the same`. */
export function formatChange(change: number): string {
  const percent = change * 100;
  const size = Math.abs(percent);
  if (size < 0.05) return 'the same';
  const text = size < 9.95 ? size.toFixed(1) : formatWhole(BigInt(Math.round(Math.min(size, 1e15))));
  return `${percent < 0 ? '\u2212' : '+'}${text}%`;
}

/** Whether the range before was counted whole, and in a sentence what it was, or why there is none. */
export interface Comparison {
  readonly isWhole: boolean;
  readonly text: string;
}

/** Says what a range is compared with. */
export function describeComparison({
  previousRange: { since, until },
  countedSince,
  previous,
}: Pick<AnalyticsReport, 'previousRange' | 'countedSince' | 'previous'>): Comparison {
  const before = `${formatUtcTime(since)} to ${formatUtcTime(until)}`;
  if (countedSince === null || countedSince >= until) {
    return {
      isWhole: false,
      text:
        countedSince === null
          ? 'No request is counted yet, so there is nothing to compare with.'
          : `There is nothing to compare with: requests are counted since ${formatUtcTime(countedSince)}, and the range before is ${before}.`,
    };
  }
  if (countedSince > since) {
    return {
      isWhole: false,
      text: `The range before, ${before}, is known in part only: requests are counted since ${formatUtcTime(countedSince)}. So no changes are shown.`,
    };
  }
  return {
    isWhole: true,
    text:
      previous.requests === 0
        ? `In the range of the same length before, ${before}, there were no requests.`
        : `Compared with the range of the same length before: ${before}.`,
  };
}

/**
 * Says how a number changed, and what it was.
 * @param change - Null: it was nothing.
 */
export function describeChange(
  change: number | null,
  before: string,
  { isWhole }: Pick<Comparison, 'isWhole'>,
): string | undefined {
  if (!isWhole) return undefined;
  return change === null ? `before: ${before}` : `${formatChange(change)}, before: ${before}`;
}
