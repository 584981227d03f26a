import { beforeEach, describe, expect, it, vi } from 'vitest';
import { VENUES } from '../../protocols/venues.ts';
import type { Address } from '../../solana/address.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../solana/programs/token/account.ts';
import { decodeMint, encodeMint } from '../../solana/programs/token/mint.ts';
import { type GenesisTestMarket, openTestMarket } from '../../testing/genesis-market/open.ts';
import type { PoolHandle } from './liquidity.ts';

let market: GenesisTestMarket;

beforeEach(async () => {
  market = await openTestMarket('without programs');
});

// What a stake pool holds is stake, which nobody can freeze. The genesis has no pool that exists for minutes only.
const LABELS = VENUES.filter(({ label, isShortLived }) => label !== 'Sanctum' && isShortLived !== true).map(
  ({ label }) => label,
);

describe('the issuer of a token', () => {
  it.each(LABELS)('cannot have a pool of %s quoted whose vault it has frozen', async (label) => {
    const [first] = [...market.pools.all()].filter(({ venue }) => venue.label === label);
    const handle = first as PoolHandle;
    const vaults = holdingsOf(handle);
    expect(vaults.length).toBeGreaterThan(0);
    await makeFreezable(handle);
    const { address } = handle.pool;
    const { pool } = market.pools.find(address) as PoolHandle;
    for (const vault of vaults) {
      setFrozen(vault, true);
      expect(market.pools.find(address)).toBeNull();
      expect([...market.pools.unusable()]).toMatchObject([{ address, venue: label }]);
      setFrozen(vault, false);
      expect(market.pools.find(address)?.pool).toEqual(pool);
    }
  });

  it('makes a pool no busier: a balance of a vault leaves the state as it is where no quote depends on it', async () => {
    const handle = [...market.pools.all()].find(({ venue }) => venue.label === 'Whirlpool') as PoolHandle;
    await makeFreezable(handle);
    const { pool } = market.pools.find(handle.pool.address) as PoolHandle;
    const before = market.pools.changes;
    for (const vault of holdingsOf(handle)) setFrozen(vault, false);
    expect(market.pools.find(pool.address)?.pool).toBe(pool);
    expect(market.pools.changes).toBe(before);
  });
});

/** Gives both tokens of a pool a freeze authority, and waits until their pools have read the vaults. */
async function makeFreezable({ pool }: PoolHandle): Promise<void> {
  for (const mint of pool.mints) {
    const account = market.network.account(mint);
    if (account === null) throw new Error(`no mint ${mint}`);
    const data = encodeMint({ ...decodeMint(account.data), freezeAuthority: market.wallet });
    market.network.setAccount(mint, { ...account, data });
  }
  market.chain.publish(pool.mints);
  await vi.waitFor(() => expect([...market.pools.unusable()]).toEqual([]));
}

/** The vaults of a pool, without what stands for a token that the venue issues. */
function holdingsOf({ venue: { label }, pool }: PoolHandle): readonly Address[] {
  const venue = VENUES.find((each) => each.label === label);
  return (venue?.vaults?.(pool) ?? []).filter((vault, side) => vault !== pool.mints[side as 0 | 1]);
}

function setFrozen(vault: Address, isFrozen: boolean): void {
  const account = market.network.account(vault);
  if (account === null) throw new Error(`no vault ${vault}`);
  const held = decodeTokenAccount(account.data);
  const data = encodeTokenAccount({ ...held, state: isFrozen ? 'frozen' : 'initialized' });
  market.network.setAccount(vault, { ...account, data });
  market.chain.publish([vault]);
}
