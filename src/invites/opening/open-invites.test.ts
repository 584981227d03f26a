import { describe, expect, it } from 'vitest';
import { InviteWorld } from '../../../programs/invite/tests/world.ts';
import type { Chain } from '../../chain/chain.ts';
import { INVITE_EVENT_AUTHORITY } from '../../protocols/jupiter-send/invite-program.ts';
import { askInvites } from '../../testing/invites/followed-invites.ts';
import { createTestEnd, createTestInvite, recordTestInvites } from '../../testing/invites/test-invites.ts';
import { openForEach } from '../../testing/opened.ts';
import { replaced } from '../../testing/replaced.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { HistoryChain } from '../../testing/svm/history-chain.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { invites as inviteRows } from '../store/invite-tables.ts';
import { openInvites, type InvitesOptions } from './open-invites.ts';

describe('openInvites', () => {
  const tested = openForEach(() => openTestStore('sqlite'), 'cleanUp');

  it('follows the program from its start to its end', async () => {
    const { world, invites, timers } = open();
    world.create();
    invites.start();
    await expect.poll(listNumbers).toEqual([1]);
    world.create();
    timers.advance(2_000);
    await expect.poll(listNumbers).toEqual([1, 2]);
    expect((await invites.lists.listPending(...askInvites(world.sender))).invites).toHaveLength(2);
    expect(invites.unhealthy()).toBeNull();
    await invites.close();
    expect(timers.waiting).toBe(0);
    await expect(invites.lists.listPending(...askInvites(world.sender))).rejects.toThrow('is ending');
  });

  it('lists expired invites by the second that it is asked for, also while others wait to be recorded', async () => {
    const { world, chain, invites } = open();
    const expired = world.create({ expiresAt: 1_800_000_100n });
    world.create({ expiresAt: 1_800_000_101n });
    const ask = { now: 1_800_000_100n, after: null, limit: 10 };
    expect(await invites.expired.listExpired(ask)).toMatchObject([{ invite: expired.address, end: null }]);
    chain.spam(INVITE_EVENT_AUTHORITY, 1_100);
    world.network.setUnixTime(1_800_000_100n);
    world.must(world.expire(expired));
    expect(await invites.expired.listExpired(ask)).toMatchObject([{ invite: expired.address }]);
    expect(await invites.expired.listExpired(ask)).toEqual([]);
    await invites.close();
  });

  it('says why the program is not followed, and lists nothing meanwhile', async () => {
    let reason: string | null = 'the node is away';
    const outages: unknown[] = [];
    const { world, invites, timers } = open({
      createOutageLog: () => ({ onFailure: (error) => outages.push(error), onAnswer: () => undefined }),
      away: () => reason,
    });
    world.create();
    invites.start();
    await expect.poll(() => outages).toHaveLength(1);
    expect(invites.unhealthy()).toBe('the events of invite cannot be followed: the node is away');
    await expect(invites.lists.listHistory(...askInvites(world.sender))).rejects.toThrow('the node is away');
    const ask = { now: 1_900_000_000n, after: null, limit: 10 };
    await expect(invites.expired.listExpired(ask)).rejects.toThrow('the node is away');
    reason = null;
    timers.advance(2_000);
    await expect.poll(() => invites.unhealthy()).toBeNull();
    await invites.close();
  });

  it('removes old invites every hour, by the clock of the network', async () => {
    const { chain, invites, timers } = open({ historyDays: 30 });
    const now = chain.clock().unixTimestamp;
    await recordTestInvites(tested.store, chain.genesisHash, [
      createTestInvite(1, { end: createTestEnd(1, now - 31n * 86_400n) }),
      createTestInvite(2, { end: createTestEnd(2, now - 29n * 86_400n) }),
    ]);
    invites.start();
    timers.advance(3_600_000);
    await expect.poll(listNumbers).toEqual([2]);
    await invites.close();
    expect(timers.waiting).toBe(0);
  });

  async function listNumbers(): Promise<readonly number[]> {
    const rows = await tested.store.db.select().from(inviteRows).orderBy(inviteRows.number);
    return rows.map(({ number }) => number);
  }

  function open({
    away = () => null,
    ...options
  }: Partial<InvitesOptions> & { readonly away?: () => string | null } = {}) {
    const world = new InviteWorld();
    const chain = new HistoryChain(world.network);
    const timers = new ManualTimers();
    const seen = replaced<Chain>(chain as unknown as Chain, {
      signaturesOf: async (address, range) => {
        const reason = away();
        if (reason !== null) throw new Error(reason);
        return chain.signaturesOf(address, range);
      },
    });
    const invites = openInvites({
      chain: seen,
      store: tested.store,
      isOwnNetwork: true,
      historyDays: 0,
      timers,
      createOutageLog: () => ({ onFailure: throwIt, onAnswer: () => undefined }),
      onDefect: (_, error) => throwIt(error),
      ...options,
    });
    return { world, chain, timers, invites };
  }
});

function throwIt(error: unknown): never {
  throw error;
}
