import { describe, expect, it } from 'vitest';
import type { AccountUpdate } from '../../chain/accounts.ts';
import { ChainUnavailable } from '../../chain/chain.ts';
import { type Party, runAs } from '../../common/party.ts';
import { createUnaccountedWork } from '../../common/work/work.ts';
import { LIMIT_ORDER_MAKER_AT } from '../../protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_PROGRAM } from '../../protocols/jupiter-limit-order/program.ts';
import { toAddressBytes } from '../../solana/address.ts';
import { createNumberedAddress } from '../../testing/products/signing-wallets.ts';
import { createProgramOrderLists } from './program-order-lists.ts';
import { createSharedSearches } from './shared-searches.ts';

const [ALICE, BOB]: readonly Party[] = [
  { kind: 'organisation', id: 'alice' },
  { kind: 'organisation', id: 'bob' },
];

describe('createSharedSearches', () => {
  it('searches once for requests that wait at the same time, and again for those that came during a search', async () => {
    const { search, asked, answer } = openSearches();
    const first = search(1);
    const later = [search(1), search(1), search(1)];
    expect(asked).toHaveLength(1);
    const before = answer();
    expect(await first).toBe(before);
    await expect.poll(() => asked.length).toBe(2);
    const after = answer();
    for (const each of later) expect(await each).toBe(after);
    const alone = search(1);
    expect(asked).toHaveLength(3);
    const newest = answer();
    expect(await alone).toBe(newest);
  });

  it('does not share between wallets, nor between parties, one of which may be refused', async () => {
    const { search, asked, answer, refuse } = openSearches();
    const refused = runAs(ALICE as Party, () => search(1));
    const others = [runAs(BOB as Party, () => search(1)), runAs(ALICE as Party, () => search(2))];
    expect(asked).toHaveLength(3);
    refuse();
    await expect(refused).rejects.toThrow('refused');
    answer();
    answer();
    for (const each of others) expect(await each).toEqual([]);
  });

  it('is what lists use', async () => {
    const { chain, asked, answer } = openSearches();
    const lists = createProgramOrderLists({ chain, recorded: null });
    const asks = { inputMint: null, outputMint: null, anyMint: null, page: 1, perPage: 10, isOpen: true };
    const listed = Array.from({ length: 20 }, () =>
      lists.listLimitOrders({ ...asks, maker: createNumberedAddress(1) }, createUnaccountedWork()),
    );
    await expect.poll(() => asked.length).toBe(1);
    answer();
    await expect.poll(() => asked.length).toBe(2);
    answer();
    expect(await Promise.all(listed)).toEqual(Array(20).fill({ orders: [], total: 0 }));
    expect(asked).toHaveLength(2);
  });
});

/** Searches of the orders of numbered wallets, over a network that answers when the test says so. */
function openSearches() {
  const asked: { resolve: (found: readonly AccountUpdate[]) => void; reject: (error: Error) => void }[] = [];
  let answered = 0;
  const chain = {
    getProgramAccounts: () =>
      new Promise<readonly AccountUpdate[]>((resolve, reject) => {
        asked.push({ resolve, reject });
      }),
  };
  const shared = createSharedSearches(chain);
  const search = (wallet: number) => {
    const bytes = toAddressBytes(createNumberedAddress(wallet));
    const filter = { memcmp: { offset: LIMIT_ORDER_MAKER_AT, bytes } };
    return shared.getProgramAccounts(LIMIT_ORDER_PROGRAM, 'confirmed', filter);
  };
  const answer = () => {
    const found: readonly AccountUpdate[] = [];
    asked[answered++]?.resolve(found);
    return found;
  };
  const refuse = () => asked[answered++]?.reject(new ChainUnavailable('refused'));
  return { chain, search, asked, answer, refuse };
}
