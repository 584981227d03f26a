import { describe, expect, it } from 'vitest';
import { STORES } from '../../testing/store/test-store.ts';
import { createOrganisation } from '../accounts/organisations.ts';
import { listAudit } from '../audit/audit-log.ts';
import { KeyCache } from '../callers/key-cache.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { openTestPlatform } from '../../testing/platform/test-platform.ts';
import { refusedAs } from '../../testing/platform/refused.ts';
import { changePlanLimits, getKeylessLimits, resetPlanLimits } from './plan-limits.ts';
import { KEYLESS_LIMITS, type Limits, MAX_LIMIT, PLANS } from './plans.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('plan limits on %s', (kind) => {
  const platform = openForEach(() => openTestPlatform(NOW, kind), 'cleanUp');

  it('change at once here, and at the next refresh in another instance, until they are reset', async () => {
    const other = new KeyCache(platform.store, platform.hashKey, () => NOW);
    await other.refresh();
    const changed = { ...PLANS.pro, main: 12 };
    expect(unwrap(await change('pro', { main: 12 }))).toEqual(changed);
    expect(limitsOfDemo(platform.keys)).toEqual(changed);
    expect(limitsOfDemo(other)).toEqual(PLANS.pro);
    await other.refresh();
    expect(limitsOfDemo(other)).toEqual(changed);
    expect(other.planLimits).toEqual(platform.keys.planLimits);
    expect(unwrap(await reset('pro'))).toEqual(PLANS.pro);
    await other.refresh();
    expect([limitsOfDemo(platform.keys), limitsOfDemo(other)]).toEqual([PLANS.pro, PLANS.pro]);
  });

  it('keep what others have changed at the same time', async () => {
    await Promise.all([
      change('pro', { main: 1 }),
      change('pro', { execute: 2 }),
      change('pro', { submit: 3 }),
    ]);
    expect(limitsOfDemo(platform.keys)).toEqual({ main: 1, execute: 2, submit: 3 });
  });

  it('are in the audit log of the instance, and in that of no organisation', async () => {
    unwrap(await createOrganisation(platform, ACTOR, { slug: 'keyless', plan: 'free' }));
    unwrap(await change('keyless', { main: 0 }));
    unwrap(await reset('keyless'));
    const usual = { ...KEYLESS_LIMITS, main: 30 };
    const { items } = unwrap(await listAudit(platform, { subject: 'plan:keyless' }));
    expect(items.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'plan.limits_reset', before: { ...usual, main: 0 }, after: usual },
      { action: 'plan.limits_changed', before: usual, after: { ...usual, main: 0 } },
    ]);
    const own = unwrap(await listAudit(platform, { subject: 'keyless' })).items;
    expect(own.map(({ action }) => action)).toEqual(['organisation.created']);
  });

  it.each<[string, Partial<Limits>, string]>([
    [
      'gold',
      { main: 1 },
      'plan must be one of keyless, keyless-local, free, developer, launch, pro, got "gold"',
    ],
    ['free', {}, 'give one or more of main, execute, submit'],
    ['free', { main: 0 }, 'main of free must be a whole number from 1 to 1000000, got 0'],
    ['keyless', { execute: 0 }, 'execute of keyless must be a whole number from 1 to 1000000, got 0'],
    ['keyless', { main: -1 }, 'main of keyless must be a whole number from 0 to 1000000, got -1'],
    ['pro', { submit: MAX_LIMIT + 1 }, 'submit of pro must be a whole number from 1 to 1000000, got 1000001'],
    ['pro', { main: 1.5 }, 'main of pro must be a whole number from 1 to 1000000, got 1.5'],
  ])('refuse %s with %j', async (plan, limits, message) => {
    expect(await change(plan, limits)).toEqual(refusedAs('invalid-value', message));
    expect(platform.keys.planLimits.size).toBe(0);
  });

  it('refuse a reset of what was not changed', async () => {
    const message = 'the limits of free were not changed, so there is nothing to reset';
    expect(await reset('free')).toEqual(refusedAs('not-found', message));
  });

  const change = (plan: string, limits: Partial<Limits>) =>
    changePlanLimits(platform, ACTOR, SETTINGS, plan, limits);
  const reset = (plan: string) => resetPlanLimits(platform, ACTOR, SETTINGS, plan);
  const limitsOfDemo = (keys: KeyCache) => keys.find(DEMO_KEY, NOW)?.limits;
});

describe('getKeylessLimits', () => {
  it.each([
    [SETTINGS, {}, [30, 3_000]],
    [SETTINGS, { keyless: 50 }, [50, 3_000]],
    [SETTINGS, { 'keyless-local': 9 }, [30, 9]],
    // Without a generous limit for this machine, one change is for all.
    [{ main: 30, local: 30 }, { keyless: 50 }, [50, 50]],
    // Switched off, it is off for all; the machine itself can be an exception.
    [SETTINGS, { keyless: 0 }, [0, 0]],
    [SETTINGS, { keyless: 0, 'keyless-local': 9 }, [0, 9]],
    [{ main: 0, local: 0 }, { keyless: 5 }, [5, 5]],
  ])('with the settings %j and the changes %j is %j', (settings, changed, limits) => {
    expect(mains(settings, changed)).toEqual(limits);
  });

  const mains = (settings: typeof SETTINGS, changed: Readonly<Record<string, number>>) => {
    const limits = Object.entries(changed).map(([name, main]) => [name, { ...KEYLESS_LIMITS, main }]);
    const inForce = getKeylessLimits(settings, new Map(limits as []));
    return [inForce.keyless.main, inForce['keyless-local'].main];
  };
});

const NOW = 1_790_000_000_000;
const ACTOR = { who: 'operator', from: 'here' };
const SETTINGS = { main: 30, local: 3_000 };
const DEMO_KEY = 'jup_of_the_data_folder';
