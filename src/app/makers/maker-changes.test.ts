import { describe, expect, it } from 'vitest';
import { makeChangesAs, recordMarketChange } from '../../platform/audit/audit.ts';
import { auditLog } from '../../platform/tables/audit-table.ts';
import { hashPossibleKey } from '../../platform/credentials/api-key.ts';
import { changeMaker, type MakerChange, removeMaker } from '../../rfq/records/maker-changes.ts';
import { MakerCache } from '../../rfq/records/maker-cache.ts';
import { addMaker, rotateMakerKey } from '../../rfq/records/maker-registry.ts';
import { acquireMakerState, loadMakerStates, saveMakerStates } from '../../rfq/records/maker-states.ts';
import { makers, webhooks } from '../../rfq/records/maker-tables.ts';
import type { MakerTerms } from '../../rfq/records/maker-terms.ts';
import { loadWebhooks, saveWebhook } from '../../rfq/records/webhook-rows.ts';
import { TOKEN_PROGRAM, SYSTEM_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { openForEach } from '../../testing/opened.ts';
import { refusedAs } from '../../testing/platform/refused.ts';
import { openTestPlatform } from '../../testing/platform/test-platform.ts';
import { unwrap } from '../../testing/platform/unwrap.ts';
import { STORES } from '../../testing/store/test-store.ts';

describe.each(STORES)('a maker that changes, on %s', (kind) => {
  const platform = openForEach(() => openTestPlatform(NOW, kind), 'cleanUp');
  const cache = openForEach(
    () => new MakerCache(platform.store, (key) => hashPossibleKey(platform.hashKey, key)),
  );
  const changes = () => makeChangesAs(platform, ACTOR);
  const registryAt = (at: number) => {
    const { hashKey, sealer, newKey } = platform;
    return { hashKey, sealer, newKey, now: () => at };
  };
  const add = async (terms: Partial<MakerTerms> = {}, at = NOW) =>
    unwrap(await addMaker(registryAt(at), changes(), { ...TERMS, ...terms }));
  const change = (terms: MakerChange, id = 'acme', at = NOW) =>
    changeMaker(registryAt(at), changes(), id, terms);
  const hooked = async () => {
    const [only] = await loadWebhooks<object>(platform.store, platform.sealer, (error) => {
      throw error;
    });
    return only;
  };

  it('has another name, other pairs and another webhook, and keeps its key, its wallet and what it did', async () => {
    const { key } = await add({ webhook: { url: URL_ONE, apiKey: 'first-secret' } });
    const { version = 0 } = (await hooked()) ?? {};
    await saveWebhook(platform.store, 'acme', version, { filled: 7 }, null, recordMarketChange);
    unwrap(await change({ name: 'Acme Ltd.', pairs: [PAIR] }));
    unwrap(await change({ webhook: `${URL_TWO}/` }));
    expect(await hooked()).toMatchObject({ url: URL_TWO, apiKey: 'first-secret', state: { filled: 7 } });
    unwrap(await change({ webhookKey: 'second-secret' }));
    expect(await hooked()).toMatchObject({ url: URL_TWO, apiKey: 'second-secret', state: { filled: 7 } });
    await cache.refresh();
    expect(cache.find(key)).toMatchObject({
      id: 'acme',
      name: 'Acme Ltd.',
      address: TOKEN_PROGRAM,
      pairs: [{ base: WRAPPED_SOL_MINT, quote: SYSTEM_PROGRAM }],
    });
    unwrap(await change({ name: null, pairs: null, webhookKey: null }));
    await cache.refresh();
    expect(cache.find(key)).toMatchObject({ name: null, pairs: null });
    expect(await hooked()).toMatchObject({ url: URL_TWO, apiKey: null });
    expect(await audited('maker.changed')).toEqual([
      [
        { name: null, pairs: null },
        { name: 'Acme Ltd.', pairs: PAIR },
      ],
      [{ webhook: URL_ONE }, { webhook: URL_TWO }],
      [{}, { webhookKey: 'replaced' }],
      [
        { name: 'Acme Ltd.', pairs: PAIR },
        { name: null, pairs: null, webhookKey: 'removed' },
      ],
    ]);
    const rows = [
      await platform.store.db.select().from(webhooks),
      await platform.store.db.select().from(auditLog),
    ];
    expect(JSON.stringify(rows)).not.toMatch(/(first|second)-secret/);
  });

  it('gets a webhook, loses it, and gets a new one, whose state no write of the earlier one overwrites', async () => {
    await add();
    unwrap(await change({ webhook: URL_ONE, webhookKey: 'k' }));
    const earlier = await hooked();
    expect(earlier).toMatchObject({ url: URL_ONE, apiKey: 'k', state: {} });
    unwrap(await change({ webhook: null }));
    expect(await hooked()).toBeUndefined();
    unwrap(await change({ webhook: URL_ONE }, 'acme', NOW + 1));
    const { version = 0 } = earlier ?? {};
    expect(await saveWebhook(platform.store, 'acme', version, { missed: 9 }, null, recordMarketChange)).toBe(
      false,
    );
    expect(await hooked()).toMatchObject({ url: URL_ONE, apiKey: null, state: {} });
  });

  it('stays as it is if it is to become what it cannot be', async () => {
    await add();
    const before = await platform.store.db.select().from(makers);
    for (const [terms, message] of WRONG_CHANGES)
      expect([terms, await change(terms)]).toEqual([terms, refusedAs('invalid-value', message)]);
    expect(await platform.store.db.select().from(makers)).toEqual(before);
    expect(await audited('maker.changed')).toEqual([]);
  });

  it('is known', async () => {
    for (const result of [await change({ name: 'x' }, 'none'), await removeMaker(changes(), 'none')])
      expect(result).toEqual(refusedAs('not-found', /^there is no maker "none"$/));
  });

  it('is removed with its key, its webhook and its statistics, and can be added again under the same id', async () => {
    const { key } = await add({ webhook: { url: URL_ONE, apiKey: 'secret' }, pairs: [PAIR] });
    await cache.refresh();
    await acquireMakerState(platform.store, STATE);
    unwrap(await removeMaker(changes(), 'acme'));
    expect(await cache.refresh()).toEqual({ records: [], rotated: [], removed: ['acme'] });
    expect(cache.find(key)).toBeNull();
    expect([await hooked(), await loadMakerStates(platform.store)]).toEqual([undefined, []]);
    expect(await audited('maker.removed')).toEqual([
      [{ address: TOKEN_PROGRAM, pairs: PAIR, webhook: URL_ONE }, null],
    ]);
    const again = await add({}, NOW + 1);
    expect(await cache.refresh()).toMatchObject({ records: [{ id: 'acme' }], removed: [] });
    expect([cache.find(key), cache.find(again.key)]).toMatchObject([null, { address: TOKEN_PROGRAM }]);
    expect((await acquireMakerState(platform.store, { ...STATE, lastSequence: 0n })).stored).toBeNull();
  });

  it('is removed and added again between two refreshes of another instance, which calls it removed', async () => {
    await add();
    await cache.refresh();
    unwrap(await removeMaker(changes(), 'acme'));
    await add({}, NOW + 1);
    expect(await cache.refresh()).toMatchObject({ removed: ['acme'], rotated: [] });
    unwrap(await rotateMakerKey(platform, changes(), 'acme'));
    expect(await cache.refresh()).toMatchObject({ removed: [], rotated: ['acme'] });
  });

  it('is written no more once it is removed, and keeps no other maker from being written', async () => {
    await add();
    await add({ id: 'other', address: SYSTEM_PROGRAM });
    const save = async (ids: readonly string[]) => {
      const states = ids.map((makerId) => ({ ...STATE, makerId, createdAt: NOW, epoch: 3, isLast: false }));
      return saveMakerStates(platform.store, states, [], recordMarketChange);
    };
    expect(await save(['acme', 'other'])).toEqual({ moved: [], removed: [] });
    unwrap(await removeMaker(changes(), 'acme'));
    expect(await save(['acme', 'other'])).toEqual({ moved: [], removed: ['acme'] });
    // What an instance still knows of it does not become that of the maker that was added in its place.
    await add({}, NOW + 1);
    expect(await save(['acme', 'other'])).toEqual({ moved: [], removed: ['acme'] });
    expect((await loadMakerStates(platform.store)).map(({ makerId }) => makerId)).toEqual(['other']);
  });

  async function audited(action: string) {
    const rows = await platform.store.db.select().from(auditLog);
    return rows
      .filter((row) => row.action === action)
      .map(({ before, after }) => [before, after].map((json) => (json === null ? null : JSON.parse(json))));
  }
});

const NOW = 1_790_000_000_000;
const ACTOR = { who: 'operator', from: '127.0.0.1' };
const TERMS = { id: 'acme', address: TOKEN_PROGRAM, pairs: null };
const PAIR = `${WRAPPED_SOL_MINT}/${SYSTEM_PROGRAM}`;
const [URL_ONE, URL_TWO] = ['https://one.example/rfq', 'https://two.example/rfq'];
const STATE = {
  makerId: 'acme',
  lastSequence: 9n,
  status: 'offline' as const,
  tampered: false,
  suspendedUntil: null,
  outcomes: [],
  statistics: { accepted: 1 },
};
const WRONG_CHANGES: readonly (readonly [MakerChange, RegExp])[] = [
  [{}, /^nothing is to be changed: give name, pairs, webhook or webhookKey$/],
  [{ name: ' ' }, /^the maker's name must be 1 to 64 visible characters/],
  [{ name: 'a\u001b[2J' }, /^the maker's name must be 1 to 64 visible characters/],
  [{ name: 'x'.repeat(65) }, /^the maker's name must be 1 to 64 visible characters/],
  [{ pairs: [] }, /^pairs must be 1 to 100, got 0$/],
  [{ pairs: ['SOL/USDC'] }, /^the base of a pair must be an address/],
  [{ webhook: 'nowhere' }, /^the webhook must be a URL, got "nowhere"$/],
  [{ webhook: URL_ONE, webhookKey: 'a b' }, /^the webhook's key must be visible ASCII/],
  [{ webhookKey: 'k' }, /^webhookKey is the key of a webhook, but "acme" would have none$/],
  [{ webhook: null, webhookKey: 'k' }, /^webhookKey is the key of a webhook, but "acme" would have none$/],
];
