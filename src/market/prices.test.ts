import { beforeEach, describe, expect, it } from 'vitest';
import { openTestMarket, type TestMarket } from '../../test/genesis-market/open.ts';
import { genesisAtomsWorth } from '../../test/genesis-market/price.ts';
import type { Address } from '../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../solana/programs.ts';
import { dollarsPerAtom } from './prices.ts';

let market: TestMarket;

beforeEach(async () => {
  market = await openTestMarket('without programs');
});

describe('dollarsPerAtom', () => {
  it('knows every token of the genesis at the price that its pools were made for', () => {
    for (const { mint, symbol } of market.genesis.tokens) {
      const worth = (dollarsPerAtom(market.parts.pools, mint) ?? 0) * Number(genesisAtomsWorth(1_000n, mint));
      expect(worth, symbol).toBeGreaterThan(990);
      expect(worth, symbol).toBeLessThan(1_010);
    }
  });

  it('is null for a mint without pools', () => {
    expect(dollarsPerAtom(market.parts.pools, market.network.newAddress())).toBeNull();
  });

  it('does not follow a small pool to an odd price', () => {
    const before = dollarsPerAtom(market.parts.pools, WRAPPED_SOL_MINT) ?? 0;
    const pools = market.parts.pools.between(WRAPPED_SOL_MINT, USDC);
    const [small] = [...pools].sort(
      (one, other) =>
        one.venue.estimate(one.pool, WRAPPED_SOL_MINT, 1e30) -
        other.venue.estimate(other.pool, WRAPPED_SOL_MINT, 1e30),
    );
    const genesis = market.genesis.pools.find(({ address }) => address === small?.pool.address);
    const vault = genesis?.vaults[small?.pool.mints.indexOf(WRAPPED_SOL_MINT) ?? 0] as Address;
    const account = market.network.account(vault);
    if (account === null || pools.length < 2)
      throw new Error('the genesis has no second pool of SOL and USDC');
    const data = Buffer.from(account.data);
    data.writeBigUInt64LE(data.readBigUInt64LE(64) / 50n, 64);
    market.network.setAccount(vault, { ...account, data });
    market.chain.publish([vault]);
    const after = dollarsPerAtom(market.parts.pools, WRAPPED_SOL_MINT) ?? 0;
    expect(Math.abs(after / before - 1)).toBeLessThan(0.01);
  });
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
