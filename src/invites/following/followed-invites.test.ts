import { describe, expect, it } from 'vitest';
import { InviteWorld } from '../../../programs/invite/tests/world.ts';
import { EventsBehind } from '../../chain/events/event-follower.ts';
import { createNewInvite } from '../../protocols/jupiter-send/invite-instructions.ts';
import { INVITE_EVENT_AUTHORITY } from '../../protocols/jupiter-send/invite-program.ts';
import type { Store } from '../../store/index.ts';
import {
  askInvites,
  type FollowedInvites,
  openFollowedInvites,
} from '../../testing/invites/followed-invites.ts';
import { openForEach } from '../../testing/opened.ts';
import { replaced } from '../../testing/replaced.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { HistoryChain } from '../../testing/svm/history-chain.ts';
import { inviteCursors, invites } from '../store/invite-tables.ts';

describe.each(STORES)('FOLLOWED_INVITES on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('make an invite known from its creation to its end', async () => {
    const { world, chain, lists } = open();
    const { sender, receiver, token } = world;
    const invite = world.create({ expiresAt: 1_900_000_000n });
    const creationSignature = chain.landed.at(-1)?.signature;
    const { createdAt = null } = world.read(invite) ?? {};
    const facts = {
      invite: invite.address,
      inviteKey: invite.inviteKey,
      sender,
      mint: token?.mint,
      // Of what the sender paid, the fee of the token is withheld.
      amount: 4_950_000n,
      creationSignature,
      createdAt,
      expiresAt: 1_900_000_000n,
    };
    expect(await lists.listPending(...askInvites(sender))).toEqual({
      invites: [{ ...facts, end: null }],
      hasMore: false,
    });
    expect((await lists.listHistory(...askInvites(sender))).invites).toEqual([]);
    world.network.setUnixTime(1_800_000_077n);
    world.must(world.claim(invite));
    const end = {
      kind: 'claimed',
      signature: chain.landed.at(-1)?.signature,
      at: 1_800_000_077n,
      receiver,
    };
    expect((await lists.listPending(...askInvites(sender))).invites).toEqual([]);
    for (const wallet of [sender, receiver]) {
      expect((await lists.listHistory(...askInvites(wallet))).invites).toEqual([{ ...facts, end }]);
    }
    expect((await lists.listPending(...askInvites(receiver))).invites).toEqual([]);
  });

  it('take an expired invite out of what is pending before anybody has returned it', async () => {
    const { world, lists } = open();
    const { sender } = world;
    const invite = world.create({ expiresAt: 1_800_000_500n });
    world.network.setUnixTime(1_800_000_499n);
    expect((await lists.listPending(...askInvites(sender))).invites).toHaveLength(1);
    world.network.setUnixTime(1_800_000_500n);
    expect((await lists.listPending(...askInvites(sender))).invites).toEqual([]);
    expect((await lists.listHistory(...askInvites(sender))).invites).toMatchObject([{ end: null }]);
    world.must(world.expire(invite));
    expect((await lists.listHistory(...askInvites(sender))).invites).toMatchObject([
      { end: { kind: 'expired', at: 1_800_000_500n, receiver: null } },
    ]);
  });

  it('tell invites of one key apart, also when they begin and end in the same transaction', async () => {
    const { world, lists } = open();
    const { sender } = world;
    const first = world.create();
    const { inviteKey } = first;
    world.must(world.clawback(first));
    const create = (amount: bigint) => createNewInvite(world.terms({ inviteKey, amount }));
    world.must(create(100n), world.claim(first), create(200n), world.clawback(first), create(300n));
    expect((await lists.listPending(...askInvites(sender))).invites).toMatchObject([
      { invite: first.address, amount: 297n },
    ]);
    expect((await lists.listHistory(...askInvites(sender))).invites).toMatchObject([
      { amount: 198n, end: { kind: 'clawedBack' } },
      { amount: 99n, end: { kind: 'claimed' } },
      { amount: 4_950_000n, end: { kind: 'clawedBack' } },
    ]);
  });

  it('ignore failed transactions, and what others say in the name of the program', async () => {
    const { world, chain, lists } = open();
    const invite = world.create();
    const event = chain.landed.at(-1)?.calls.at(-1)?.call;
    if (event === undefined) throw new Error('the program emits an event');
    const forged = {
      programAddress: event.program,
      accounts: event.accounts.map((address) => ({ address, role: 0 as const })),
      data: event.data,
    };
    expect(world.refusal(forged)).toBeDefined();
    expect(world.refusal(world.clawback(invite), world.clawback(invite))).toBeDefined();
    expect((await lists.listPending(...askInvites(world.sender))).invites).toHaveLength(1);
    expect(await dump(tested.store)).toHaveLength(1);
  });

  it('show an end without its creation, where nobody followed the program before', async () => {
    const { world, chain } = open();
    const before = world.create();
    const elsewhere = openFollowedInvites(chain, tested.store, { isOwnNetwork: false });
    await elsewhere.follower.upToNow();
    expect((await elsewhere.lists.listPending(...askInvites(world.sender))).invites).toEqual([]);
    world.must(world.claim(before));
    for (const wallet of [world.sender, world.receiver]) {
      const history = await elsewhere.lists.listHistory(...askInvites(wallet));
      expect(history.invites).toMatchObject([
        {
          invite: before.address,
          sender: world.sender,
          amount: 4_950_000n,
          creationSignature: null,
          createdAt: null,
          end: { kind: 'claimed', receiver: world.receiver, signature: chain.landed.at(-1)?.signature },
        },
      ]);
    }
  });

  it('forget an invite whose end was missed, when its key is used again', async () => {
    const { world, chain, follower, lists } = open();
    const invite = world.create();
    const { inviteKey } = invite;
    await follower.upToNow();
    world.must(world.clawback(invite));
    chain.landed.pop();
    world.create({ inviteKey, amount: 200n });
    expect((await lists.listPending(...askInvites(world.sender))).invites).toMatchObject([{ amount: 198n }]);
    expect(await dump(tested.store)).toMatchObject([{ amount: '198', state: 'open' }]);
    // Now also the creation of the next one is missed.
    world.must(world.clawback(invite));
    world.create({ inviteKey, amount: 300n });
    chain.landed.splice(-2);
    world.must(world.claim(invite));
    await follower.upToNow();
    expect(await dump(tested.store)).toMatchObject([{ amount: '297', state: 'claimed', createdAt: null }]);
  });

  it('are recorded once when several instances follow them at the same time', async () => {
    const { world, chain } = open();
    chain.slotsPerTransaction = 0n;
    const stores = [tested.store, kind === 'sqlite' ? tested.store : await tested.reopen()];
    const instances = stores.map((store) => openFollowedInvites(chain, store));
    for (let round = 1; round <= 5; round++) {
      for (let each = 0; each < 15; each++) {
        const invite = world.create();
        if (each % 3 > 0) world.must(world.clawback(invite));
      }
      await Promise.all(instances.flatMap(({ follower }) => [follower.upToNow(), follower.upToNow()]));
      const rows = await dump(tested.store);
      expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1));
      expect(rows.map(({ state }) => state).filter((state) => state === 'open')).toHaveLength(5 * round);
      expect(rows).toHaveLength(15 * round);
    }
  });

  it('lose and repeat nothing when an instance is ended at any write', async () => {
    const { world, chain } = open();
    const first = world.create();
    const { inviteKey } = first;
    world.must(world.claim(first));
    world.create({ inviteKey });
    world.create();
    world.must(world.clawback(first), createNewInvite(world.terms({ inviteKey })));
    let [writes, crashAt] = [0, -1];
    const crashing = crashAfter(tested.store, () => writes++ === crashAt);
    // Two transactions are recorded together, so that it is ended between recordings too.
    const bounds = { transactions: 2 };
    await readAll(openFollowedInvites(chain, tested.store, { store: crashing, bounds }));
    const expected = await dump(tested.store);
    expect(expected).toMatchObject([
      { state: 'claimed' },
      { state: 'clawed_back' },
      { state: 'open' },
      { state: 'open' },
    ]);
    const all = writes;
    expect(all).toBeGreaterThan(8);
    for (crashAt = 0; crashAt < all; crashAt++) {
      for (const table of [inviteCursors, invites]) await tested.store.db.delete(table);
      writes = 0;
      const ended = openFollowedInvites(chain, tested.store, { store: crashing, bounds });
      await expect(readAll(ended)).rejects.toThrow('crashed');
      await readAll(openFollowedInvites(chain, tested.store));
      expect(await dump(tested.store), `ended at write ${crashAt}`).toEqual(expected);
    }
  });

  it('are forgotten when the network began again with the same genesis, and those of other networks are not', async () => {
    const { world, chain, follower, lists } = open();
    world.must(world.claim(world.create()));
    world.create();
    await follower.upToNow();
    const [row] = await dump(tested.store);
    if (row === undefined) throw new Error('something is recorded');
    await tested.store.db.insert(invites).values({ ...row, network: 'another genesis' });
    chain.beginAgain();
    const again = world.create();
    expect((await lists.listPending(...askInvites(world.sender))).invites).toMatchObject([
      { invite: again.address },
    ]);
    expect((await lists.listHistory(...askInvites(world.sender))).invites).toEqual([]);
    expect((await dump(tested.store)).map(({ network, number }) => [network, number])).toEqual([
      ['another genesis', 1],
      [chain.genesisHash, 1],
    ]);
  });

  it('are not listed while more waits than one run reads', async () => {
    const { world, chain } = open();
    const bounds = { transactions: 50 };
    const { follower, lists } = openFollowedInvites(chain, tested.store, { bounds });
    await follower.upToNow();
    world.create();
    chain.spam(INVITE_EVENT_AUTHORITY, 60);
    world.create();
    await expect(lists.listPending(...askInvites(world.sender))).rejects.toThrow(
      'the events of invite are being read, and 12 transactions are still to be read',
    );
    expect((await lists.listPending(...askInvites(world.sender))).invites).toHaveLength(2);
  });

  function open() {
    const world = new InviteWorld('a token with a transfer fee');
    const chain = new HistoryChain(world.network);
    return { world, chain, ...openFollowedInvites(chain, tested.store) };
  }
});

/** Follows until nothing is left. */
async function readAll({ follower }: FollowedInvites): Promise<void> {
  for (let isBehind = true; isBehind; ) {
    isBehind = false;
    await follower.upToNow().catch((error: unknown) => {
      if (!(error instanceof EventsBehind)) throw error;
      isBehind = true;
    });
  }
}

async function dump({ db }: Store): Promise<readonly (typeof invites.$inferSelect)[]> {
  const rows = await db.select().from(invites).orderBy(invites.network, invites.number);
  return [...rows];
}

/** A database whose instance ends in the middle of a transaction, at a statement of the test's choice. */
function crashAfter(store: Store, isNow: () => boolean): Store {
  return replaced<Store>(store, {
    transaction: (work) =>
      store.transaction((db) =>
        work(
          replaced(db, {
            update: ((table: Parameters<typeof db.update>[0]) => {
              if (isNow()) throw new Error('crashed');
              return db.update(table);
            }) as typeof db.update,
            insert: ((table: Parameters<typeof db.insert>[0]) => {
              if (isNow()) throw new Error('crashed');
              return db.insert(table);
            }) as typeof db.insert,
          }),
        ),
      ),
  });
}
