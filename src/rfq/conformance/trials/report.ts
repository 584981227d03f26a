import { LAST_LOOK_MS } from '../../fills/fill-results.ts';

/**
 * The default and maximum number of seconds that a maker has to sign a swap that it must not sign: as long as for an
 * order.
 */
export const MAX_WAIT_SECONDS = LAST_LOOK_MS / 1_000;

/** The situations in which the maker must not sign. */
export const REFUSAL_SITUATIONS = [
  'refuses a better price',
  'refuses expired terms',
  'refuses more than was quoted',
  'refuses an instruction that takes from its address',
  'refuses an instruction that takes from its token account',
  'refuses a fill outside the aggregator',
  'refuses other token accounts in its place',
] as const;

/** All situations, in the order in which the maker is put through them. */
export const SITUATIONS = [
  'connection',
  'quotes',
  'fill',
  ...REFUSAL_SITUATIONS,
  'expiry',
  'reconnect',
  'back-pressure',
] as const;

/** What a maker's webhook is put through, in this order. The first eight are those of the public acceptance suite. */
export const WEBHOOK_SITUATIONS = [
  'tokens',
  'quote of an exact input',
  'quote of an exact output',
  'no quote of an unknown token',
  'swap',
  'rejection',
  'rejection for lack of balance',
  'rejection of a signature',
  'refuses a better price',
  'refuses an instruction that takes from its address',
  'refuses to pay for an account',
  'refuses a quote that is not its own',
  'malformed requests',
  'key',
] as const;
export type WebhookSituation = (typeof WEBHOOK_SITUATIONS)[number];
export type Situation = (typeof SITUATIONS)[number] | WebhookSituation;

/** Whether a maker is checked by the streams that it has open, or by its webhook. */
export type CheckKind = 'streams' | 'webhook';

/** The situations of each kind of check. */
export const SITUATIONS_BY_KIND: Readonly<Record<CheckKind, readonly Situation[]>> = {
  streams: SITUATIONS,
  webhook: WEBHOOK_SITUATIONS,
};

/** `skipped`: the situation could not be tried, which does not count against the maker. */
export type CheckOutcome = 'passed' | 'failed' | 'skipped';

export interface CheckVerdict {
  readonly outcome: CheckOutcome;
  /** A sentence with the observed values. */
  readonly detail: string;
}

export interface Finding extends CheckVerdict {
  readonly situation: Situation;
}

export interface Report {
  readonly makerId: string;
  readonly kind: CheckKind;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Null while the check is running. */
  readonly endedAt: number | null;
  /** Whether the check is running, so that more findings follow. */
  readonly running: boolean;
  /** Whether the check has ended and every situation passed. */
  readonly passed: boolean;
  /** One finding for each situation that is over, in their order. */
  readonly findings: readonly Finding[];
}

export function reportPassed(detail: string): CheckVerdict {
  return { outcome: 'passed', detail };
}

export function reportFailed(detail: string): CheckVerdict {
  return { outcome: 'failed', detail };
}

export function reportSkipped(detail: string): CheckVerdict {
  return { outcome: 'skipped', detail };
}

/** A situation on the checklist of a check. */
export interface ChecklistEntry {
  readonly situation: Situation;
  /** `missing`: the check ended before the situation. */
  readonly outcome: CheckOutcome | 'running' | 'waiting' | 'missing';
  /** Null before the end of the situation. */
  readonly detail: string | null;
}

/**
 * Returns every situation of a check with what is known of it. The swaps that the maker must not sign are tried at once, so
 * they run together.
 */
export function toChecklist({ kind, running, findings }: Report): readonly ChecklistEntry[] {
  const found = new Map(findings.map((finding) => [finding.situation, finding]));
  const situations = SITUATIONS_BY_KIND[kind];
  const next = situations.find((situation) => !found.has(situation));
  const together: ReadonlySet<Situation> = new Set(REFUSAL_SITUATIONS);
  const runsWithNext = (situation: Situation) =>
    situation === next ||
    (kind === 'streams' && next !== undefined && together.has(next) && together.has(situation));
  return situations.map((situation) => {
    const finding = found.get(situation);
    if (finding !== undefined) return { situation, outcome: finding.outcome, detail: finding.detail };
    if (!running) return { situation, outcome: 'missing', detail: null };
    return { situation, outcome: runsWithNext(situation) ? 'running' : 'waiting', detail: null };
  });
}
