import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTestSwap, type TestSwap } from '../../test/genesis-market/swap.ts';
import { WRAPPED_SOL_MINT } from '../solana/programs.ts';

const SEED = 20_261_122;

let swap: TestSwap;

beforeAll(async () => {
  swap = await openTestSwap();
});

describe('an order', () => {
  it('moves exactly what it quotes', async () => {
    const mint = fc.constantFrom(...swap.market.genesis.tokens.map((token) => token.mint));
    let swapped = 0;
    const property = fc.asyncProperty(
      mint,
      mint,
      fc.integer({ min: 1, max: 1_000_000 }),
      async (inputMint, outputMint, millionths) => {
        const held = swap.holding(swap.wallet.address, inputMint);
        const amount = (held * BigInt(millionths)) / 10_000_000n;
        fc.pre(inputMint !== outputMint && amount > 1_000n);
        const order = await swap.order({ inputMint, outputMint, amount: amount.toString() });
        const before = swap.holding(swap.wallet.address, outputMint);
        const result = await swap.execute(order);
        expect(result).toMatchObject({ status: 'Success', code: 0 });
        expect(result.totalInputAmount).toBe(order.inAmount);
        expect(result.totalOutputAmount).toBe(order.outAmount);
        expect(result.inputAmountResult).toBe(order.inAmount);
        expect(result.outputAmountResult).toBe(order.outAmount);
        const costs = swap.costsOf(order);
        expect(held - swap.holding(swap.wallet.address, inputMint)).toBe(
          amount + (inputMint === WRAPPED_SOL_MINT ? costs : 0n),
        );
        expect(swap.holding(swap.wallet.address, outputMint) - before).toBe(
          BigInt(order.outAmount) - (outputMint === WRAPPED_SOL_MINT ? costs : 0n),
        );
        swapped++;
      },
    );
    await fc.assert(property, { seed: SEED, numRuns: 100 });
    expect(swapped).toBeGreaterThan(60);
  });
});
