import { getGenesisPools } from '../../protocol/genesis/venue-genesis.ts';
import { raydiumCpmmGenesis } from '../../protocols/raydium-cpmm/genesis/genesis.ts';
import { describe, expect, it } from 'vitest';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { computeGenesisAtoms } from '../../testing/genesis-market/price.ts';
import { PoolPrices } from './pool-prices.ts';
import { DOLLARS_PER_ATOM } from './prices.ts';
import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { openForEach } from '../../testing/opened.ts';

const market = openForEach(() => openTestMarket('without programs'));

describe('dollarsPerAtom', () => {
  it('prices every token of the genesis as its pools were created', () => {
    for (const { mint, symbol } of market.genesis.tokens) {
      const worth = (market.prices.dollarsPerAtom(mint) ?? 0) * Number(computeGenesisAtoms(1_000n, mint));
      expect(worth, symbol).toBeGreaterThan(990);
      expect(worth, symbol).toBeLessThan(1_010);
    }
  });

  it('returns null for a mint without pools', () => {
    expect(market.prices.dollarsPerAtom(market.network.newAddress())).toBeNull();
  });

  it('does not follow a small pool to an odd price', () => {
    const before = market.prices.dollarsPerAtom(WRAPPED_SOL_MINT) ?? 0;
    const pools = market.pools.between(WRAPPED_SOL_MINT, USDC);
    const [small] = [...pools].sort(
      (one, other) =>
        one.venue.estimate(one.pool, WRAPPED_SOL_MINT, 1e30, market.chain.clock()) -
        other.venue.estimate(other.pool, WRAPPED_SOL_MINT, 1e30, market.chain.clock()),
    );
    const genesis = getGenesisPools(market.genesis, raydiumCpmmGenesis).find(
      ({ address }) => address === small?.pool.address,
    );
    const vault = genesis?.vaults[small?.pool.mints.indexOf(WRAPPED_SOL_MINT) ?? 0] as Address;
    const account = market.network.account(vault);
    if (account === null || pools.length < 2)
      throw new Error('the genesis has no second pool of SOL and USDC');
    const data = Buffer.from(account.data);
    data.writeBigUInt64LE(data.readBigUInt64LE(64) / 50n, 64);
    market.network.setAccount(vault, { ...account, data });
    market.chain.publish([vault]);
    const after = market.prices.dollarsPerAtom(WRAPPED_SOL_MINT) ?? 0;
    expect(Math.abs(after / before - 1)).toBeLessThan(0.01);
  });
});

describe('worthInDollars', () => {
  it('returns the price times the amount for every token of the genesis', () => {
    for (const { mint, symbol } of market.genesis.tokens) {
      const dollars = worth(mint, computeGenesisAtoms(1_000n, mint)) ?? 0;
      expect(dollars, symbol).toBeGreaterThan(990);
      expect(dollars, symbol).toBeLessThan(1_010);
    }
  });

  it('never exceeds what the pools can pay out', () => {
    const inPools = worth(PYTH, computeGenesisAtoms(1_000_000_000_000n, PYTH)) ?? 0;
    expect(inPools).toBeGreaterThan(1_000_000);
    expect(inPools).toBeLessThan(10_000_000);
  });

  it('returns null when a trade of 1,000 dollars moves the pools by a tenth', () => {
    fill(PYTH, (before) => before / 20n);
    expect(worth(PYTH, 1_000_000n)).not.toBeNull();
    fill(PYTH, (before) => before / 20n);
    expect(market.prices.dollarsPerAtom(PYTH)).not.toBeNull();
    expect(worth(PYTH, 1_000_000n)).toBeNull();
  });

  it('returns null when a pool is deep on one side only', () => {
    fill(PYTH, (before, of) => (of === PYTH ? 100n : before / 1_000_000n));
    expect(worth(PYTH, 1_000_000n)).toBeNull();
    expect(worth(market.network.newAddress(), 1n)).toBeNull();
  });

  const worth = (mint: Address, atoms: bigint) => market.prices.worthInDollars(mint, atoms);

  /** Changes what is in all pools of the mint against USDC and SOL. */
  function fill(mint: Address, amountOf: (before: bigint, of: Address) => bigint): void {
    for (const quote of [USDC, WRAPPED_SOL_MINT]) {
      for (const { pool } of market.pools.between(mint, quote)) {
        const { vaults = [] } =
          getGenesisPools(market.genesis, raydiumCpmmGenesis).find(
            ({ address }) => address === pool.address,
          ) ?? {};
        for (const [index, vault] of vaults.entries()) {
          const account = market.network.account(vault);
          if (account === null) throw new Error(`no vault ${vault}`);
          const data = Buffer.from(account.data);
          data.writeBigUInt64LE(amountOf(data.readBigUInt64LE(64), pool.mints[index] as Address), 64);
          market.network.setAccount(vault, { ...account, data });
          market.chain.publish([vault]);
        }
      }
    }
  }
});

describe('with a source', () => {
  it('takes every price from it but those of stablecoins, and the depth from the pools', () => {
    const prices = priced(5);
    expect([prices.dollarsPerAtom(PYTH), prices.dollarsPerAtom(USDC)]).toEqual([5, DOLLARS_PER_ATOM]);
    expect([prices.deepDollarsPerAtom(PYTH), prices.deepDollarsPerAtom(USDC)]).toEqual([5, DOLLARS_PER_ATOM]);
    expect(prices.worthInDollars(PYTH, 3n)).toBe(15);
    const all = computeGenesisAtoms(1_000_000_000_000n, PYTH);
    expect(prices.worthInDollars(PYTH, all)).toBe(market.prices.worthInDollars(PYTH, all));
    expect(prices.worthInDollars(market.network.newAddress(), 1n)).toBeNull();
  });

  it('has no price that the source does not have', () => {
    const prices = priced(null);
    expect([prices.dollarsPerAtom(PYTH), prices.worthInDollars(PYTH, 1n)]).toEqual([null, null]);
  });

  const priced = (dollarsPerAtom: number | null) => new PoolPrices(market.pools, () => dollarsPerAtom);
});

const PYTH = 'HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3' as Address;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
