import { beforeEach, describe, expect, it } from 'vitest';
import { openTestMarket, type TestMarket } from '../../test/genesis-market/open.ts';
import type { Address } from '../solana/address.ts';
import type { Market } from './pools.ts';
import { findRoutes } from './router.ts';

const SOL = 'So11111111111111111111111111111111111111112' as Address;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263' as Address;

let market: TestMarket;

beforeEach(async () => {
  market = await openTestMarket([]);
});

function find(inputMint: Address, outputMint: Address, amount: bigint) {
  const { pools } = market.parts;
  return findRoutes(pools, {
    inputMint,
    outputMint,
    amount,
    clock: market.chain.clock(),
    allows: () => true,
  });
}

function directPool(): { readonly market: Market; readonly vault: Address } {
  const [leg] = find(SOL, USDC, 1_000_000n).find(({ legs }) => legs.length === 1)?.legs ?? [];
  if (leg === undefined) throw new Error('no direct pool of SOL and USDC');
  const solSide = leg.market.pool.mints.indexOf(SOL);
  const addresses = market.genesis.pools.find(({ address }) => address === leg.market.pool.address);
  return { market: leg.market, vault: addresses?.vaults[solSide] as Address };
}

/** Doubles what a vault holds, as a deposit on one side would. */
function double(vault: Address): void {
  const account = market.network.account(vault);
  if (account === null) throw new Error(`no vault ${vault}`);
  const data = Buffer.from(account.data);
  data.writeBigUInt64LE(data.readBigUInt64LE(64) * 2n, 64);
  market.network.setAccount(vault, { ...account, data });
}

describe('Pools', () => {
  it('reads every pool of the genesis', () => {
    expect(market.parts.pools.size).toBe(market.genesis.pools.length);
    expect([...market.parts.pools.unusable()]).toEqual([]);
    for (const { mint } of market.genesis.tokens) expect(market.parts.pools.knows(mint)).toBe(true);
    expect(market.parts.pools.unhealthy()).toBeNull();
  });

  it('quotes at the new state once the chain announces a change, and not before', () => {
    const { market: direct, vault } = directPool();
    const out = () => {
      const current = [...market.parts.pools.trading(SOL)].find(
        (m) => m.pool.address === direct.pool.address,
      );
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

  it('leaves a pool out with a reason when its vault is gone, and takes it back', () => {
    const { market: direct, vault } = directPool();
    const saved = market.network.account(vault);
    if (saved === null) throw new Error('no vault');
    const listed = () =>
      [...market.parts.pools.trading(SOL)].some((m) => m.pool.address === direct.pool.address);
    market.network.setAccount(vault, { ...saved, lamports: 0n, data: new Uint8Array(0) });
    market.chain.publish([vault]);
    expect(listed()).toBe(false);
    expect([...market.parts.pools.unusable()]).toEqual([
      { address: direct.pool.address, venue: 'Raydium CP', reason: expect.stringContaining('vault') },
    ]);
    market.network.setAccount(vault, saved);
    market.chain.publish([vault]);
    expect(listed()).toBe(true);
  });

  it('hears nothing any more once closed', () => {
    const { vault } = directPool();
    market.parts.pools.close();
    const before = find(SOL, USDC, 1_000_000_000n).map(({ outAmount }) => outAmount);
    double(vault);
    market.chain.publish([vault]);
    expect(find(SOL, USDC, 1_000_000_000n).map(({ outAmount }) => outAmount)).toEqual(before);
  });
});

describe('findRoutes', () => {
  it('orders routes by what they pay and chains the amounts of their legs', () => {
    const routes = find(BONK, USDC, 1_000_000_000n);
    expect(routes.length).toBeGreaterThan(1);
    for (const [index, route] of routes.entries()) {
      const previous = routes[index - 1];
      if (previous !== undefined) expect(route.outAmount).toBeLessThanOrEqual(previous.outAmount);
      expect(route.legs[0]?.inputMint).toBe(BONK);
      expect(route.legs.at(-1)?.outputMint).toBe(USDC);
      for (const [leg, next] of route.legs.slice(1).entries()) {
        expect(next.inputMint).toBe(route.legs[leg]?.outputMint);
        expect(next.quote.inAmount).toBe(route.legs[leg]?.quote.outAmount);
      }
    }
  });

  it('finds what trying every pool and every pair of pools finds', () => {
    const { pools } = market.parts;
    const clock = market.chain.clock();
    for (const amount of [1_000n, 1_000_000_000n, 5_000_000_000_000n]) {
      let best = 0n;
      for (const first of pools.trading(SOL)) {
        const middle = first.pool.mints.find((mint) => mint !== SOL) as Address;
        const one = first.venue.quoteExactIn(first.pool, SOL, amount, clock);
        if (one === null) continue;
        if (middle === USDC && one.outAmount > best) best = one.outAmount;
        for (const second of pools.trading(middle)) {
          if (!second.pool.mints.includes(USDC)) continue;
          const two = second.venue.quoteExactIn(second.pool, middle, one.outAmount, clock);
          if (two !== null && middle !== USDC && two.outAmount > best) best = two.outAmount;
        }
      }
      expect(find(SOL, USDC, amount)[0]?.outAmount).toBe(best);
    }
  });

  it('uses no venue that the request does not allow', () => {
    const request = { inputMint: SOL, outputMint: USDC, amount: 1_000n, clock: market.chain.clock() };
    expect(findRoutes(market.parts.pools, { ...request, allows: () => false })).toEqual([]);
  });

  it('finds nothing for a mint that no pool trades', () => {
    expect(find(market.wallet, USDC, 1_000n)).toEqual([]);
  });
});
