import { getGenesisPools } from '../../protocol/genesis/venue-genesis.ts';
import { raydiumCpmmGenesis } from '../../protocols/raydium-cpmm/genesis/genesis.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openTestMarket, type GenesisTestMarket } from '../../testing/genesis-market/open.ts';
import type { Address } from '../../solana/address.ts';
import type { PoolHandle } from './liquidity.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../protocols/raydium-cpmm/program/program.ts';

let market: GenesisTestMarket;

beforeEach(async () => {
  market = await openTestMarket('without programs');
});

describe('Pools', () => {
  it('reads every pool of the genesis', () => {
    const all = [...market.genesis.pools.values()].flat();
    expect(market.pools.size).toBe(all.length);
    expect([...market.pools.unusable()]).toEqual([]);
    for (const { mint } of market.genesis.tokens) expect(market.pools.knows(mint)).toBe(true);
    expect(market.pools.unhealthy()).toBeNull();
  });

  it('quotes at the new state once the chain announces a change, and not before', () => {
    const { handle: direct, vault } = directPool();
    const out = () => {
      const [current, mirrored] = listed(direct.pool.address);
      expect(mirrored).toBe(current);
      return (
        current?.venue.quoteExactIn(current.pool, SOL, 1_000_000_000n, market.chain.clock())?.outAmount ?? 0n
      );
    };
    const before = out();
    double(vault);
    expect(out()).toBe(before);
    market.chain.publish([vault]);
    expect(out()).toBeLessThan(before);
  });

  it('leaves a pool out with a reason while its vault is missing', () => {
    const { handle: direct, vault } = directPool();
    const saved = market.network.account(vault);
    if (saved === null) throw new Error('no vault');
    market.network.setAccount(vault, { ...saved, lamports: 0n, data: new Uint8Array(0) });
    market.chain.publish([vault]);
    expect(listed(direct.pool.address)).toEqual([undefined, undefined]);
    expect([...market.pools.unusable()]).toEqual([
      { address: direct.pool.address, venue: 'Raydium CP', reason: expect.stringContaining('vault') },
    ]);
    market.network.setAccount(vault, saved);
    market.chain.publish([vault]);
    for (const found of listed(direct.pool.address)) expect(found?.pool).toEqual(direct.pool);
  });

  it('forgets a pool whose account is closed, and knows it again when it comes back', async () => {
    const { handle: direct, vault } = directPool();
    const { address } = direct.pool;
    const [all, listing] = [market.pools.size, market.pools.listing];
    const saved = market.network.account(address);
    if (saved === null) throw new Error('no pool');
    market.network.setAccount(address, { ...saved, lamports: 0n, data: new Uint8Array(0) });
    market.chain.publish([address]);
    expect(listed(address)).toEqual([undefined, undefined]);
    expect(market.pools.size).toBe(all - 1);
    expect([...market.pools.unusable()]).toEqual([]);
    expect(market.pools.account(vault)).toBeNull();
    expect(market.pools.listing).toBeGreaterThan(listing);
    market.network.setAccount(address, saved);
    market.chain.publish([address]);
    await vi.waitFor(() => expect(listed(address)[0]?.pool).toEqual(direct.pool));
    expect(market.pools.size).toBe(all);
  });

  it('ignores changes after close', () => {
    const { handle: direct, vault } = directPool();
    const before = direct.pool;
    market.pools.close();
    double(vault);
    market.chain.publish([vault]);
    expect(listed(before.address)[0]?.pool).toBe(before);
  });

  it('returns the mints with the most counterparts as hubs', () => {
    const { pools } = market;
    const [first, second] = pools.hubs();
    expect(new Set([first, second])).toEqual(new Set([SOL, USDC]));
  });
});

const SOL = 'So11111111111111111111111111111111111111112' as Address;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

function directPool(): { readonly handle: PoolHandle; readonly vault: Address } {
  const direct = market.pools.between(SOL, USDC).find(({ venue }) => venue.program === RAYDIUM_CPMM_PROGRAM);
  if (direct === undefined) throw new Error('no direct pool of SOL and USDC');
  const addresses = getGenesisPools(market.genesis, raydiumCpmmGenesis).find(
    ({ address }) => address === direct.pool.address,
  );
  return { handle: direct, vault: addresses?.vaults[direct.pool.mints.indexOf(SOL)] as Address };
}

/** The pool as it is listed now, seen from either of its mints. */
function listed(address: Address): readonly (PoolHandle | undefined)[] {
  const { pools } = market;
  return [pools.between(SOL, USDC), pools.between(USDC, SOL)].map((handles) =>
    handles.find(({ pool }) => pool.address === address),
  );
}

/** Doubles what a vault holds, as a deposit on one side would. */
function double(vault: Address): void {
  const account = market.network.account(vault);
  if (account === null) throw new Error(`no vault ${vault}`);
  const data = Buffer.from(account.data);
  data.writeBigUInt64LE(data.readBigUInt64LE(64) * 2n, 64);
  market.network.setAccount(vault, { ...account, data });
}
