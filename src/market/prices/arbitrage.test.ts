import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import type { Trading } from '../../protocol/venue/venue.ts';
import { findBestArbitrage } from './arbitrage.ts';

describe('findBestArbitrage', () => {
  it('finds a swap that earns more than those of other sizes, in either direction', () => {
    const property = fc.property(sizes, fc.array(fc.nat(1_000_000), { maxLength: 20 }), (pool, others) => {
      const other = BigInt(pool.dollars) * ATOMS;
      const handle = poolOf(other / BigInt(pool.price), other, pool.fee);
      const prices = [pool.price * (1 + pool.away / 100), 1] as const;
      const outside = (mint: Address) => (mint === ONE ? prices[0] : prices[1]) / Number(ATOMS);
      const best = findBestArbitrage(handle, outside, CLOCK);
      const profit = best === null ? 0 : best.profit;
      // The search ends within 0.05 dollars of the best size, and its output is rounded down by up to an atom.
      const missed = 0.05 + outside(ONE);
      for (const size of others) {
        for (const from of [ONE, OTHER]) {
          const amount = (BigInt(size) * ATOMS) / (from === ONE ? BigInt(pool.price) : 1n);
          if (amount === 0n) continue;
          expect(profitOf(handle, from, amount, prices)).toBeLessThanOrEqual(
            profit + missed + profit / 1_000,
          );
        }
      }
    });
    const dear = { dollars: 10_000, price: 99_838, away: 1, fee: 1n };
    const examples: [typeof dear, number[]][] = [
      [dear, [34]],
      [{ ...dear, price: 99_890 }, [23]],
      [{ ...dear, price: 99_890 }, [40]],
    ];
    assertProperty(property, { cases: 200, seed: SEED, examples });
  });

  it('finds nothing in a pool that is within its fee of the price, or of a mint without one', () => {
    const handle = poolOf(1_000_000n * ATOMS, 1_000_000n * ATOMS, 25n);
    expect(findBestArbitrage(handle, () => 1e-6, CLOCK)).toBeNull();
    expect(findBestArbitrage(handle, (mint) => (mint === ONE ? 1.002e-6 : 1e-6), CLOCK)).toBeNull();
    expect(findBestArbitrage(handle, (mint) => (mint === ONE ? 2e-6 : null), CLOCK)).toBeNull();
    expect(findBestArbitrage(handle, (mint) => (mint === ONE ? 1.01e-6 : 1e-6), CLOCK)?.inputMint).toBe(
      OTHER,
    );
  });

  const sizes = fc.record({
    dollars: fc.integer({ min: 10_000, max: 10_000_000 }),
    price: fc.integer({ min: 1, max: 100_000 }),
    away: fc.integer({ min: -60, max: 150 }),
    fee: fc.constantFrom(1n, 25n, 100n),
  });
});

const SEED = 20_261_127;
const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const [POOL, ONE, OTHER] = [named(1), named(2), named(3)];
const CLOCK = { slot: 1n, epoch: 0n, unixTimestamp: 0n };
const ATOMS = 1_000_000n;

/** A constant-product pool with a fee in 10,000ths, whose mints have six decimals. */
function poolOf(one: bigint, other: bigint, fee: bigint): PoolHandle {
  const quoteExactIn = (_: unknown, inputMint: Address, amount: bigint) => {
    const [from, to] = inputMint === ONE ? [one, other] : [other, one];
    const net = (amount * (10_000n - fee)) / 10_000n;
    const outAmount = (to * net) / (from + net);
    return outAmount === 0n
      ? null
      : { inAmount: amount, outAmount, feeAmount: amount - net, feeMint: inputMint };
  };
  return {
    venue: { quoteExactIn } as unknown as Trading,
    pool: { address: POOL, mints: [ONE, OTHER] },
  };
}

function profitOf(
  handle: PoolHandle,
  from: Address,
  amount: bigint,
  prices: readonly [number, number],
): number {
  const quote = handle.venue.quoteExactIn(handle.pool, from, amount, CLOCK);
  if (quote === null) return 0;
  const [paid, received] = from === ONE ? prices : [prices[1], prices[0]];
  return (Number(quote.outAmount) * received - Number(amount) * paid) / Number(ATOMS);
}
