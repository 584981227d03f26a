import { formatForError } from '../../common/format-for-error.ts';
import { Refused } from '../../common/refusal.ts';

/**
 * Which requests are counted together. Each endpoint declares its bucket: `execute` for executing what Sluice has prepared,
 * `submit` for landing a transaction that the client made, `main` for everything else.
 */
export type Bucket = 'main' | 'execute' | 'submit';

/** How many requests each bucket admits within any 60 seconds. */
export type Limits = Readonly<Record<Bucket, number>>;

/** An instance remembers the time of each request, so a limit bounds its memory too. */
export const MAX_LIMIT = 1_000_000;

/**
 * The usual limits of a caller without a key. The setting `keyless-limit` replaces that of `main`. Organisations cannot have
 * them as a plan.
 */
export const KEYLESS_LIMITS: Limits = { main: 30, execute: 1_200, submit: 1_200 };

export const PLANS = {
  free: { main: 60, execute: 3_000, submit: 3_000 },
  developer: { main: 600, execute: 6_000, submit: 6_000 },
  launch: { main: 3_000, execute: 6_000, submit: 6_000 },
  pro: { main: 9_000, execute: 6_000, submit: 6_000 },
} as const satisfies Record<string, Limits>;

export type PlanName = keyof typeof PLANS;
export const PLAN_NAMES = Object.keys(PLANS) as PlanName[];
export const TOP_PLAN: PlanName = 'pro';

/** @throws Refused when there is no such plan */
export function parsePlanName(name: string): PlanName {
  const plan = PLAN_NAMES.find((candidate) => candidate === name);
  if (plan !== undefined) return plan;
  throw new Refused(
    'invalid-value',
    `plan must be one of ${PLAN_NAMES.join(', ')}, got ${formatForError(name)}`,
  );
}
