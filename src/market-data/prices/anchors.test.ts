import { describe, expect, it } from 'vitest';
import { address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { Trade } from '../trades/trade.ts';
import { numbered, PricedTestMarket } from '../../testing/market-data/priced-market.ts';

describe('attacks on the price of a token that is priced by another token', () => {
  it('an anchor that the attacker issues counts for no more than the dollars in its own pool', () => {
    const made = market();
    expect(made.price(TOKEN)).toBeCloseTo(1, 9);
    made.pool(OWN_ANCHOR_POOL, [OWN_ANCHOR, USDC], [99_000, 99_000]);
    for (const issued of [1e5, 1e9, 1e15]) {
      made.pool(OWN_POOL, [TOKEN, OWN_ANCHOR], [issued / 5, issued]);
      expect(made.price(TOKEN), `${issued} tokens issued`).toBeCloseTo(1, 9);
    }
    // It takes as many dollars as are in all other pools, at a price at which anyone can trade against them.
    made.pool(OWN_ANCHOR_POOL, [OWN_ANCHOR, USDC], [102_000, 102_000]);
    expect(made.price(TOKEN)).toBeCloseTo(5, 1);
  });

  it('many pools against that anchor count for no more than one', () => {
    const made = market();
    made.pool(OWN_ANCHOR_POOL, [OWN_ANCHOR, USDC], [50_000, 50_000]);
    for (let tag = 100; tag < 120; tag++) made.pool(numbered(tag), [TOKEN, OWN_ANCHOR], [1e9, 5e9]);
    expect(made.price(TOKEN)).toBeCloseTo(1, 9);
  });

  it('the price returns at once when the dollars are withdrawn from the pool of the anchor', () => {
    const made = market();
    made.pool(OWN_ANCHOR_POOL, [OWN_ANCHOR, USDC], [MILLION, MILLION]);
    made.pool(OWN_POOL, [TOKEN, OWN_ANCHOR], [1e9, 5e9]);
    expect(made.price(TOKEN)).toBeCloseTo(5, 9);
    made.pool(OWN_ANCHOR_POOL, [OWN_ANCHOR, USDC], [2_000, 2_000]);
    expect(made.price(TOKEN)).toBeCloseTo(1, 9);
  });

  it('a small pool against dollars does not outweigh deeper pools against other tokens', () => {
    const made = market();
    for (const [dollars, price] of [
      [2_000, 5],
      [50_000, 0.2],
      [99_000, 1_000],
    ] as const) {
      made.pool(OWN_POOL, [TOKEN, USDC], [dollars / price, dollars]);
      expect(made.price(TOKEN), `${dollars} dollars at ${price}`).toBeCloseTo(1, 9);
    }
    made.pool(OWN_POOL, [TOKEN, USDC], [102_000 / 5, 102_000]);
    expect(made.price(TOKEN)).toBeCloseTo(5, 9);
  });

  it('a deep pool that charges a tenth is no price while there is a pool that does not', () => {
    const made = market();
    made.pool(OWN_POOL, [TOKEN, USDC], [MILLION, 5 * MILLION], 0.1);
    expect(made.price(TOKEN)).toBeCloseTo(1, 9);
    made.pool(OWN_POOL, [TOKEN, USDC], [MILLION, 5 * MILLION], 0.05);
    expect(made.price(TOKEN)).toBeCloseTo(5, 9);
    const alone = new PricedTestMarket();
    alone.pool(OWN_POOL, [TOKEN, USDC], [MILLION, 5 * MILLION], 0.5);
    expect(alone.price(TOKEN)).toBeCloseTo(5, 9);
  });

  it('two hundred worthless counterparts do not crowd out the one that has a price', () => {
    const made = new PricedTestMarket();
    for (let tag = 100; tag < 300; tag++)
      made.pool(numbered(tag), [TOKEN, numbered(tag + 1_000)], [1e9, 1e9]);
    made.pool(numbered(7), [HONEST_ANCHOR, USDC], [MILLION, MILLION]);
    made.pool(HONEST_POOL, [TOKEN, HONEST_ANCHOR], [100_000, 100_000]);
    expect(made.price(TOKEN)).toBeCloseTo(1, 9);
  });

  it('a fill of a market maker with itself is no price', () => {
    const made = market();
    const fill: Trade = {
      pool: null,
      venue: 'maker',
      paid: { mint: HONEST_ANCHOR, amount: 1_004_000n * 10n ** 6n },
      received: { mint: TOKEN, amount: 1_000_000n * 10n ** 6n },
      dollars: 1_004_000,
      trader: numbered(8),
      signature: null,
      slot: 2n,
      time: 0,
      isRoundTrip: false,
      isSandwich: false,
    };
    expect(made.prices.addTrade(fill)).toBeNull();
    expect(made.price(TOKEN)).toBeCloseTo(1, 9);
  });
});

describe('TokenPrices', () => {
  it('keep the last trade as the price when an earlier one comes late', () => {
    const made = market();
    const trade = (atoms: bigint, slot: bigint): Trade => ({
      pool: HONEST_POOL,
      venue: 'test',
      paid: { mint: HONEST_ANCHOR, amount: 1_000n * 10n ** 6n },
      received: { mint: TOKEN, amount: atoms },
      dollars: 1_000,
      trader: numbered(8),
      signature: null,
      slot,
      time: 0,
      isRoundTrip: false,
      isSandwich: false,
    });
    const last = made.prices.addTrade(trade(999_000_000n, 1n));
    expect(last?.mint).toBe(TOKEN);
    expect(made.prices.addTrade(trade(1_001_000_000n, 0n))?.dollarsPerAtom).toBeLessThan(
      last?.dollarsPerAtom ?? 0,
    );
    expect(made.prices.price(TOKEN)).toMatchObject({ dollarsPerAtom: last?.dollarsPerAtom, slot: 1n });
  });

  it('has no price of SOL while no stablecoin is traded for it, though other tokens are', () => {
    const made = market();
    made.pool(numbered(9), [HONEST_ANCHOR, WRAPPED_SOL_MINT], [MILLION, 10_000]);
    expect(made.price(WRAPPED_SOL_MINT)).toBeNull();
    expect(made.price(HONEST_ANCHOR)).toBeCloseTo(1, 9);
    expect(made.price(TOKEN)).toBeCloseTo(1, 9);
    made.pool(numbered(10), [WRAPPED_SOL_MINT, USDC], [10_000, MILLION]);
    expect(made.price(WRAPPED_SOL_MINT)).toBeCloseTo(100, 6);
  });

  it('prices a token by both kinds of pools, weighted by their depths', () => {
    const made = market(50_000);
    made.pool(OWN_POOL, [TOKEN, USDC], [60_000, 60_600]);
    expect(made.price(TOKEN)).toBeCloseTo(1.01, 9);
    made.pool(HONEST_POOL, [TOKEN, HONEST_ANCHOR], [70_000, 70_000]);
    expect(made.price(TOKEN)).toBeCloseTo(1, 9);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
/** A token that is only traded for another one, which is traded for dollars. */
const [TOKEN, HONEST_ANCHOR] = [numbered(1), numbered(2)] as const;
const [OWN_ANCHOR, OWN_POOL, OWN_ANCHOR_POOL] = [numbered(3), numbered(4), numbered(5)] as const;
const HONEST_POOL = numbered(6);
const MILLION = 1e6;

/** The token and its anchor are worth a dollar, with a million dollars on each side of the anchor's pool. */
function market(dollars = 100_000): PricedTestMarket {
  const made = new PricedTestMarket();
  made.pool(numbered(7), [HONEST_ANCHOR, USDC], [MILLION, MILLION]);
  made.pool(HONEST_POOL, [TOKEN, HONEST_ANCHOR], [dollars, dollars]);
  return made;
}
