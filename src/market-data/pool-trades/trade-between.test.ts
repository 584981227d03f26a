import { describe, expect, it } from 'vitest';
import { RESERVE, type World, createRaydiumWorld } from '../../testing/protocols/raydium-pool.ts';
import type { RaydiumCpmmPool } from '../../protocols/raydium-cpmm/pool.ts';
import { raydiumCpmm } from '../../protocols/raydium-cpmm/venue.ts';
import type { RaydiumSides } from '../../protocols/raydium-cpmm/program/layout.ts';
import { findTradeBetween } from './trade-between.ts';

describe('findTradeBetween', () => {
  it('reads a swap in either direction to the atom, with the fees that the pool took', () => {
    const [one, other] = START.mints;
    const out = paidOut(START, 0, ONE);
    expect(between(holding([RESERVE + ONE, RESERVE - out]))).toEqual({
      paid: { mint: one, amount: ONE },
      received: { mint: other, amount: out },
    });
    expect(between(holding([RESERVE - out, RESERVE + ONE]))).toEqual({
      paid: { mint: other, amount: ONE },
      received: { mint: one, amount: out },
    });
  });

  it('reads several swaps as their net trade', () => {
    const first = paidOut(START, 0, 5n * ONE);
    const middle = holding([RESERVE + 5n * ONE, RESERVE - first]);
    const second = paidOut(middle, 0, ONE);
    expect(between(holding([RESERVE + 6n * ONE, RESERVE - first - second]))).toMatchObject({
      paid: { amount: 6n * ONE },
      received: { amount: first + second },
    });
  });

  it.each([
    ['nothing', [0n, 0n]],
    ['a deposit of liquidity', [ONE, ONE]],
    ['a withdrawal of liquidity', [-ONE, -ONE]],
    ['a donation', [ONE, 0n]],
    ['a donation of both tokens', [ONE, 3n * ONE]],
    ['a collection of fees', [0n, -ONE]],
    ['more paid out than the program would', [ONE, -ONE]],
  ] as const)('finds no trade in %s', (_, [one, other]) => {
    expect(between(holding([RESERVE + one, RESERVE + other]))).toBeNull();
  });

  it('finds no trade in a flash-loaned swap that was traded back, which leaves its fees', () => {
    const out = paidOut(START, 0, RESERVE / 2n);
    const moved = holding([RESERVE + RESERVE / 2n, RESERVE - out]);
    const back = paidOut(moved, 1, out);
    expect(back).toBeLessThan(RESERVE / 2n);
    expect(between(holding([RESERVE + RESERVE / 2n - back, RESERVE]))).toBeNull();
  });

  it('finds no trade in a swap that was almost traded back, whose fees would be its price', () => {
    const out = paidOut(START, 0, RESERVE / 2n);
    const moved = holding([RESERVE + RESERVE / 2n, RESERVE - out]);
    for (const kept of [1n, ONE, 100n * ONE]) {
      const back = paidOut(moved, 1, out - kept);
      expect(between(holding([RESERVE + RESERVE / 2n - back, RESERVE - kept])), `${kept} kept`).toBeNull();
    }
  });

  it('finds no trade in a swap together with a deposit and a withdrawal at another ratio', () => {
    const out = paidOut(START, 0, ONE);
    for (const part of [10n, 100n]) {
      const [one, other] = [ONE / part, -out / part];
      // What a withdrawal leaves out of proportion to what was deposited.
      expect(between(holding([RESERVE + ONE + one, RESERVE - out - other]))).toBeNull();
    }
    const isLiquidity = holding([RESERVE + ONE, RESERVE - out], RESERVE + 1n);
    expect(between(isLiquidity)).toBeNull();
  });

  it('finds no trade in a swap together with a donation or a collection of fees that would change its price', () => {
    const out = paidOut(START, 0, ONE);
    expect(between(holding([RESERVE + ONE + ONE / 100n, RESERVE - out]))).toBeNull();
    expect(between(holding([RESERVE + ONE, RESERVE - out - 1n]))).toBeNull();
    expect(between(holding([RESERVE + ONE, RESERVE - out + out / 100n]))).toBeNull();
  });

  it('finds no trade of a token with a transfer fee, because the pool does not show what the trader paid', () => {
    const priced = { ...START, transferFees: [{} as never, null] as const };
    expect(raydiumCpmm.reserves?.(priced as RaydiumCpmmPool)).toBeNull();
  });

  it('allows for a fee that leaves the pool, on its own side only, and never for more than the program pays', () => {
    const [one, other] = START.mints;
    /** Pays one for one, less a fee of a tenth of the output, which leaves the pool. */
    const venue = {
      reserves: (pool: unknown) => ({
        amounts: pool as never as [bigint, bigint],
        shares: 0n,
        feesLeave: true,
      }),
      quoteExactIn: (_: unknown, mint: string, amount: bigint) => {
        const fee = amount / 10n;
        return {
          inAmount: amount,
          outAmount: amount - fee,
          feeAmount: fee,
          feeMint: mint === one ? other : one,
        };
      },
      quoteExactOut: (_: unknown, mint: string, amount: bigint) => {
        const inAmount = (amount * 10n) / 9n;
        return {
          inAmount,
          outAmount: amount,
          feeAmount: inAmount - amount,
          feeMint: mint === one ? other : one,
        };
      },
    };
    const from = Object.assign([1_000n, 1_000n], { mints: START.mints });
    const to = (amounts: readonly bigint[]) =>
      findTradeBetween(
        venue as never,
        from as never,
        Object.assign([...amounts], { mints: START.mints }) as never,
        CLOCK,
      );
    const received = { mint: other, amount: 90n };
    // The whole fee, a part of it, and nothing of it has left.
    for (const left of [900n, 905n, 910n]) expect(to([1_100n, left])).toMatchObject({ received });
    for (const left of [899n, 911n]) expect(to([1_100n, left]), `${left} left`).toBeNull();
  });
});

const CLOCK = { slot: 1n, epoch: 0n, unixTimestamp: 1_800_000_000n };
const ONE = 1_000_000n;

function decoded({ addresses, accounts }: World): RaydiumCpmmPool {
  const pool = raydiumCpmm.decode(addresses.address, (address) => accounts.get(address) ?? null);
  if ('unusable' in pool) throw new Error(pool.unusable);
  return pool;
}

/** A pool that holds these amounts. */
const holding = (amounts: RaydiumSides<bigint>, lpSupply = RESERVE) =>
  decoded(createRaydiumWorld({ amounts, pool: { lpSupply } }));
const START = holding([RESERVE, RESERVE]);

/** What a swap pays in the state. */
function paidOut(pool: RaydiumCpmmPool, side: 0 | 1, amount: bigint): bigint {
  const quote = raydiumCpmm.quoteExactIn(pool, pool.mints[side], amount, CLOCK);
  if (quote === null) throw new Error('no quote');
  return quote.outAmount;
}

const between = (after: RaydiumCpmmPool, before = START) =>
  findTradeBetween(raydiumCpmm, before, after, CLOCK);
