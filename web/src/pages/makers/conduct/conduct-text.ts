import { formatCounted } from '../../../base/count-words.ts';
import { formatBriefDuration, formatUtcTime } from '../../../base/format-time.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import type { BreakerCounts, MakerConduct, StreamBreaker, WebhookBreaker } from '../source/maker-shapes.ts';
import { formatCountShare } from '../text/format-share.ts';

/** A bucket of last-look times. */
type LookBucket = MakerConduct['lastLookTimes'][number];

/** Formats a tick of an axis of counts, on which there is nothing between two whole numbers. */
export function formatCount(value: number): string {
  return Number.isInteger(value) ? formatWhole(value) : '';
}

/** A count with the words for it. */
export function formatOrders(count: number): string {
  return formatCounted(count, 'order');
}

/** Names the buckets of last-look times, of which each begins where the one before ends. */
export function nameLookBucket({ upToMs }: LookBucket, before: LookBucket | undefined): string {
  if (upToMs !== null) return `≤ ${formatBriefDuration(upToMs)}`;
  return before === undefined || before.upToMs === null ? 'any' : `> ${formatBriefDuration(before.upToMs)}`;
}

/** Says how far behind a maker was: the buckets are distances in basis points, from the closest on. */
export function nameDistance(upToBps: number | null, before: number | null): string {
  if (upToBps === 0) return 'not behind';
  if (upToBps === null) return before === null ? 'any distance' : `more than ${before} bps`;
  return before === null || before === 0 ? `up to ${upToBps} bps` : `${before} to ${upToBps} bps`;
}

/** Says how the breaker of the streams stands, and what would trip it. */
export function describeStreamBreaker(breaker: StreamBreaker): string {
  const { state, suspendedUntil } = breaker;
  if (state === 'off')
    return 'The breaker is off, so no fill rate suspends the maker. The setting maker-breaker turns it on.';
  if (state === 'suspended') {
    const until = suspendedUntil === null ? '' : ` until ${formatUtcTime(suspendedUntil)}`;
    return `The maker is suspended${until}, because it filled too few of its swaps. The operator can reinstate it before.`;
  }
  return `${describeWindow(breaker)} ${describeRule(breaker)} suspends it.`;
}

/** Says how the breaker of the webhook stands, and what would trip it. */
export function describeWebhookBreaker(breaker: WebhookBreaker): string {
  const { state, suspendedUntil } = breaker;
  if (state === 'off') return 'The webhook is off until the operator enables it.';
  if (state === 'suspended') {
    const until = suspendedUntil === null ? '' : ` until ${formatUtcTime(suspendedUntil)}`;
    return `The webhook is not asked${until}: it missed swaps or did not answer.`;
  }
  return `${describeWindow(breaker)} ${describeRule(breaker)} turns it off until the operator enables it.`;
}

function describeWindow({ filled, swaps, windowMs }: BreakerCounts): string {
  const window = formatBriefDuration(windowMs);
  const rate = formatCountShare(filled, swaps);
  return rate === null
    ? `No swap ended in the last ${window}.`
    : `${filled} of ${swaps} swaps of the last ${window} were filled, which is ${rate}.`;
}

function describeRule({ thresholdPercent, minimumSwaps }: BreakerCounts): string {
  return `A fill rate below ${thresholdPercent}% of at least ${minimumSwaps} swaps`;
}
