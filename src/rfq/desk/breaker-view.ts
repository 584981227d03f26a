import type { BreakerPolicy, FillOutcome, MakerState } from '../makers/maker-state.ts';
import type { ConductPolicy, WebhookState } from '../webhooks/conduct.ts';

/** How far a maker is from being taken out of the market, by what its last swaps came to. */
export interface BreakerView {
  /** `off`: it is switched off, and no miss suspends the maker. `suspended`: it took the maker out of the market. */
  readonly state: 'off' | 'closed' | 'suspended';
  /** The swaps within the window, and how many of them were filled. */
  readonly swaps: number;
  readonly filled: number;
  /** How many swaps in a row, missed from now on, suspend the maker; null if none does, or it is suspended. */
  readonly missesLeft: number | null;
}

/**
 * Computes how far the fill rate of a maker is from its suspension.
 * @param now - Unix milliseconds.
 */
export function computeBreakerView(
  { suspendedUntil, outcomes }: Pick<MakerState, 'suspendedUntil' | 'outcomes'>,
  policy: Pick<BreakerPolicy, 'enabled' | 'windowMs' | 'minimumSwaps' | 'thresholdPercent'>,
  now: number,
): BreakerView {
  const isSuspended = suspendedUntil !== null && suspendedUntil > now;
  const state = isSuspended ? 'suspended' : policy.enabled ? 'closed' : 'off';
  return { state, ...countRecent(outcomes, policy, now, state === 'closed') };
}

/**
 * Computes the same for a webhook, which its fill rate turns off until the operator enables it.
 * @param now - Unix milliseconds.
 */
export function computeWebhookBreakerView(
  { off, suspendedUntil, outcomes }: Pick<WebhookState, 'off' | 'suspendedUntil' | 'outcomes'>,
  policy: Pick<ConductPolicy, 'windowMs' | 'minimumSwaps' | 'thresholdPercent'>,
  now: number,
): BreakerView {
  const isSuspended = off !== null || (suspendedUntil !== null && suspendedUntil > now);
  return { state: isSuspended ? 'suspended' : 'closed', ...countRecent(outcomes, policy, now, !isSuspended) };
}

type RatePolicy = Pick<BreakerPolicy, 'windowMs' | 'minimumSwaps' | 'thresholdPercent'>;

function countRecent(
  outcomes: readonly Pick<FillOutcome, 'at' | 'filled'>[],
  { windowMs, minimumSwaps, thresholdPercent }: RatePolicy,
  now: number,
  isClosed: boolean,
): Omit<BreakerView, 'state'> {
  const recent = outcomes.filter(({ at }) => at > now - windowMs);
  const swaps = recent.length;
  const filled = recent.filter((outcome) => outcome.filled).length;
  if (!isClosed || thresholdPercent === 0) return { swaps, filled, missesLeft: null };
  // The rate is too low from the first number of swaps on of which `filled` is less than the threshold.
  const tooMany = Math.floor((filled * 100) / thresholdPercent) + 1;
  return { swaps, filled, missesLeft: Math.max(1, tooMany - swaps, minimumSwaps - swaps) };
}
