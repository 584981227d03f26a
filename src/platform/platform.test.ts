import { lt } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { apiKeys } from './tables/account-tables.ts';
import { auditLog } from './tables/audit-table.ts';
import { meta } from '../store/schema/meta.ts';
import type { Store } from '../store/index.ts';
import { openTestStore, STORES } from '../testing/store/test-store.ts';
import { listAudit } from './audit/audit-log.ts';
import { openPlatform, type OpenedPlatform } from './index.ts';
import { changeKey, createKey, deleteKey, listKeys } from './accounts/keys.ts';
import {
  changePlan,
  createOrganisation,
  deleteOrganisation,
  findOrganisation,
  listOrganisations,
} from './accounts/organisations.ts';
import { findPlanBefore } from './plans/plan-history.ts';
import { PLANS } from './plans/plans.ts';
import { createTeam, deleteTeam, listTeams } from './accounts/teams.ts';
import type { RefusalCode } from '../common/refusal.ts';
import { unwrap } from '../testing/platform/unwrap.ts';
import { refusedAs } from '../testing/platform/refused.ts';
import { openForEach } from '../testing/opened.ts';

describe.each(STORES)('the platform on %s', (kind) => {
  let now: number;
  let ticks: (() => void)[];
  let opened: OpenedPlatform[];
  let platform: OpenedPlatform;
  const test = openForEach(() => openTestStore(kind), 'cleanUp');
  beforeEach(setUp);
  afterEach(tearDown);

  it('stores the demo key once, as an ordinary key on the highest plan', async () => {
    expect(find(DEMO_KEY)).toMatchObject({ limits: PLANS.pro, products: null });
    await open();
    const path = { organisation: 'demo', team: 'demo' };
    expect(unwrap(await listKeys(platform, path)).map(({ name }) => name)).toEqual(['demo']);
    unwrap(await deleteKey(platform, ACTOR, { ...path, key: 'demo' }));
    expect(find(DEMO_KEY)).toBeNull();
    expect(find(DEMO_KEY, await open())).toBeNull();
    await open({ demoKey: 'jup_of_another_folder' });
    await open({ demoKey: 'jup_of_a_third_folder' });
    expect(unwrap(await listKeys(platform, path))).toHaveLength(2);
  });

  it('stores the demo keys of instances that start at the same time', async () => {
    const keys = ['jup_of_folder_number_one', 'jup_of_folder_number_two', 'jup_of_folder_number_three'];
    const empty = await openTestStore(kind);
    const stores = await Promise.all(keys.map(() => (kind === 'sqlite' ? empty.store : empty.reopen())));
    const started = await Promise.all(
      stores.map((store, index) => open({ store, demoKey: keys[index] ?? '' })),
    );
    for (const one of started) {
      await one.keys.refresh();
      for (const key of keys) expect(find(key, one)).toMatchObject({ limits: PLANS.pro });
    }
    for (const one of opened.splice(1)) await one.close();
    await empty.cleanUp();
  });

  it('issues keys of 256 bits, and stores nothing that a key could be derived from', async () => {
    const { key } = unwrap(await createKey(platform, ACTOR, CI, FOREVER));
    expect(key).toMatch(/^jup_[0-9a-f]{64}$/);
    expect(find(key)).toMatchObject({ limits: PLANS.free, products: null });
    const { db } = test.store;
    const stored = [
      await db.select().from(apiKeys),
      await db.select().from(auditLog),
      await db.select().from(meta),
    ];
    expect(JSON.stringify(stored)).not.toContain(key.slice(4));
    expect(JSON.stringify(stored)).not.toContain(DEMO_KEY);
    for (const wrong of ['', key.slice(0, -1), `${key}0`, key.toUpperCase(), 'x'.repeat(10_000)]) {
      expect(find(wrong)).toBeNull();
    }
  });

  it('gives each name once, also when several instances are asked for it at the same time', async () => {
    const other = await open();
    const ends = await Promise.all(
      [platform, other, platform, other].map((each) => createKey(each, ACTOR, CI, FOREVER)),
    );
    const refused = ends.filter(({ ok }) => !ok);
    expect(refused).toEqual(Array(3).fill(refusedAs('already-exists')));
    expect(unwrap(await listKeys(platform, TEAM))).toHaveLength(1);
  });

  it('applies a change of plan, products or expiry, and a deletion, at once', async () => {
    const { key } = unwrap(await createKey(platform, ACTOR, CI, FOREVER));
    unwrap(await changePlan(platform, ACTOR, 'acme', 'launch'));
    expect(find(key)?.limits).toEqual({ main: 3_000, execute: 6_000, submit: 6_000 });
    unwrap(await changeKey(platform, ACTOR, CI, { products: ['price', 'swap'], expiresAt: now + 1_000 }));
    expect(find(key)?.products).toEqual(['swap', 'price']);
    now += 999;
    expect(find(key)).not.toBeNull();
    now += 1;
    expect(find(key)).toBeNull();
    unwrap(await changeKey(platform, ACTOR, CI, FOREVER));
    expect(find(key)).not.toBeNull();
    unwrap(await deleteKey(platform, ACTOR, CI));
    expect(find(key)).toBeNull();
  });

  it.each([
    ['team', async () => unwrap(await deleteTeam(platform, ACTOR, TEAM))],
    ['organisation', async () => unwrap(await deleteOrganisation(platform, ACTOR, 'acme'))],
  ])('forgets the keys of a deleted %s', async (_what, remove) => {
    const { key } = unwrap(await createKey(platform, ACTOR, CI, FOREVER));
    await remove();
    expect(find(key)).toBeNull();
    expect((await test.store.db.select().from(apiKeys)).map(({ name }) => name)).toEqual(['demo']);
  });

  it('applies changes in other instances at their next refresh', async () => {
    const other = await open();
    const { key } = unwrap(await createKey(platform, ACTOR, CI, FOREVER));
    expect(find(key, other)).toBeNull();
    for (const tick of ticks) tick();
    await other.keys.refresh();
    expect(find(key, other)).not.toBeNull();
  });

  it('stores when a key was last used', async () => {
    const { key } = unwrap(await createKey(platform, ACTOR, CI, FOREVER));
    const lastUse = async (by: OpenedPlatform) => unwrap(await listKeys(by, TEAM))[0]?.lastUsedAt;
    expect(await lastUse(platform)).toBeNull();
    now += 5_000;
    find(key);
    expect(await lastUse(platform)).toBe(now);
    await platform.keys.writeUses();
    expect(await lastUse(await open())).toBe(now);
  });

  it('keeps the later of two uses, whichever instance writes last', async () => {
    const { key } = unwrap(await createKey(platform, ACTOR, CI, FOREVER));
    const other = await open();
    find(key, other);
    now += 5_000;
    find(key);
    await platform.keys.writeUses();
    await other.keys.writeUses();
    expect(unwrap(await listKeys(await open(), TEAM))[0]?.lastUsedAt).toBe(now);
  });

  it('writes uses of the same keys by several instances without a deadlock, while keys are deleted', async () => {
    const keys: string[] = [];
    for (let index = 0; index < 20; index++) {
      const path = index % 2 === 0 ? { ...TEAM, key: `k${index}` } : { ...DEMO, key: `k${index}` };
      keys.push(unwrap(await createKey(platform, ACTOR, path, FOREVER)).key);
    }
    const other = await open();
    for (const key of keys) find(key);
    for (const key of [...keys].reverse()) find(key, other);
    await Promise.all([
      platform.keys.writeUses(),
      other.keys.writeUses(),
      deleteTeam(platform, ACTOR, TEAM).then(unwrap),
    ]);
    const demo = unwrap(await listKeys(platform, DEMO)).filter(({ name }) => name !== 'demo');
    expect(demo.map(({ lastUsedAt }) => lastUsedAt)).toEqual(Array(10).fill(now));
  });

  it('writes who changed what, from where, and the previous value', async () => {
    unwrap(await changePlan(platform, ACTOR, 'acme', 'pro'));
    expect(unwrap(await listAudit(platform)).items).toContainEqual({
      at: now,
      actor: 'admin',
      origin: '127.0.0.1',
      action: 'plan.changed',
      subject: 'acme',
      before: { plan: 'free' },
      after: { plan: 'pro' },
    });
    expect(unwrap(await listAudit(platform, { limit: 2 })).items).toHaveLength(2);
  });

  it('finds the plan that was in force at any time', async () => {
    const acme = await findOrganisation(test.store.db, 'acme');
    const times: number[] = [];
    for (const plan of ['developer', 'pro', 'launch'] as const) {
      now += 1_000;
      times.push(now);
      unwrap(await changePlan(platform, ACTOR, 'acme', plan));
    }
    const at = (time: number) => findPlanBefore(test.store.db, { ...acme, plan: 'launch' }, time);
    const [developer = 0, pro = 0, launch = 0] = times;
    expect(await Promise.all([developer, developer + 1, pro, pro + 1, launch, launch + 1].map(at))).toEqual([
      ...['free', 'developer', 'developer', 'pro', 'pro', 'launch'],
    ]);
    expect(await at(acme.createdAt)).toBe('launch');
    await test.store.db.delete(auditLog).where(lt(auditLog.at, pro));
    expect(await at(developer + 1)).toBe('developer');
  });

  it('keeps nothing of a refused change, not even in the audit log', async () => {
    const before = unwrap(await listAudit(platform)).items.length;
    const refused: [() => Promise<unknown>, RefusalCode, string][] = [
      [
        () => createOrganisation(platform, ACTOR, { slug: 'acme', plan: 'free' }),
        'already-exists',
        'an organisation acme already',
      ],
      [() => createTeam(platform, ACTOR, TEAM), 'already-exists', 'acme has a team web already'],
      [
        () => createTeam(platform, ACTOR, { ...TEAM, organisation: 'none' }),
        'not-found',
        'no organisation "none"',
      ],
      [() => changePlan(platform, ACTOR, 'none', 'free'), 'not-found', 'no organisation "none"'],
      [() => listTeams(platform, 'none'), 'not-found', 'no organisation "none"'],
      [
        () => createKey(platform, ACTOR, { ...CI, team: 'none' }, FOREVER),
        'not-found',
        'acme has no team "none"',
      ],
      [() => deleteKey(platform, ACTOR, CI), 'not-found', 'acme/web has no key "ci"'],
    ];
    for (const [call, code, message] of refused) {
      expect(await call()).toEqual(refusedAs(code, message));
    }
    expect(unwrap(await listAudit(platform)).items).toHaveLength(before);
    expect(unwrap(await listOrganisations(platform)).items.map(({ slug }) => slug)).toEqual(['acme', 'demo']);
  });

  it('accepts the same name in another team, but not twice in one', async () => {
    unwrap(await createKey(platform, ACTOR, CI, FOREVER));
    expect(await createKey(platform, ACTOR, CI, FOREVER)).toEqual(refusedAs('already-exists'));
    unwrap(await createTeam(platform, ACTOR, { ...TEAM, team: 'app' }));
    unwrap(await createKey(platform, ACTOR, { ...CI, team: 'app' }, FOREVER));
    const both = [0, 1].map(() => createTeam(platform, ACTOR, { ...TEAM, team: 'same' }));
    const ends = await Promise.all(both);
    expect(ends.map(({ ok }) => ok).sort()).toEqual([false, true]);
  });

  it.each([
    ['', 'slug must be'],
    ['Web', 'slug must be'],
    ['we b', 'slug must be'],
    ['wéb', 'slug must be'],
    ['w'.repeat(49), 'slug must be'],
  ])('refuses the slug %j', async (slug, message) => {
    expect(await createTeam(platform, ACTOR, { ...TEAM, team: slug })).toEqual(
      refusedAs('invalid-value', message),
    );
  });

  it.each([
    [{ ...CI, key: '' }, FOREVER, 'name must be'],
    [{ ...CI, key: 'a\nb' }, FOREVER, 'name must be'],
    [{ ...CI, key: 'n'.repeat(65) }, FOREVER, 'name must be'],
    [CI, { products: [], expiresAt: null }, 'products must be'],
    [CI, { products: ['Swap'], expiresAt: null }, 'products must be'],
    [CI, { products: ['swap', 'swap'], expiresAt: null }, 'products must be'],
    [CI, { products: null, expiresAt: 1_790_000_000_000 }, 'expiresAt must be later than now'],
  ])('refuses the key %j with %j', async (path, terms, message) => {
    expect(await createKey(platform, ACTOR, path, terms)).toEqual(refusedAs('invalid-value', message));
  });

  it('refuses unknown plans, and the plan of callers without a key', async () => {
    for (const plan of ['keyless', 'toString', '']) {
      expect(await createOrganisation(platform, ACTOR, { slug: 'x', plan })).toEqual(
        refusedAs('invalid-value', 'plan must be one of'),
      );
    }
    expect((await findOrganisation(test.store.db, 'acme')).plan).toBe('free');
  });

  it('does not start with a secret other than the one that the keys were hashed with', async () => {
    await expect(open({ keySecret: 't'.repeat(64) })).rejects.toThrow(/set key-secret to the one/);
  });

  async function open(
    overrides: { keySecret?: string; demoKey?: string; store?: Store } = {},
  ): Promise<OpenedPlatform> {
    const one = await openPlatform({
      store: test.store,
      keySecret: SECRET,
      keyPrefix: 'jup_',
      products: ['swap', 'price'],
      memberTokenMs: null,
      demoKey: DEMO_KEY,
      now: () => now,
      every: (_milliseconds, work) => {
        ticks.push(work);
        return () => ticks.splice(ticks.indexOf(work), 1);
      },
      onDefect: (error) => {
        throw error;
      },
      ...overrides,
    });
    opened.push(one);
    return one;
  }

  async function setUp(): Promise<void> {
    now = 1_790_000_000_000;
    ticks = [];
    opened = [];
    platform = await open();
    unwrap(await createOrganisation(platform, ACTOR, { slug: 'acme', plan: 'free' }));
    unwrap(await createTeam(platform, ACTOR, TEAM));
  }

  async function tearDown(): Promise<void> {
    for (const one of opened) await one.close();
  }

  const find = (key: string, by = platform) => by.keys.find(key, now);
});

const DEMO_KEY = 'jup_of_the_data_folder';
const SECRET = 's'.repeat(64);
const ACTOR = { who: 'admin', from: '127.0.0.1' };
const TEAM = { organisation: 'acme', team: 'web' };
const DEMO = { organisation: 'demo', team: 'demo' };
const CI = { ...TEAM, key: 'ci' };
const FOREVER = { products: null, expiresAt: null };
