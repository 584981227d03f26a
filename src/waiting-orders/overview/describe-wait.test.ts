import { describe, expect, it } from 'vitest';
import { createOpenOrder } from '../../testing/waiting-orders/stored-order.ts';
import { ORDER_STATES } from '../waiting-order.ts';
import { describeWait } from './describe-wait.ts';

const NOW = 1_790_000_000_000;

describe('describeWait', () => {
  it.each([
    ['the price that is not reached', {}, 200, 'its price is not reached: 200 is not above 210'],
    [
      'the price that is not reached from above',
      { condition: 'below', triggerPrice: 190 },
      200,
      'its price is not reached: 200 is not below 190',
    ],
    ['a price that is reached', {}, 210, 'its price is reached, and a keeper is about to fill it'],
    ['no price', {}, null, 'the token that it watches has no price that can be relied on'],
    ['a reason', { waitsFor: 'gas' }, 220, 'the gas wallet is empty, or has spent the budget of the day'],
    [
      'a reason, how often, and the next attempt',
      { waitsFor: 'price', failures: 3, retryAt: NOW + 8_000 },
      220,
      'no route pays as much as the order wants (3 in a row); the next attempt is at 2026-09-21T14:13:28.000Z',
    ],
    ['fills that failed', { failures: 2 }, 220, 'the last fill did not land, or failed (2 in a row)'],
    [
      'the end of its time',
      { expiresAt: NOW },
      220,
      'its time is over, and it is about to be marked as expired',
    ],
  ] as const)('names %s', (_, given, price, sentence) => {
    expect(describeWait(createOpenOrder(1, given), price, NOW)).toBe(sentence);
  });

  it.each([
    ['above both bounds', 100, 200, 230, 'the price is outside its band: 230 is not between 100 and 200'],
    ['below the only bound', 100, null, 90, 'the price is outside its band: 90 is not 100 or more'],
    ['above the only bound', null, 200, 230, 'the price is outside its band: 230 is not 200 or less'],
    [
      'at a bound, where it has not been for long enough',
      100,
      200,
      200,
      'the price has not been within its band for long enough: it is 200, between 100 and 200',
    ],
    [
      'not known any more',
      100,
      200,
      null,
      'the price was outside its band, between 100 and 200, and is not known now',
    ],
  ])(
    'names the price and the bounds of a round whose price is %s',
    (_, minPrice, maxPrice, price, sentence) => {
      const band = { triggerMint: createOpenOrder(1).inputMint, minPrice, maxPrice };
      const plan = {
        kind: 'price_conditional',
        rounds: 2,
        intervalMs: 60_000,
        beginAt: NOW,
        band,
        earnMint: null,
      } as const;
      const rounds = { filled: 0, nextAt: NOW, lastAt: null };
      const order = createOpenOrder(1, { plan, rounds, waitsFor: 'band', retryAt: NOW + 8_000 });
      expect(describeWait(order, price, NOW)).toBe(
        `${sentence}; the next attempt is at 2026-09-21T14:13:28.000Z`,
      );
      expect(describeWait({ ...order, waitsFor: 'price', retryAt: 0 }, price, NOW)).toBe(
        'no route pays as much as the order wants',
      );
    },
  );

  it('has a sentence of its own for each state', () => {
    const sentences = ORDER_STATES.map((state) => describeWait(createOpenOrder(1, { state }), 220, NOW));
    expect(new Set(sentences).size).toBe(ORDER_STATES.length);
  });
});
