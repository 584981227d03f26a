import { expect, it } from 'vitest';
import { toAddress } from '../../solana/address.ts';
import { bps } from '../../solana/units.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import { ManualTimers } from '../../testing/timers.ts';
import { createTrailingPlan, moveWatermark } from '../legs.ts';
import type { SinglePlan, TriggerCondition } from '../order-plan.ts';
import { ReferencePrices } from '../references/reference-prices.ts';
import { findOrderPrices } from './order-prices.ts';
import { findTrailedPrice } from './trailed-price.ts';

it.each([
  ['below', 130, 96],
  ['above', 70, 104],
] as const)(
  'a wick of %s three slots moves no watermark of an order and triggers it not',
  (condition, wick, back) => {
    const world = new TrailedWorld();
    const before = world.plan(condition);
    world.hold(wick, 3);
    world.hold(100, 2);
    // This is where the price would trigger the order if the wick had moved it.
    world.hold(back, 20);
    expect(world.moved).toEqual([]);
    expect(world.isTriggered(before)).toBe(false);
  },
);

it.each([
  ['below', 130],
  ['above', 70],
] as const)('the watermark of an order %s a price follows a price that stays', (condition, price) => {
  const world = new TrailedWorld();
  world.plan(condition);
  world.hold(price, 20);
  expect(world.moved.at(-1)).toBe(price);
  expect(world.moved).toHaveLength(1);
});

it('a watermark follows the worst of the prices that have held', () => {
  const prices = {
    held: () => ({ low: 90, high: 110 }),
    median: () => 200,
    toWorth: (_: unknown, price: number) => 2 * price,
  };
  expect(findTrailedPrice(prices, TOKEN, 'below')).toBe(90);
  expect(findTrailedPrice(prices, TOKEN, 'above')).toBe(110);
  expect(findTrailedPrice({ ...prices, median: () => 160 }, TOKEN, 'below')).toBe(80);
  expect(findTrailedPrice({ ...prices, median: () => null }, TOKEN, 'below')).toBeNull();
});

const TOKEN = toAddress(new Uint8Array(32).fill(7));
const LOOK_MS = 20;
const FIVE_PERCENT = bps(500);

/** A token whose price a test moves, and an order that trails it by 5 percent. Each slot it is looked whether the watermark moves. */
class TrailedWorld {
  readonly moved: number[] = [];
  readonly #timers = new ManualTimers();
  readonly #references: ReferencePrices;
  #slot = 1_000;
  #price = 100;
  #tell: () => void = () => undefined;
  #plan: SinglePlan | null = null;

  constructor() {
    this.#references = new ReferencePrices({
      chain: { slot: () => BigInt(this.#slot), unhealthy: () => null },
      marketData: {
        watch: (_, onChange) => {
          this.#tell = () => onChange(TOKEN, null);
          return () => undefined;
        },
        plainPrice: () => ({ usdPrice: this.#price, dollarsPerAtom: this.#price / 1e6, decimals: 6 }),
      },
      holdSlots: 1,
      timers: this.#timers,
      onDefect: (_, error) => {
        throw error;
      },
    });
    this.#references.follow(TOKEN);
    this.hold(100, 20);
  }

  /** Begins to trail the price of now. */
  plan(condition: TriggerCondition): SinglePlan {
    const terms = { triggerMint: TOKEN, condition, slippageBps: null };
    const plan = createTrailingPlan(terms, { bps: FIVE_PERCENT, watermark: 100 });
    this.#plan = plan;
    return plan;
  }

  /** Lets a price be there for some slots. */
  hold(price: number, slots: number): void {
    this.#price = price;
    this.#tell();
    for (let left = slots; left > 0; left--) {
      this.#timers.advance(0);
      this.#slot++;
      this.#timers.advance(LOOK_MS);
      this.#timers.advance(0);
      this.#move();
    }
  }

  isTriggered(plan: SinglePlan): boolean {
    const order = createTestOrder(1, { plan, inputMint: TOKEN, outputMint: TOKEN });
    return findOrderPrices(this.#references, order) !== null;
  }

  #move(): void {
    if (this.#plan === null) return;
    const price = findTrailedPrice(this.#references, TOKEN, this.#plan.condition);
    const moved = price === null ? null : moveWatermark(this.#plan, price);
    if (price === null || moved === null) return;
    this.#plan = moved;
    this.moved.push(price);
  }
}
