/** When a webhook maker that misses fills is no longer asked. Times are in milliseconds. */
export interface ConductPolicy {
  /** The fill rate counts outcomes that are not older than this. */
  readonly windowMs: number;
  /** The fill rate is not judged below this number of outcomes in the window. */
  readonly minimumSwaps: number;
  /** Whole percent. A fill rate below it turns the webhook off. */
  readonly thresholdPercent: number;
  /**
   * The suspension after the first accumulated failure, after the second, and so on. The last duration applies to all
   * further failures.
   */
  readonly suspensionsMs: readonly number[];
}

const MINUTE = 60_000;

/** The numbers of the public service. Its minimum of swaps is not public: at 20, one miss is exactly 95 %. */
export const WEBHOOK_CONDUCT: ConductPolicy = {
  windowMs: 60 * MINUTE,
  minimumSwaps: 20,
  thresholdPercent: 95,
  suspensionsMs: [5 * MINUTE, 10 * MINUTE, 20 * MINUTE, 30 * MINUTE],
};

export interface WonQuote {
  readonly requestId: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly filled: boolean;
}

/** Everything that determines whether a webhook maker is asked. */
export interface WebhookState {
  /** Unix milliseconds; null if the maker is not suspended. */
  readonly suspendedUntil: number | null;
  /** Why the webhook is off until the operator enables it, as a sentence; null if it is not. */
  readonly off: string | null;
  /** Accumulated failures in thousandths. Each confirmed fill reduces them by a fifth. */
  readonly failures: number;
  /** The quotes that the maker won within the window, oldest first. */
  readonly outcomes: readonly WonQuote[];
  readonly filled: number;
  readonly missed: number;
  /** Swaps that could not be filled through no fault of the maker. */
  readonly excused: number;
}

export const NEW_WEBHOOK: WebhookState = {
  suspendedUntil: null,
  off: null,
  failures: 0,
  outcomes: [],
  filled: 0,
  missed: 0,
  excused: 0,
};

export type WebhookEvent =
  | { readonly kind: 'filled' | 'missed' | 'excused'; readonly requestId: string }
  /** The maker rejected the swap and landed it nevertheless. */
  | { readonly kind: 'landed-though-rejected'; readonly requestId: string }
  /** Its webhook has not answered for a while. */
  | { readonly kind: 'unreachable'; readonly problem: string }
  | { readonly kind: 'enabled' };

export interface WebhookTransition {
  readonly from: WebhookStatus;
  readonly to: WebhookStatus;
  /** Why the status changed, as a sentence. */
  readonly cause: string;
}

/**
 * `prod`: the maker is asked. `suspended`: it is not asked until the suspension ends. `offline`: it is not asked until
 * the operator enables it.
 */
export type WebhookStatus = 'prod' | 'suspended' | 'offline';

const FAILURE = 1_000;
/** The maximum number of outcomes that a fill rate is computed from. */
const MAX_OUTCOMES = 1_000;

/** @param now - Unix milliseconds. */
export function computeWebhookStatus({ off, suspendedUntil }: WebhookState, now: number): WebhookStatus {
  if (off !== null) return 'offline';
  return suspendedUntil !== null && suspendedUntil > now ? 'suspended' : 'prod';
}

/**
 * Applies an event to a webhook maker. Pure. An event about a swap that counted already changes nothing.
 * @param now - Unix milliseconds.
 *
 * @example
 * ```ts
 * import { advanceWebhook, NEW_WEBHOOK, WEBHOOK_CONDUCT } from './conduct.ts';
 *
 * const missed = { kind: 'missed', requestId: 'a' } as const;
 * const { state, transition } = advanceWebhook(NEW_WEBHOOK, missed, 0, WEBHOOK_CONDUCT);
 * state.suspendedUntil; // 300000
 * transition?.to; // 'suspended'
 * ```
 */
export function advanceWebhook(
  before: WebhookState,
  event: WebhookEvent,
  now: number,
  policy: ConductPolicy,
): { readonly state: WebhookState; readonly transition: WebhookTransition | null } {
  const { state, cause } = changed(before, event, now, policy);
  const [from, to] = [computeWebhookStatus(before, now), computeWebhookStatus(state, now)];
  return { state, transition: from === to ? null : { from, to, cause } };
}

interface WebhookStateChange {
  readonly state: WebhookState;
  readonly cause: string;
}

function changed(
  state: WebhookState,
  event: WebhookEvent,
  now: number,
  policy: ConductPolicy,
): WebhookStateChange {
  switch (event.kind) {
    case 'enabled':
      return {
        state: { ...state, off: null, suspendedUntil: null, failures: 0, outcomes: [] },
        cause: 'the operator enabled the maker',
      };
    case 'unreachable':
      return suspended(state, now, policy, event.problem);
    case 'landed-though-rejected': {
      const off = `it landed the swap ${event.requestId} after it had rejected it`;
      return { state: { ...state, off }, cause: off };
    }
    case 'excused':
      return { state: { ...state, excused: state.excused + 1 }, cause: 'a swap could not be filled' };
    case 'filled':
    case 'missed':
      return counted(state, { ...event, at: now, filled: event.kind === 'filled' }, now, policy);
  }
}

function counted(state: WebhookState, won: WonQuote, now: number, policy: ConductPolicy): WebhookStateChange {
  const { requestId, at, filled } = won;
  if (state.outcomes.some((each) => each.requestId === requestId)) return { state, cause: '' };
  const recent = state.outcomes.filter((each) => each.at > at - policy.windowMs);
  const outcomes = [...recent, { requestId, at, filled }].slice(-MAX_OUTCOMES);
  if (filled) {
    const failures = Math.floor((state.failures * 4) / 5);
    return { state: { ...state, outcomes, failures, filled: state.filled + 1 }, cause: 'a swap was filled' };
  }
  const missed = { ...state, outcomes, missed: state.missed + 1 };
  const rate = { swaps: outcomes.length, filled: outcomes.filter((each) => each.filled).length };
  const { minimumSwaps, thresholdPercent } = policy;
  if (rate.swaps >= minimumSwaps && rate.filled * 100 < rate.swaps * thresholdPercent) {
    const off = `${rate.filled} of the last ${rate.swaps} swaps were filled, which is less than ${thresholdPercent}%`;
    return { state: { ...missed, off }, cause: off };
  }
  return suspended(missed, now, policy, 'a swap was missed');
}

function suspended(
  state: WebhookState,
  now: number,
  policy: ConductPolicy,
  cause: string,
): WebhookStateChange {
  const failures = state.failures + FAILURE;
  const { suspensionsMs } = policy;
  const level = Math.min(Math.ceil(failures / FAILURE), suspensionsMs.length);
  const until = now + (suspensionsMs[level - 1] ?? 0);
  return {
    state: { ...state, failures, suspendedUntil: Math.max(until, state.suspendedUntil ?? 0) },
    cause,
  };
}
