import { expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import type { RecurringPlan } from '../order-plan.ts';
import type { WaitingOrder } from '../waiting-order.ts';
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

it.each([
  ['above the profit', { low: 12, high: 15 }, 'take_profit'],
  ['below the loss', { low: 3, high: 4 }, 'stop_loss'],
  ['on both sides within the slots', { low: 3, high: 15 }, null],
  ['between the two', { low: 6, high: 7 }, null],
] as const)('an order with two exits is filled at one of them when the price has held %s', (_, held, leg) => {
  const exit = (triggerPrice: number) => ({ triggerPrice, slippageBps: null });
  const plan = { kind: 'oco', triggerMint: INPUT, takeProfit: exit(10), stopLoss: exit(5) } as const;
  const order = createTestOrder(1, { plan, inputMint: INPUT, outputMint: OUTPUT });
  const found = findOrderPrices({ ...moved(held.low), held: () => held }, order);
  if (leg === null) expect(found).toBeNull();
  else expect(found).toMatchObject({ leg, price: held.low });
});

it.each([
  [null, null, { low: 1, high: 1 }, 1],
  [4, 8, { low: 4, high: 8 }, 4],
  [4, 8, { low: 3.9, high: 8 }, 'band'],
  [4, 8, { low: 4, high: 8.1 }, 'band'],
  [null, 8, { low: 0.1, high: 8 }, 0.1],
  [4, null, { low: 4, high: 800 }, 4],
  [4, 8, null, 'unpriced'],
] as const)('a round between %s and %s is filled while all prices that have held are: %o', (...given) => {
  const [minPrice, maxPrice, held, expected] = given;
  const order = createRoundOrder({ triggerMint: INPUT, minPrice, maxPrice });
  const prices = findOrderPrices({ ...moved(held?.low ?? 1), held: () => held }, order);
  const references = { referenceIn: 200, referenceOut: 100 };
  expect(prices).toEqual(
    typeof expected === 'string' ? { waitsFor: expected } : { leg: 'round', price: expected, ...references },
  );
});

it('a round at any price is filled without one, once both of its tokens have a median', () => {
  const prices = { ...moved(1), held: () => null };
  expect(findOrderPrices(prices, createRoundOrder(null))).toMatchObject({ leg: 'round', price: null });
  for (const unpriced of [INPUT, OUTPUT]) {
    const median = (mint: Address) => (mint === unpriced ? null : 1);
    const found = findOrderPrices({ ...prices, median }, createRoundOrder(null));
    expect(found).toEqual({ waitsFor: 'unpriced' });
  }
});

function createRoundOrder(band: RecurringPlan['band']): WaitingOrder {
  const kind = band === null ? 'time_based' : 'price_conditional';
  const plan = { kind, rounds: 2, intervalMs: 60_000, beginAt: 1, band, earnMint: null } as const;
  return createTestOrder(1, { plan, inputMint: INPUT, outputMint: OUTPUT });
}

/** The prices when that of the trigger mint has just been moved as far as the order needs, and the medians are from before. */
function moved(triggerPrice: number): Parameters<typeof findOrderPrices>[0] {
  return {
    held: () => ({ low: triggerPrice, high: triggerPrice }),
    price: () => triggerPrice,
    median: (mint) => (mint === INPUT ? 200 : 100),
    toWorth: (_, price) => price * SCALE,
  };
}
