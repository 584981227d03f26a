import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InviteWorld } from '../../../programs/invite/tests/world.ts';
import type { Address } from '../../solana/address.ts';
import {
  askInvites,
  type FollowedInvites,
  openFollowedInvites,
} from '../../testing/invites/followed-invites.ts';
import { InviteLife, LIFE_STEP, type LifeStep } from '../../testing/invites/invite-life.ts';
import { openForEach } from '../../testing/opened.ts';
import { assertProperty } from '../../testing/random.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { HistoryChain } from '../../testing/svm/history-chain.ts';
import type { InviteLists, RecordedInvite } from '../invite.ts';
import { invites } from '../store/invite-tables.ts';

const WORLDS = ['SOL', 'a token with a transfer fee'] as const;

describe.each(STORES)('the record of invites on %s, in random lives', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it.each(WORLDS)('equals the accounts after every event, by any of two instances: %s', async (sent) => {
    // A network for each life would be more programs in memory than a process may map.
    const world = new InviteWorld(sent);
    const chain = new HistoryChain(world.network);
    const stores = [tested.store, kind === 'sqlite' ? tested.store : await tested.reopen()];
    const instances = stores.map((store) => openFollowedInvites(chain, store));
    const seen = new Set<string>();
    const run = async (steps: readonly LifeStep[]) => {
      // No life knows of those before it.
      await tested.store.db.delete(invites);
      chain.forget(chain.landed.length);
      const life = new InviteLife(world, chain);
      for (const step of steps) {
        for (const done of life.take(step)) seen.add(done);
        for (const [account, model] of life.compareAccounts()) expect(account).toEqual(model);
        if (!step.isRead && step !== steps.at(-1)) continue;
        await Promise.all(instances.flatMap(({ follower }) => [follower.upToNow(), follower.upToNow()]));
        const [one, other] = instances as [FollowedInvites, FollowedInvites];
        for (const wallet of life.wallets) {
          expect(await listAll(one.lists, 'listPending', wallet)).toEqual(life.listPending(wallet));
          const history = life.listHistory(wallet);
          expect(await listAll(other.lists, 'listHistory', wallet)).toEqual(history);
          if (history.some(({ sender, end }) => sender === end?.receiver)) seen.add('claim of its own');
          if (history.some(({ end, expiresAt }) => end === null && expiresAt === life.now)) {
            seen.add('the second of an expiry');
          }
        }
        const expired = await listExpired(one, life);
        expect(expired.map(({ expiresAt }) => expiresAt)).toEqual(
          life.listExpired().map(({ expiresAt }) => expiresAt),
        );
        // Databases may differ in the order of texts, which decides between equal seconds.
        expect(new Set(expired)).toEqual(new Set(life.listExpired()));
      }
    };
    const property = fc.asyncProperty(fc.array(LIFE_STEP, { minLength: 5, maxLength: 25 }), run);
    await assertProperty(property, { cases: 200, short: 15, seed: 20_261_128, against: 'the program' });
    expect([...seen].sort()).toEqual([
      'claim',
      'claim of its own',
      'clawback',
      'create',
      'expire',
      'the second of an expiry',
    ]);
  });
});

/** Lists all pages, which are short. */
async function listAll(
  lists: InviteLists,
  list: keyof InviteLists,
  wallet: Address,
): Promise<readonly RecordedInvite[]> {
  const all: RecordedInvite[] = [];
  for (let page = 1; ; page++) {
    const { invites: shown, hasMore } = await lists[list](...askInvites(wallet, { page, perPage: 2 }));
    all.push(...shown);
    if (!hasMore) return all;
  }
}

/** Lists the expired invites of a life from one cursor to the next. */
async function listExpired(
  { records }: FollowedInvites,
  life: InviteLife,
): Promise<readonly RecordedInvite[]> {
  const all: RecordedInvite[] = [];
  for (let after: RecordedInvite | null = null; ; ) {
    const page: readonly RecordedInvite[] = await records.listExpired({ now: life.now, after, limit: 2 });
    all.push(...page);
    after = page.at(-1) ?? null;
    if (page.length < 2) return all;
  }
}
