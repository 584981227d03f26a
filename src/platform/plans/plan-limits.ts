import { eq } from 'drizzle-orm';
import { formatForError } from '../../common/format-for-error.ts';
import type { Database } from '../../store/index.ts';
import { planLimits } from '../tables/account-tables.ts';
import { type Actor, change, type ChangeDependencies } from '../audit/audit.ts';
import { Refused, toResult, type Result } from '../../common/refusal.ts';
import {
  type Bucket,
  KEYLESS_LIMITS,
  type Limits,
  MAX_LIMIT,
  PLAN_NAMES,
  PLANS,
  type PlanName,
} from './plans.ts';

/** Callers without a key, and those of them on the machine of the instance. */
export const KEYLESS_NAMES = ['keyless', 'keyless-local'] as const;
export const LIMITED_NAMES = [...KEYLESS_NAMES, ...PLAN_NAMES];
export type LimitedName = (typeof LIMITED_NAMES)[number];

/** The limits that the operator has changed. */
export type ChangedLimits = ReadonlyMap<LimitedName, Limits>;

export const NO_CHANGED_LIMITS: ChangedLimits = new Map();
const BUCKETS: readonly Bucket[] = ['main', 'execute', 'submit'];

/** What the settings admit without a key, in any 60 seconds. 0: a key is required. */
export interface KeylessSettings {
  readonly main: number;
  /** The same for callers on the machine of the instance. */
  readonly local: number;
}

/** Reads the changed limits. A name that this version does not know is left out. */
export async function loadPlanLimits(db: Database): Promise<ChangedLimits> {
  const changed = new Map<LimitedName, Limits>();
  for (const { plan, main, execute, submit } of await db.select().from(planLimits)) {
    const name = LIMITED_NAMES.find((candidate) => candidate === plan);
    if (name !== undefined) changed.set(name, { main, execute, submit });
  }
  return changed;
}

/** Returns the limits of a plan that are in force. */
export function getPlanLimits(changed: ChangedLimits, plan: PlanName): Limits {
  return changed.get(plan) ?? PLANS[plan];
}

/**
 * Returns the limits of callers without a key that are in force. If they were changed to none, callers on the machine of
 * the instance have none either, unless theirs were changed too.
 */
export function getKeylessLimits(
  settings: KeylessSettings,
  changed: ChangedLimits,
): Readonly<Record<(typeof KEYLESS_NAMES)[number], Limits>> {
  const keyless = changed.get('keyless');
  const follows = settings.local === settings.main || keyless?.main === 0;
  return {
    keyless: keyless ?? { ...KEYLESS_LIMITS, main: settings.main },
    'keyless-local':
      changed.get('keyless-local') ??
      (keyless !== undefined && follows ? keyless : { ...KEYLESS_LIMITS, main: settings.local }),
  };
}

/** Returns the limits that are in force for a plan or for callers without a key. */
export function getLimitsInForce(
  settings: KeylessSettings,
  changed: ChangedLimits,
  name: LimitedName,
): Limits {
  return name === 'keyless' || name === 'keyless-local'
    ? getKeylessLimits(settings, changed)[name]
    : getPlanLimits(changed, name);
}

/**
 * Changes limits, from the next request on.
 * @param plan - A plan, `keyless` or `keyless-local`.
 * @param limits - Those that change; `main` of callers without a key may be 0, and they then need one.
 * @returns the limits in force; a refusal when there is no such plan, nothing is given, or a limit is out of its bounds
 *
 * @example
 * ```ts
 * import type { ChangeDependencies } from '../audit/audit.ts';
 * import { changePlanLimits } from './plan-limits.ts';
 *
 * // Lets every organisation with the plan `pro` send 12,000 requests in any 60 seconds.
 * async function raisePro(platform: ChangeDependencies): Promise<number | null> {
 *   const actor = { who: 'operator', from: '127.0.0.1' };
 *   const changed = await changePlanLimits(platform, actor, { main: 30, local: 30 }, 'pro', { main: 12_000 });
 *   return changed.ok ? changed.value.main : null;
 * }
 * ```
 */
export function changePlanLimits(
  platform: ChangeDependencies,
  actor: Actor,
  settings: KeylessSettings,
  plan: string,
  limits: Partial<Limits>,
): Promise<Result<Limits>> {
  return toResult(async () => {
    const name = parseLimitedName(plan);
    checkLimits(name, limits);
    return change(platform, actor, async (db) => {
      const before = getLimitsInForce(settings, await loadPlanLimits(db), name);
      const after = { ...before, ...limits };
      await db
        .insert(planLimits)
        .values({ plan: name, ...after })
        .onConflictDoUpdate({ target: planLimits.plan, set: after });
      return { result: after, action: 'plan.limits_changed', subject: subjectOf(name), before, after };
    });
  });
}

/**
 * Gives a plan its usual limits again.
 * Returns the limits in force; a refusal when there is no such plan, or its limits are the usual ones.
 */
export function resetPlanLimits(
  platform: ChangeDependencies,
  actor: Actor,
  settings: KeylessSettings,
  plan: string,
): Promise<Result<Limits>> {
  return toResult(async () => {
    const name = parseLimitedName(plan);
    return change(platform, actor, async (db) => {
      const changed = new Map(await loadPlanLimits(db));
      const before = changed.get(name);
      if (before === undefined) {
        throw new Refused(
          'not-found',
          `the limits of ${name} were not changed, so there is nothing to reset`,
        );
      }
      await db.delete(planLimits).where(eq(planLimits.plan, name));
      changed.delete(name);
      const after = getLimitsInForce(settings, changed, name);
      return { result: after, action: 'plan.limits_reset', subject: subjectOf(name), before, after };
    });
  });
}

/** No organisation can have a slug with a colon, so that none sees these entries as its own. */
function subjectOf(name: LimitedName): string {
  return `plan:${name}`;
}

function parseLimitedName(text: string): LimitedName {
  const name = LIMITED_NAMES.find((candidate) => candidate === text);
  if (name !== undefined) return name;
  throw new Refused(
    'invalid-value',
    `plan must be one of ${LIMITED_NAMES.join(', ')}, got ${formatForError(text)}`,
  );
}

function checkLimits(name: LimitedName, limits: Partial<Limits>): void {
  const given = BUCKETS.filter((bucket) => limits[bucket] !== undefined);
  if (given.length === 0) throw new Refused('invalid-value', `give one or more of ${BUCKETS.join(', ')}`);
  for (const bucket of given) {
    const limit = limits[bucket] ?? 0;
    const isKeyless = KEYLESS_NAMES.some((keyless) => keyless === name);
    const least = isKeyless && bucket === 'main' ? 0 : 1;
    if (Number.isSafeInteger(limit) && limit >= least && limit <= MAX_LIMIT) continue;
    throw new Refused(
      'invalid-value',
      `${bucket} of ${name} must be a whole number from ${least} to ${MAX_LIMIT}, got ${formatForError(limit)}`,
    );
  }
}
