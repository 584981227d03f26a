import { describe, expect, it } from 'vitest';
import { createMaker, SOL, USDC } from '../../../testing/genesis-market/makers.ts';
import {
  BID,
  DEPTH,
  listLabels,
  MAKER,
  openOneMakerSwap,
  SELL,
} from '../../../testing/genesis-market/one-maker.ts';
import type { BookToken } from '../../../rfq/books/live-book.ts';
import { address } from '../../../solana/address.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import type { OrderResponse } from '../endpoints/order.ts';
import { openForEach } from '../../../testing/opened.ts';

const { swap, makers } = openForEach(openOneMakerSwap);

describe('a maker with very many order books', () => {
  it('does not displace other makers by books for mints that lead nowhere', async () => {
    const hostile = createMaker('hostile');
    for (let at = 0; at < 3; at++) {
      const level = { price: DEAREST, volume: U64_MAX };
      makers.stream(hostile, { base: SOL, quote: unpooled() }, [level], [level]);
      makers.stream(hostile, { base: unpooled(), quote: USDC }, [level], [{ ...level, price: 1n }]);
    }
    expect(makersOf(await swap.order(SELL))).toEqual([MAKER.address]);
  });

  it.each([0, 18, 255])(
    'does not displace other makers by books for tokens of %d decimals',
    async (decimals) => {
      for (let at = 0; at < 3; at++) {
        const hostile = createMaker(`hostile ${at}`);
        const level = { price: U64_MAX, volume: U64_MAX };
        makers.stream(hostile, { base: SOL, quote: unpooled(decimals) }, [level], [level]);
        makers.stream(
          hostile,
          { base: unpooled(decimals), quote: SOL },
          [{ ...level, price: 1n }],
          [{ ...level, price: 1n }],
        );
      }
      expect(makersOf(await swap.order(SELL))).toEqual([MAKER.address]);
    },
  );
});

describe('direct books', () => {
  it('are ranked by what the taker gets for the whole amount, not by the price of a small part of it', async () => {
    for (let at = 0; at < 3; at++) {
      // 1/200 of the amount at three times the price is worth less than the whole at twice the pools' price.
      const level = { price: 3n * BID, volume: BigInt(SELL.amount) / 200n };
      makers.stream(createMaker(`small ${at}`), { base: SOL, quote: USDC }, [level], []);
    }
    const order = await swap.order(SELL);
    expect(makersOf(order)).toEqual([MAKER.address]);
    expect(BigInt(order.outAmount)).toBe(BID);
  });

  it('are ranked by what their fills pay, not by a price that no fill can encode', async () => {
    for (let at = 0; at < 3; at++) {
      const level = { price: DEAREST * DEAREST, volume: DEPTH };
      makers.stream(createMaker(`unwritable ${at}`), { base: SOL, quote: USDC }, [level], []);
    }
    expect(makersOf(await swap.order(SELL))).toEqual([MAKER.address]);
  });

  it('take one candidate for each maker, however many books of the pair it streams', async () => {
    for (let at = 0; at < 2; at++) {
      // None of these makers has any inventory.
      const other = createMaker(`twice ${at}`);
      makers.stream(other, { base: SOL, quote: USDC }, [{ price: BID + 1_000_000n, volume: DEPTH }], []);
      makers.stream(other, { base: USDC, quote: SOL }, [], [{ price: 2_400_000n, volume: DEPTH }]);
    }
    expect(makersOf(await swap.order(SELL))).toEqual([MAKER.address]);
  });

  it('leave an attempt to the pools when the fills of three makers would fail', async () => {
    for (let at = 0; at < 5; at++) {
      const level = { price: BID + 1_000_000n, volume: DEPTH };
      makers.stream(createMaker(`empty ${at}`), { base: SOL, quote: USDC }, [level], []);
    }
    const order = await swap.order(SELL);
    expect(listLabels(order)).not.toContain('JupiterRfqV2');
    expect(order.transaction).not.toBe('');
  });

  it('keep candidates in addition to indirect books that promise more than their makers have', async () => {
    for (let at = 0; at < 2; at++) {
      for (const quote of [JUP, USDT]) {
        const level = { price: 10n ** 13n, volume: U64_MAX };
        makers.stream(createMaker(`way ${at}`), { base: SOL, quote }, [level], []);
      }
    }
    expect(makersOf(await swap.order(SELL))).toEqual([MAKER.address]);
  });
});

const JUP: BookToken = {
  mint: address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'),
  decimals: 6,
  tokenProgram: TOKEN_PROGRAM,
};
const USDT: BookToken = { ...JUP, mint: address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB') };
const U64_MAX = 2n ** 64n - 1n;
const DEAREST = 10n ** 15n;

/** A token that no pool trades. */
function unpooled(decimals = 9): BookToken {
  return { mint: swap.market.network.newAddress(), decimals, tokenProgram: TOKEN_PROGRAM };
}

function makersOf(order: OrderResponse): readonly unknown[] {
  return order.routePlan.flatMap(({ swapInfo }) =>
    swapInfo.label === 'JupiterRfqV2' ? [swapInfo.ammKey] : [],
  );
}
