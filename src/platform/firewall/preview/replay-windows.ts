import type { CompiledRule } from '../evaluate.ts';
import type { RuleAction } from '../rule.ts';

/** Counts requests in a sliding window, as the gateway does. */
export interface ReplayedWindow {
  /** Counts a request if it is within the limit. @param now - Unix milliseconds. */
  readonly hit: (now: number, limit: number) => { readonly admitted: boolean };
  /** Takes the newest request out of the window. */
  readonly takeBack: () => void;
}

export type RateLimitRule = CompiledRule & {
  readonly action: Extract<RuleAction, { readonly type: 'rate-limit' }>;
};

/** What a rate limit counts of a request. */
export interface CountedRequest {
  /** Unix milliseconds at which the request arrived. */
  readonly at: number;
  readonly keyId: string;
  readonly client: string;
  /** Whether the plan refused it, so that it takes no place in the window of a rule. */
  readonly isRefusedByPlan: boolean;
}

interface ReplayedSubject {
  /** Those that took a place for certain. */
  readonly places: ReplayedWindow;
  /** All that may have taken one. */
  readonly attempts: ReplayedWindow;
  /** Unix milliseconds until which a request that may or may not have a place is in the window. */
  openUntil: number;
}

/** Whether a request was within a limit; null: the log cannot tell. */
export type LimitVerdict = boolean | null;

/**
 * Replays the rate limits of rules over the times of the log. Requests are given in the order in which they arrived. Whether
 * a request counts may be unknown, because a rule may match or not; then what follows in its window is unknown too, as far as
 * the limit could be reached.
 */
export class ReplayedLimits {
  readonly #createWindow: (windowMs: number) => ReplayedWindow;
  readonly #subjects = new Map<string, ReplayedSubject>();

  /** @param createWindow - Creates an empty window of a length in milliseconds. */
  constructor(createWindow: (windowMs: number) => ReplayedWindow) {
    this.#createWindow = createWindow;
  }

  /** @param isCertain - Whether the rule decides for certain. */
  hit(rule: RateLimitRule, request: CountedRequest, isCertain: boolean): LimitVerdict {
    const { limit, windowSeconds } = rule.action;
    const windowMs = windowSeconds * 1_000;
    const { at, isRefusedByPlan } = request;
    const subject = this.#subjectOf(rule, request, windowMs);
    const verdict =
      at < subject.openUntil
        ? hitOpen(subject, at, limit, isCertain)
        : hitExact(subject, at, limit, isCertain);
    // What was refused, by this limit or by the plan, has no place.
    if (verdict === false) return false;
    if (isRefusedByPlan) {
      if (verdict === true && isCertain) subject.places.takeBack();
      subject.attempts.takeBack();
      return verdict;
    }
    if (verdict === null || !isCertain) subject.openUntil = at + windowMs;
    return verdict;
  }

  #subjectOf(
    { id, action: { per } }: RateLimitRule,
    { keyId, client }: CountedRequest,
    windowMs: number,
  ): ReplayedSubject {
    const counted = JSON.stringify([id, per === 'team' ? '' : per === 'key' ? keyId : client]);
    const known = this.#subjects.get(counted);
    if (known !== undefined) return known;
    const subject: ReplayedSubject = {
      places: this.#createWindow(windowMs),
      attempts: this.#createWindow(windowMs),
      openUntil: Number.NEGATIVE_INFINITY,
    };
    this.#subjects.set(counted, subject);
    return subject;
  }
}

/** Counts a request in a window of which everything is known. */
function hitExact(
  { places, attempts }: ReplayedSubject,
  at: number,
  limit: number,
  isCertain: boolean,
): boolean {
  const { admitted } = places.hit(at, limit);
  if (!admitted) return false;
  attempts.hit(at, EVERY);
  if (!isCertain) places.takeBack();
  return true;
}

/** Counts a request in a window that may have fewer requests than were tried. */
function hitOpen(
  { places, attempts }: ReplayedSubject,
  at: number,
  limit: number,
  isCertain: boolean,
): LimitVerdict {
  if (!attempts.hit(at, limit).admitted) {
    attempts.hit(at, EVERY);
    return null;
  }
  if (isCertain) places.hit(at, EVERY);
  return true;
}

/** A limit that admits every request. */
const EVERY = Number.MAX_SAFE_INTEGER;
