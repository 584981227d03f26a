/** `prod`: the maker's books are in the market. `offline` and `suspended`: its books are not. */
export type MakerStatus = 'prod' | 'offline' | 'suspended';

/** When a maker that misses fills is taken out of the market. Times are in milliseconds. */
export interface BreakerPolicy {
  readonly enabled: boolean;
  /** Only outcomes that are not older than this count. */
  readonly windowMs: number;
  /** The fill rate is not judged below this number of outcomes in the window. */
  readonly minimumSwaps: number;
  /** Whole percent. A fill rate below it suspends the maker. */
  readonly thresholdPercent: number;
  readonly suspensionMs: number;
}

export interface FillOutcome {
  readonly swapUuid: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly filled: boolean;
}

/** Everything that determines a maker's status. */
export interface MakerState {
  /** Whether the maker's swap stream is live. */
  readonly connected: boolean;
  /** Whether the operator disabled the maker. */
  readonly disabled: boolean;
  /** Whether the maker returned another message than it was offered. Only the operator can reset this. */
  readonly tampered: boolean;
  /** Unix milliseconds; null if the maker is not suspended. */
  readonly suspendedUntil: number | null;
  /** The outcomes since the last suspension, oldest first. */
  readonly outcomes: readonly FillOutcome[];
}

export type MakerEvent =
  | { readonly kind: 'connected' | 'disconnected' | 'disabled' | 'enabled' | 'reinstated' | 'time' }
  | { readonly kind: 'filled' | 'missed' | 'tampered'; readonly swapUuid: string };

export interface Transition {
  readonly from: MakerStatus;
  readonly to: MakerStatus;
  /** Unix milliseconds. */
  readonly at: number;
  /** Why the status changed, as a sentence. */
  readonly cause: string;
}

export const NEW_MAKER: MakerState = {
  connected: false,
  disabled: false,
  tampered: false,
  suspendedUntil: null,
  outcomes: [],
};

export const DEFAULT_BREAKER: BreakerPolicy = {
  enabled: false,
  windowMs: 3_600_000,
  minimumSwaps: 10,
  thresholdPercent: 50,
  suspensionMs: 600_000,
};

/** The maximum number of outcomes that a fill rate is computed from, however long the window is. */
export const MAX_OUTCOMES = 1_000;

/** Computes the status. Disabling and tampering take precedence over a suspension, and a suspension over the stream. */
export function toMakerStatus(state: MakerState): MakerStatus {
  if (state.disabled || state.tampered) return 'offline';
  if (state.suspendedUntil !== null) return 'suspended';
  return state.connected ? 'prod' : 'offline';
}

/**
 * Applies an event to a maker. Pure.
 * @param now - Unix milliseconds.
 * @param policy - The settings of the circuit breaker.
 * @returns the new state, and each change of the status on the way
 *
 * @example
 * ```ts
 * import { advanceMaker, DEFAULT_BREAKER, NEW_MAKER } from './maker-state.ts';
 *
 * const { state, transitions } = advanceMaker(NEW_MAKER, { kind: 'connected' }, Date.now(), DEFAULT_BREAKER);
 * state.connected; // true
 * transitions[0]?.to; // 'prod'
 * ```
 */
export function advanceMaker(
  before: MakerState,
  event: MakerEvent,
  now: number,
  policy: BreakerPolicy,
): { readonly state: MakerState; readonly transitions: readonly Transition[] } {
  const transitions: Transition[] = [];
  let state = before;
  const take = (next: MakerState, cause: string) => {
    const [from, to] = [toMakerStatus(state), toMakerStatus(next)];
    if (from !== to) transitions.push({ from, to, at: now, cause });
    state = next;
  };
  if (before.suspendedUntil !== null && before.suspendedUntil <= now) {
    take({ ...before, suspendedUntil: null }, 'the suspension is over');
  }
  take(changed(state, event, now, policy), CAUSES[event.kind]);
  const counts = event.kind === 'filled' || event.kind === 'missed';
  const rate = computeFillRate(state.outcomes);
  if (policy.enabled && counts && isTooLow(rate, policy)) {
    take({ ...state, suspendedUntil: now + policy.suspensionMs, outcomes: [] }, lowRate(rate, policy));
  }
  return { state, transitions };
}

const CAUSES: Record<MakerEvent['kind'], string> = {
  connected: 'the swap stream is live',
  disconnected: 'the swap stream dropped',
  disabled: 'the operator disabled the maker',
  enabled: 'the operator enabled the maker',
  reinstated: 'the operator reinstated the maker',
  time: 'time passed',
  filled: 'a swap was filled',
  missed: 'a swap was missed',
  tampered: 'a swap came back with a modified message',
};

function changed(state: MakerState, event: MakerEvent, now: number, policy: BreakerPolicy): MakerState {
  switch (event.kind) {
    case 'connected':
      return { ...state, connected: true };
    case 'disconnected':
      return { ...state, connected: false };
    case 'disabled':
      return { ...state, disabled: true };
    case 'enabled':
      return { ...state, disabled: false };
    case 'reinstated':
      return { ...state, tampered: false, suspendedUntil: null, outcomes: [] };
    case 'tampered':
      return { ...state, tampered: true };
    case 'time':
      return state;
    case 'filled':
    case 'missed':
      return counted(state, { swapUuid: event.swapUuid, at: now, filled: event.kind === 'filled' }, policy);
  }
}

/**
 * A swap that ends during a suspension was offered before it, so it does not count. Counting starts again afterwards.
 */
function counted(state: MakerState, outcome: FillOutcome, { windowMs }: BreakerPolicy): MakerState {
  if (state.suspendedUntil !== null) return state;
  if (state.outcomes.some(({ swapUuid }) => swapUuid === outcome.swapUuid)) return state;
  const recent = state.outcomes.filter(({ at }) => at > outcome.at - windowMs);
  return { ...state, outcomes: [...recent, outcome].slice(-MAX_OUTCOMES) };
}

interface Rate {
  readonly filled: number;
  readonly swaps: number;
}

export function computeFillRate(outcomes: readonly Pick<FillOutcome, 'filled'>[]): Rate {
  return { filled: outcomes.filter(({ filled }) => filled).length, swaps: outcomes.length };
}

function isTooLow({ filled, swaps }: Rate, { minimumSwaps, thresholdPercent }: BreakerPolicy): boolean {
  return swaps > 0 && swaps >= minimumSwaps && filled * 100 < swaps * thresholdPercent;
}

function lowRate({ filled, swaps }: Rate, { thresholdPercent }: BreakerPolicy): string {
  return `${filled} of the last ${swaps} swaps were filled, which is less than ${thresholdPercent}%`;
}
