import { beforeEach, describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { eq } from 'drizzle-orm';
import { openPlatform } from '../../platform/index.ts';
import { sealStoredWebhookKeys } from '../../rfq/records/webhook-keys.ts';
import { loadWebhooks } from '../../rfq/records/webhook-rows.ts';
import { auditLog } from '../../platform/tables/audit-table.ts';
import { makers, makerStates, webhooks } from '../../rfq/records/maker-tables.ts';
import { STORES } from '../../testing/store/test-store.ts';
import { openTestPlatform } from '../../testing/platform/test-platform.ts';
import { makeChangesAs, recordMarketChange } from '../../platform/audit/audit.ts';
import { hashPossibleKey } from '../../platform/credentials/api-key.ts';
import { MakerCache } from '../../rfq/records/maker-cache.ts';
import { acquireMakerState, loadMakerStates, saveMakerStates } from '../../rfq/records/maker-states.ts';
import {
  addMaker,
  enableMaker,
  recordReinstatement,
  rotateMakerKey,
} from '../../rfq/records/maker-registry.ts';
import type { MakerTerms } from '../../rfq/records/maker-terms.ts';
import type { RefusalCode } from '../../common/refusal.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { refusedAs } from '../../testing/platform/refused.ts';
import { openForEach } from '../../testing/opened.ts';

describe.each(STORES)('makers on %s', (kind) => {
  const platform = openForEach(() => openTestPlatform(ADDED_AT, kind), 'cleanUp');
  const cache = openForEach(
    () => new MakerCache(platform.store, (key) => hashPossibleKey(platform.hashKey, key)),
  );

  it('are found by the key that was shown once, of which only a keyed hash is stored', async () => {
    const { key } = unwrap(
      await addMaker(platform, makeChangesAs(platform, ACTOR), { ...TERMS, pairs: [PAIR] }),
    );
    await cache.refresh();
    expect(cache.find(key)).toMatchObject({
      id: 'acme',
      address: TOKEN_PROGRAM,
      enabled: true,
      pairs: [{ base: WRAPPED_SOL_MINT, quote: SYSTEM_PROGRAM }],
    });
    for (const wrong of ['', `${key}0`, 'x'.repeat(10_000)]) expect(cache.find(wrong)).toBeNull();
    const stored = [
      await platform.store.db.select().from(makers),
      await platform.store.db.select().from(auditLog),
    ];
    expect(JSON.stringify(stored)).not.toContain(key.slice(4));
  });

  it('have the keys that their webhooks want encrypted in the database, also those of an earlier version', async () => {
    const apiKey = 'the-key-that-the-webhook-wants';
    const webhook = { url: 'https://maker.example/rfq', apiKey };
    const OTHERS = { address: SYSTEM_PROGRAM, webhook: { ...webhook, apiKey: null } };
    unwrap(await addMaker(platform, makeChangesAs(platform, ACTOR), { ...TERMS, webhook }));
    unwrap(
      await addMaker(platform, makeChangesAs(platform, ACTOR), { ...TERMS, ...OTHERS, id: 'without-a-key' }),
    );
    const { store } = platform;
    const stored = async () =>
      JSON.stringify([await store.db.select().from(webhooks), await store.db.select().from(auditLog)]);
    const unreadable: unknown[] = [];
    const load = async () => {
      const loaded = await loadWebhooks(store, platform.sealer, (error) => unreadable.push(error));
      return Object.fromEntries(loaded.map((each) => [each.makerId, each.apiKey]));
    };
    expect(await stored()).not.toContain(apiKey);
    expect(await load()).toEqual({ acme: apiKey, 'without-a-key': null });

    // As an earlier version has written it.
    await store.db.update(webhooks).set({ apiKey, sealedKey: null }).where(eq(webhooks.makerId, 'acme'));
    await Promise.all([1, 2].map(() => sealStoredWebhookKeys(store, platform.sealer)));
    expect(await stored()).not.toContain(apiKey);
    expect(await load()).toEqual({ acme: apiKey, 'without-a-key': null });
    expect(unreadable).toEqual([]);

    // One maker's key is worth nothing in the row of another, and keeps no other maker from being asked.
    const [acme] = await store.db.select().from(webhooks).where(eq(webhooks.makerId, 'acme'));
    const copied = { sealedKey: acme?.sealedKey ?? '' };
    await store.db.update(webhooks).set(copied).where(eq(webhooks.makerId, 'without-a-key'));
    expect(await load()).toEqual({ acme: apiKey });
    expect(String(unreadable[0])).toContain('the key of the webhook of without-a-key cannot be decrypted');
  });

  it('encrypt the keys of an earlier version when the platform opens, and never with another secret', async () => {
    const webhook = { url: 'https://maker.example/rfq', apiKey: null };
    unwrap(
      await addMaker(platform, makeChangesAs(platform, ACTOR), {
        ...TERMS,
        webhook,
      }),
    );
    await platform.store.db.update(webhooks).set({ apiKey: 'plain' });
    const openWith = (keySecret: string) =>
      openPlatform({
        store: platform.store,
        keySecret,
        keyPrefix: 'jup_',
        products: [],
        memberTokenMs: null,
        demoKey: null,
        whenSecretFits: (sealer) => sealStoredWebhookKeys(platform.store, sealer),
        now: () => 1_790_000_000_000,
        every: () => () => {},
        onDefect: (error) => {
          throw error;
        },
      });
    await expect(openWith('t'.repeat(64))).rejects.toThrow('hashed with another secret');
    expect(await platform.store.db.select().from(webhooks)).toMatchObject([
      { apiKey: 'plain', sealedKey: null },
    ]);
    await (await openWith('s'.repeat(64))).close();
    expect(await platform.store.db.select().from(webhooks)).toMatchObject([
      { apiKey: null, sealedKey: expect.any(String) },
    ]);
  });

  it('can get another key, and be disabled and enabled, with an audit entry each', async () => {
    const { key } = unwrap(await addMaker(platform, makeChangesAs(platform, ACTOR), TERMS));
    await cache.refresh();
    const { key: next } = unwrap(await rotateMakerKey(platform, makeChangesAs(platform, ACTOR), 'acme'));
    unwrap(await enableMaker(makeChangesAs(platform, ACTOR), 'acme', false));
    unwrap(await recordReinstatement(makeChangesAs(platform, ACTOR), 'acme'));
    expect(await cache.refresh()).toMatchObject({ records: [{ enabled: false }], rotated: ['acme'] });
    expect(await cache.refresh()).toMatchObject({ rotated: [] });
    expect(cache.find(key)).toBeNull();
    expect(cache.find(next)).toMatchObject({ id: 'acme', enabled: false });
    const actions = (await platform.store.db.select().from(auditLog)).map(({ action }) => action);
    for (const action of ['maker.added', 'maker.key_rotated', 'maker.disabled', 'maker.reinstated'])
      expect(actions).toContain(action);
  });

  it.each<[MakerTerms, RefusalCode, string]>([
    [{ ...TERMS, id: '' }, 'invalid-value', "the maker's id must be"],
    [{ ...TERMS, id: 'a b' }, 'invalid-value', "the maker's id must be"],
    [
      { ...TERMS, address: 'x' },
      'invalid-value',
      'address must be an address of 32 bytes in base58, got "x"',
    ],
    [{ ...TERMS, pairs: [] }, 'invalid-value', 'pairs must be 1 to 100, got 0'],
    [{ ...TERMS, pairs: ['SOL/USDC'] }, 'invalid-value', 'the base of a pair must be an address'],
    [{ ...TERMS, pairs: [`${PAIR}/x`] }, 'invalid-value', 'a pair must be BASE/QUOTE'],
    [{ ...TERMS, address: SYSTEM_PROGRAM }, 'already-exists', 'there is a maker "acme" already'],
    [
      { ...TERMS, id: 'other' },
      'already-exists',
      `the address ${TOKEN_PROGRAM} is the maker "acme"'s already`,
    ],
  ])('are refused as %j', async (terms, code, message) => {
    unwrap(await addMaker(platform, makeChangesAs(platform, ACTOR), TERMS));
    expect(await addMaker(platform, makeChangesAs(platform, ACTOR), terms)).toEqual(refusedAs(code, message));
  });

  it('cannot be changed if they do not exist', async () => {
    for (const change of [
      () => enableMaker(makeChangesAs(platform, ACTOR), 'none', true),
      () => rotateMakerKey(platform, makeChangesAs(platform, ACTOR), 'none'),
      () => recordReinstatement(makeChangesAs(platform, ACTOR), 'none'),
    ]) {
      expect(await change()).toEqual(refusedAs('not-found', /^there is no maker "none"$/));
    }
  });

  it('keep the state that was saved, and changes of their status are in the audit log', async () => {
    const { store } = platform;
    unwrap(await addMaker(platform, makeChangesAs(platform, ACTOR), TERMS));
    const state = {
      makerId: 'acme',
      lastSequence: (1n << 64n) - 1n,
      status: 'prod' as const,
      tampered: true,
      suspendedUntil: 5,
      outcomes: [{ swapUuid: 'u', at: 1, filled: true }],
      statistics: { accepted: 3 },
    };
    const change = { makerId: 'acme', from: 'prod', to: 'offline', at: 7, cause: 'why' } as const;
    const { epoch, stored } = await acquireMakerState(store, state);
    expect(stored).toBeNull();
    for (const tampered of [true, false]) {
      expect(
        await saveMakerStates(
          store,
          [{ ...state, createdAt: ADDED_AT, tampered, epoch, isLast: false }],
          [],
          recordMarketChange,
        ),
      ).toEqual({ moved: [], removed: [] });
    }
    await saveMakerStates(store, [], [{ ...change, evidence: { sent: 'AQ==' } }], recordMarketChange);
    expect(await loadMakerStates(store)).toEqual([{ ...state, tampered: false }]);
    expect(await store.db.select().from(auditLog)).toContainEqual(
      expect.objectContaining({
        at: 7,
        action: 'maker.status',
        subject: 'acme',
        before: '{"status":"prod"}',
        after: '{"status":"offline","cause":"why","sent":"AQ=="}',
      }),
    );
  });

  describe('written by two instances', () => {
    beforeEach(async () => {
      unwrap(await addMaker(platform, makeChangesAs(platform, ACTOR), TERMS));
      await platform.store.db.insert(makers).values({
        id: 'other',
        name: null,
        address: SYSTEM_PROGRAM,
        pairs: null,
        enabled: 1,
        hash: 'h',
        createdAt: 0,
      });
    });

    it('take writes of the instance that acquired them last, and of no earlier one', async () => {
      const { store } = platform;
      const older = await acquireMakerState(store, STATE);
      await saveMakerStates(
        store,
        [{ ...STATE, createdAt: ADDED_AT, epoch: older.epoch, isLast: false }],
        [],
        recordMarketChange,
      );
      const newer = await acquireMakerState(store, { ...STATE, lastSequence: 0n });
      expect(newer.epoch).toBeGreaterThan(older.epoch);
      expect(newer.stored).toEqual(STATE);
      const other = { ...STATE, makerId: 'other' };
      const { epoch } = await acquireMakerState(store, other);
      const states = [
        {
          ...STATE,
          createdAt: ADDED_AT,
          lastSequence: 100n,
          status: 'prod' as const,
          epoch: older.epoch,
          isLast: false,
        },
        { ...other, createdAt: 0, lastSequence: 11n, epoch, isLast: false },
      ];
      expect(await saveMakerStates(store, states, [change], recordMarketChange)).toEqual({
        moved: ['acme'],
        removed: [],
      });
      expect(await statusChanges()).toEqual([]);
      expect(await loadMakerStates(store, 'acme')).toEqual([STATE]);
      expect(await loadMakerStates(store, 'other')).toEqual([{ ...other, lastSequence: 11n }]);
      expect(
        await saveMakerStates(
          store,
          [{ ...STATE, createdAt: ADDED_AT, epoch: newer.epoch, isLast: false }],
          [change],
          recordMarketChange,
        ),
      ).toEqual({ moved: [], removed: [] });
      expect(await statusChanges()).toHaveLength(1);
    });

    it('have a sequence number that decreases only when its owner returns what it reserved', async () => {
      const { store } = platform;
      const { epoch } = await acquireMakerState(store, { ...STATE, lastSequence: 0n });
      const saved = async (lastSequence: bigint, isLast = false) => {
        await saveMakerStates(
          store,
          [{ ...STATE, createdAt: ADDED_AT, lastSequence, epoch, isLast }],
          [],
          recordMarketChange,
        );
        return (await loadMakerStates(store, 'acme'))[0]?.lastSequence;
      };
      expect(await saved(9n)).toBe(9n);
      expect(await saved(10n)).toBe(10n);
      expect(await saved(9n)).toBe(10n);
      expect(await saved((1n << 64n) - 1n)).toBe((1n << 64n) - 1n);
      expect(await saved((1n << 64n) - 2n)).toBe((1n << 64n) - 1n);
      expect(await saved(1n << 63n)).toBe((1n << 64n) - 1n);
      expect(await saved(9n, true)).toBe(9n);
    });

    it('can be acquired with a state that a version without epochs wrote', async () => {
      const { store } = platform;
      await acquireMakerState(store, STATE);
      await store.db.update(makerStates).set({ epoch: 0 });
      expect((await acquireMakerState(store, { ...STATE, lastSequence: 0n })).stored).toEqual(STATE);
    });

    const STATE = {
      makerId: 'acme',
      lastSequence: 9n,
      status: 'offline' as const,
      tampered: false,
      suspendedUntil: null,
      outcomes: [],
      statistics: { accepted: 1 },
    };
    const change = {
      makerId: 'acme',
      from: 'offline',
      to: 'prod',
      at: 7,
      cause: 'why',
      evidence: null,
    } as const;
    const statusChanges = async () =>
      (await platform.store.db.select().from(auditLog)).filter(({ action }) => action === 'maker.status');
  });
});

const ADDED_AT = 1_790_000_000_000;
const ACTOR = { who: 'operator', from: '127.0.0.1' };
const TERMS = { id: 'acme', address: TOKEN_PROGRAM, pairs: null };
const PAIR = `${WRAPPED_SOL_MINT}/${SYSTEM_PROGRAM}`;
