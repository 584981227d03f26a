import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createSwapSizes,
  LARGEST,
  measureTransaction,
  openRichSwap,
} from '../../../testing/genesis-market/rich.ts';
import { quoteV2, swapV2 } from '../../../testing/genesis-market/quote-and-swap.ts';
import { assertProperty, countCases } from '../../../testing/random.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import { VENUES } from '../../../protocols/venues.ts';

describe('the transaction of a quote of swap v2', () => {
  it('fits whatever its request adds, or does when it is quoted with dynamicSwap=false', async () => {
    const { swap, whale, payer, stranger, ata } = await openRichSwap();
    const { market } = swap;
    const seen = { fits: 0, again: 0 };
    const options = fc.record(
      {
        payer: fc.constant(payer),
        tipAmount: fc.constant('1000000'),
        destinationTokenAccount: fc.constant(true),
      },
      { requiredKeys: [] },
    );
    const property = fc.asyncProperty(fc.record(createSwapSizes(swap)), options, async (size, given) => {
      const { inputMint, outputMint } = size;
      fc.pre(inputMint !== outputMint);
      const { destinationTokenAccount: elsewhere, ...added } = given;
      const fields = elsewhere ? { ...added, destinationTokenAccount: ata(stranger, outputMint) } : added;
      const build = async (dynamicSwap: string) => {
        const quoteResponse = quoteV2(swap.composed, { ...size, dynamicSwap }, LABELS);
        const { swapTransaction } = await swapV2(market, { taker: whale, quoteResponse, ...fields });
        expect(measureTransaction(swapTransaction).bytes).toBeLessThanOrEqual(LARGEST);
        const wire = Buffer.from(swapTransaction, 'base64');
        expect((await market.chain.simulate(wire, { verifySignatures: false })).error).toBeNull();
      };
      const refused = await build('true').then(
        () => null,
        (error: unknown) => {
          if (error instanceof SwapRefused) return error;
          throw error;
        },
      );
      if (refused === null || refused.errorCode === 'COULD_NOT_FIND_ANY_ROUTE') {
        if (refused === null) seen.fits++;
        return;
      }
      expect(refused.message).toMatch(/^the swap does not fit a transaction: .*dynamicSwap=false/);
      await build('false');
      seen.again++;
    });
    await assertProperty(property, SUITE);
    expect(seen.fits).toBeGreaterThan(countCases(SUITE) / 2);
  });
});

const SUITE = { cases: 150, short: 60, seed: 20_261_127 } as const;
const LABELS = VENUES.map(({ label }) => label);
