import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestMarket, type GenesisTestMarket } from '../../../testing/genesis-market/open.ts';
import { getGenesisToken } from '../../../solana/known-tokens.ts';
import { findRoutes } from '../../../market/router/index.ts';
import type { Address } from '../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { TokenPrice } from '../../../market-data/market-data.ts';
import type { Trade } from '../../../market-data/trades/trade.ts';
import { toExtraInfoJson } from '../endpoints/extra-info-json.ts';
import { openExtraInfo } from './extra-info.ts';
import { followLastSwaps } from './last-swaps.ts';

describe('followLastSwaps', () => {
  it('goes on after a snapshot has set the clock back', () => {
    const market = tradedMarket();
    const swaps = followLastSwaps(market, () => NOW);
    market.take(trade({ time: NOW + 500, dollars: 99 }));
    market.take(trade({ time: NOW, dollars: 12 }));
    expect(swaps.of(JUP).buy).toEqual({ at: NOW, dollarsPerAtom: 12 / 20_000_000 });
  });

  it('keeps the last purchase and the last sale of each token', () => {
    const market = tradedMarket();
    const swaps = followLastSwaps(market, () => NOW);
    market.take(trade());
    market.take(trade({ time: 1_010, dollars: 12 }));
    market.take(trade({ time: 1_005, dollars: 99 }));
    const back = { paid: { mint: JUP, amount: 30_000_000n }, received: { mint: USDC, amount: 9_000_000n } };
    market.take(trade({ ...back, time: 1_020, dollars: 9 }));
    expect(swaps.of(JUP)).toEqual({
      buy: { at: 1_010, dollarsPerAtom: 12 / 20_000_000 },
      sell: { at: 1_020, dollarsPerAtom: 9 / 30_000_000 },
    });
    expect(swaps.of(OTHER)).toEqual({ buy: null, sell: null });
  });

  it('leaves out swaps without dollars, below a dollar, and traded back in their transaction', () => {
    const market = tradedMarket();
    const swaps = followLastSwaps(market, () => NOW);
    market.take(trade({ dollars: null }));
    market.take(trade({ dollars: 0.99 }));
    market.take(trade({ isRoundTrip: true }));
    market.take(trade({ received: { mint: JUP, amount: 0n } }));
    expect(swaps.of(JUP)).toEqual({ buy: null, sell: null });
    swaps.close();
    expect(market.listeners.size).toBe(0);
  });
});

describe('openExtraInfo', () => {
  let market: GenesisTestMarket;
  beforeAll(async () => {
    market = await openTestMarket('without programs');
  });
  afterAll(() => market?.pools.close());

  it.each([
    ['JUP', JUP],
    ['SOL', WRAPPED_SOL_MINT],
    ['USDC', USDC],
  ])('quotes %s to buy and to sell, with an impact that grows with the size', (_symbol, mint) => {
    const { quotes } = opened().info.of(mint);
    const usdPerAtom = priceOf(mint)?.dollarsPerAtom ?? 0;
    expect(quotes?.buy.dollarsPerAtom).toBeGreaterThan(usdPerAtom * 0.998);
    expect(quotes?.buy.dollarsPerAtom).toBeGreaterThan(quotes?.sell.dollarsPerAtom ?? 0);
    expect(quotes?.sell.dollarsPerAtom).toBeGreaterThan(usdPerAtom * 0.98);
    for (const side of [quotes?.buy, quotes?.sell]) {
      const impacts = [...(side?.impacts ?? [])];
      expect(impacts.map(([depth]) => depth)).toEqual([10, 100, 1_000]);
      const percents = impacts.map(([, percent]) => percent);
      expect([...percents].sort((one, other) => one - other)).toEqual(percents);
      expect(percents.at(-1)).toBeLessThan(100);
    }
  });

  it('states the impact in percent: what 1,000 SOL cost beyond the price before them', () => {
    const { quotes } = opened().info.of(JUP);
    const out = (amount: bigint) => {
      const routes = findRoutes(market.pools, {
        inputMint: WRAPPED_SOL_MINT,
        outputMint: JUP,
        amount,
        clock: market.chain.clock(),
        maxHops: 2,
        maxPaths: 0,
        onlyHubs: false,
      });
      for (const { outAmount } of routes) return Number(outAmount);
      return 0;
    };
    const price = out(100_000_000n) / 0.1;
    const expected = (1 - out(1_000_000_000_000n) / 1_000 / price) * 100;
    expect(quotes?.buy.impacts.get(1_000)).toBeCloseTo(expected, 1);
  });

  it('has no quotes of a token without a price', () => {
    expect(opened().info.of(OTHER).quotes).toBeNull();
  });

  it('answers in the form that clients know, with null for what was not seen', () => {
    const { info, traded } = opened();
    traded.take(trade());
    const price = priceOf(JUP);
    if (price === null) throw new Error('JUP has no price');
    const json = toExtraInfoJson(price, info.of(JUP));
    expect(json).toMatchObject({
      lastSwappedPrice: {
        lastJupiterBuyAt: 1_000,
        lastJupiterBuyPrice: '0.5',
        lastJupiterSellAt: null,
        lastJupiterSellPrice: null,
      },
      quotedPrice: { buyAt: 1_800_000_000, sellAt: 1_800_000_000 },
      depth: { sellPriceImpactRatio: { timestamp: 1_800_000_000 } },
    });
    expect(Number(json.quotedPrice.buyPrice)).toBeCloseTo(0.49, 2);
    expect(Object.keys(json.depth?.buyPriceImpactRatio.depth ?? {})).toEqual(['10', '100', '1000']);
    expect(toExtraInfoJson(price, { swapped: info.of(OTHER).swapped, quotes: null, quotedAt: 5 })).toEqual({
      lastSwappedPrice: {
        lastJupiterSellAt: null,
        lastJupiterSellPrice: null,
        lastJupiterBuyAt: null,
        lastJupiterBuyPrice: null,
      },
      quotedPrice: { buyPrice: null, buyAt: null, sellPrice: null, sellAt: null },
    });
  });

  /** Prices as the pools of the genesis have them. */
  const priceOf = (mint: Address): TokenPrice | null => {
    const known = new Map<Address, readonly [number, number]>([
      [WRAPPED_SOL_MINT, [200, 9]],
      [USDC, [1, 6]],
      [JUP, [0.49, 6]],
    ]);
    const [usdPrice, decimals] = known.get(mint) ?? [null, 0];
    if (usdPrice === null) return null;
    return {
      mint,
      usdPrice,
      dollarsPerAtom: usdPrice / 10 ** decimals,
      decimals,
      scaled: null,
      multiplier: 1,
      slot: 5n,
      priceChange24h: null,
      liquidity: 1,
      createdAt: null,
    };
  };
  const opened = () => {
    const traded = tradedMarket();
    const marketData = { ...traded, price: priceOf };
    return { traded, info: openExtraInfo({ chain: market.chain, pools: market.pools, marketData }) };
  };
});

const [JUP, USDC] = [getGenesisToken('JUP').mint, getGenesisToken('USDC').mint];
const OTHER = getGenesisToken('WIF').mint;

const trade = (changes: Partial<Trade> = {}): Trade => ({
  pool: OTHER,
  venue: 'Whirlpool',
  paid: { mint: USDC, amount: 10_000_000n },
  received: { mint: JUP, amount: 20_000_000n },
  dollars: 10,
  trader: OTHER,
  signature: 'signature',
  slot: 5n,
  time: 1_000,
  isRoundTrip: false,
  isSandwich: false,
  ...changes,
});

/** Market data with trades that a test makes. */
function tradedMarket() {
  const listeners = new Set<(trade: Trade) => void>();
  return {
    listeners,
    take: (each: Trade) => {
      for (const listener of listeners) listener(each);
    },
    onTrade: (listener: (trade: Trade) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** A second after those of the trades. */
const NOW = 2_000;
