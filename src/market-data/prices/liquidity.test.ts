import { describe, expect, it } from 'vitest';
import { address } from '../../solana/address.ts';
import { TokenLiquidity } from './liquidity.ts';
import { numbered, PricedTestMarket } from '../../testing/market-data/priced-market.ts';

describe('TokenLiquidity', () => {
  it('adds up both sides of all pools', () => {
    const { made, liquidityOf } = market();
    expect(liquidityOf(TOKEN)).toBeCloseTo(10_000, 3);
    made.pool(numbered(12), [TOKEN, OTHER], [1_000, 1_000]);
    expect(liquidityOf(TOKEN)).toBeCloseTo(12_000, 3);
    expect(liquidityOf(OTHER)).toBeCloseTo(12_000, 3);
    expect(liquidityOf(USDC)).toBeCloseTo(20_000, 3);
    expect(liquidityOf(WORTHLESS)).toBe(0);
  });
});

describe('attacks on liquidity', () => {
  it('tokens that their issuer puts into a pool against a worthless token do not count', () => {
    const { made, liquidityOf } = market();
    made.pool(numbered(12), [TOKEN, WORTHLESS], [1e12, 1e12]);
    expect(liquidityOf(TOKEN)).toBeCloseTo(10_000, 3);
  });

  it('two tokens of one issuer count for no more than the dollars in the pools of the other one', () => {
    const { made, liquidityOf } = market();
    for (let tag = 20; tag < 40; tag++) made.pool(numbered(tag), [TOKEN, OTHER], [1e12, 1e12]);
    expect(liquidityOf(TOKEN)).toBeCloseTo(20_000, 3);
    expect(liquidityOf(OTHER)).toBeCloseTo(20_000, 3);
  });

  it('a pool that is out of balance counts twice its dollars', () => {
    const { made, liquidityOf } = market();
    made.pool(numbered(10), [TOKEN, USDC], [MILLION, MILLION]);
    made.pool(numbered(12), [TOKEN, USDC], [MILLION, 10]);
    expect(liquidityOf(TOKEN)).toBeCloseTo(2 * MILLION + 20, 1);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const [TOKEN, OTHER, WORTHLESS] = [numbered(1), numbered(2), numbered(3)] as const;
const MILLION = 1e6;

/** Two tokens that are worth a dollar, with 5,000 dollars on each side of their pools. */
function market() {
  const made = new PricedTestMarket();
  made.pool(numbered(10), [TOKEN, USDC], [5_000, 5_000]);
  made.pool(numbered(11), [OTHER, USDC], [5_000, 5_000]);
  let now = 0;
  const dollarsPerAtom = (mint: typeof TOKEN) => made.prices.price(mint)?.dollarsPerAtom ?? null;
  const liquidity = new TokenLiquidity(made.pools, dollarsPerAtom, () => now);
  const liquidityOf = (mint: typeof TOKEN) => {
    // Sums are kept for a second.
    now += 1_000;
    return liquidity.of(mint);
  };
  return { made, liquidityOf };
}
