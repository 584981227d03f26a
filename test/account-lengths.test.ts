import { describe, expect, it } from 'vitest';
import type { AddressedAccount } from '../src/chain/records/records.ts';
import { POSITION_FETCHERS } from '../src/protocols/fetchers.ts';
import { isPool } from '../src/protocols/spl-stake-pool/pool.ts';
import { buildGenesis } from '../src/sandbox/genesis/build-genesis.ts';
import type { Address } from '../src/solana/address.ts';
import { fetchForWallet } from '../src/testing/protocols/accounts.ts';
import { TestView } from '../src/testing/protocols/wallet-view.ts';

describe('the fetchers', () => {
  it('show the same positions when accounts are longer, where programs write several lengths', async () => {
    const longer = genesis.accounts.map((each) =>
      LENGTHS_VARY.has(each.account.owner) ? extend(each) : each,
    );
    expect(longer.filter((each, index) => each !== genesis.accounts[index]).length).toBeGreaterThan(15);
    for (const fetcher of POSITION_FETCHERS) {
      const [ordinary, found] = [genesis.accounts, longer].map((accounts) =>
        fetchForWallet(fetcher, new TestView(accounts), owner),
      );
      expect(await found, fetcher.id).toEqual(await ordinary);
      if (VARYING_FETCHERS.has(fetcher.id)) expect((await found)?.elements, fetcher.id).not.toEqual([]);
    }
  });
});

describe('splStakePool', () => {
  it.each([
    ['longer than the public tools make it', 700],
    ['without room for its options', 480],
  ])('takes a pool that is %s', (_, length) => {
    const pools = genesis.accounts.filter(({ account }) => isPool(account));
    expect(pools).toHaveLength(1);
    for (const { account } of pools)
      expect(isPool({ ...account, data: resize(account.data, length) })).toBe(true);
  });
});

const genesis = buildGenesis('account lengths');
const owner = genesis.keys.demoWallets[0]?.address as Address;

/**
 * The programs that leave accounts of one type in several lengths, or whose source is not public so that nobody can say:
 * partial unstakes have a memo, claims were longer once, and requests have more room than fields.
 */
const LENGTHS_VARY: ReadonlySet<string> = new Set([
  'voTpe3tHQ7AjQHMapgSue2HJFAh2cGsdokqN3XqmVSj',
  'DiS3nNjFVMieMgmiQFm6wgJL7nevk4NrhXKLbtEH1Z2R',
  'PERPHjGBqRHArX4DySjwM6UJHiR3sWAatqfdBS2qQJu',
  'DCA265Vj8a9CEuX1eb1LWRnDT7uK6q1xMipnNyatn23M',
  'j1o2qRpjcyUwEvwtcfhEQefh773ZgjxcVRry7LDqg5X',
  'jupoNjAxXgZ4rjzxzPMP4oxduvQsQtZzyknqvzYNrNu',
  'VALaaymxQh2mNy2trH9jUqHT1mTow76wpTcGmSWSwJe',
]);
const VARYING_FETCHERS: ReadonlySet<string> = new Set([
  'jupiter-governance-vote',
  'jupiter-jupuary-airdrops',
  'jupiter-exchange-perpetual',
  'jupiter-exchange-perpetual-borrow',
  'jupiter-exchange-dca',
  'jupiter-exchange-limit',
  'jupiter-exchange-limit-v1',
  'jupiter-exchange-value-average',
]);

function extend({ address, account }: AddressedAccount): AddressedAccount {
  return { address, account: { ...account, data: resize(account.data, account.data.length + 48) } };
}

function resize(data: Uint8Array, length: number): Uint8Array {
  const resized = new Uint8Array(length);
  resized.set(data.subarray(0, length));
  return resized;
}
