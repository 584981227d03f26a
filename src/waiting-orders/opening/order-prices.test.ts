import { expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import { findOrderPrices } from './order-prices.ts';

const numbered = (number: number): Address => toAddress(new Uint8Array(32).fill(number));
const [INPUT, OUTPUT] = [numbered(1), numbered(2)];
/** How many of the tokens that wallets display are a token by the decimals of the mint. */
const SCALE = 2;

it.each([
  ['sells above 120', { triggerMint: INPUT, condition: 'above', triggerPrice: 120 }, [240, 100]],
  ['sells above 90', { triggerMint: INPUT, condition: 'above', triggerPrice: 90 }, [200, 100]],
  ['buys below 150', { triggerMint: OUTPUT, condition: 'below', triggerPrice: 150 }, [200, 100]],
  ['buys below 40', { triggerMint: OUTPUT, condition: 'below', triggerPrice: 40 }, [200, 80]],
  ['sells below 150', { triggerMint: INPUT, condition: 'below', triggerPrice: 150 }, [200, 100]],
  ['buys above 20', { triggerMint: OUTPUT, condition: 'above', triggerPrice: 20 }, [200, 100]],
] as const)(
  'an order that %s is filled by the median, and never by worse than the price that it waits for',
  (_, terms, [referenceIn, referenceOut]) => {
    const order = createTestOrder(1, { ...terms, inputMint: INPUT, outputMint: OUTPUT });
    expect(findOrderPrices(moved(terms.triggerPrice), order)).toEqual({
      leg: 'single',
      price: terms.triggerPrice,
      referenceIn,
      referenceOut,
    });
  },
);

it('an order without a median of one of its tokens has none made up for it', () => {
  const terms = { triggerMint: INPUT, condition: 'above', triggerPrice: 120 } as const;
  const order = createTestOrder(1, { ...terms, inputMint: INPUT, outputMint: OUTPUT });
  const prices = { ...moved(terms.triggerPrice), median: () => null };
  expect(findOrderPrices(prices, order)).toMatchObject({ referenceIn: null, referenceOut: null });
});

/** The prices when that of the trigger mint has just been moved as far as the order needs, and the medians are from before. */
function moved(triggerPrice: number): Parameters<typeof findOrderPrices>[0] {
  return {
    held: () => ({ low: triggerPrice, high: triggerPrice }),
    price: () => triggerPrice,
    median: (mint) => (mint === INPUT ? 200 : 100),
    toWorth: (_, price) => price * SCALE,
  };
}
