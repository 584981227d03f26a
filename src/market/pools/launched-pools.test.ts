import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Chain } from '../../chain/chain.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { meteoraDbc } from '../../protocols/meteora-dbc/venue.ts';
import { DBC_CASE, DBC_CLOCK } from '../../testing/protocols/dbc-cases.ts';
import { LaunchChain } from '../../testing/protocols/launch-chain.ts';
import { Pools } from './pools.ts';

let chain: LaunchChain;
let pools: Pools;
beforeEach(async () => {
  chain = new LaunchChain();
  pools = await Pools.open(chain as unknown as Chain, [meteoraDbc]);
});
afterEach(() => pools.close());

describe('pools that are created while Sluice runs', () => {
  it('are listed once everything that they depend on is read, also what only their configuration names', async () => {
    chain.publish(named(21));
    expect(pools.between(DBC_CASE.baseMint, DBC_CASE.quoteMint)).toEqual([]);
    await vi.waitFor(() => expect(pools.between(DBC_CASE.baseMint, DBC_CASE.quoteMint)).toHaveLength(1));
    expect(pools.account(DBC_CASE.quoteMint)).not.toBeNull();
    const handle = pools.find(named(21));
    expect(handle?.venue.quoteExactIn(handle.pool, DBC_CASE.quoteMint, 1_000_000n, DBC_CLOCK)).not.toBeNull();
  });

  it('are all listed if several are created under one configuration before it is read', async () => {
    const launched = [named(21), named(22), named(23)];
    for (const address of launched) chain.publish(address);
    await vi.waitFor(() => {
      for (const address of launched) expect(pools.find(address)).not.toBeNull();
    });
    expect([...pools.unusable()]).toEqual([]);
  });

  it('are unlisted with the swap that completes their curve', async () => {
    chain.publish(named(21));
    await vi.waitFor(() => expect(pools.find(named(21))).not.toBeNull());
    chain.publish(named(21), { quoteReserve: 1n << 32n });
    expect(pools.find(named(21))).toBeNull();
    expect(pools.knows(DBC_CASE.baseMint)).toBe(false);
    expect([...pools.unusable()]).toMatchObject([{ reason: 'its curve is complete' }]);
    chain.publish(named(21), { quoteReserve: 1n << 32n, isMigrated: 1 });
    expect(pools.find(named(21))).toBeNull();
  });
});

function named(number: number): Address {
  return toAddress(new Uint8Array(32).fill(number));
}
