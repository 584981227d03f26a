import { expect, it } from 'vitest';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import type { TrailedPrice } from '../triggers/trigger-index.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { WatermarkMover } from './watermark-mover.ts';

it('moves the watermarks of a token until none is left, and tells of each order', async () => {
  const world = new MovedWorld();
  world.trailed = [{ ...TRAILED, added: 3 }];
  world.pages = [[ORDER, ORDER], [ORDER], []];
  await world.mover.move();
  expect(world.calls).toEqual([CALL, CALL, CALL]);
  expect(world.moved).toHaveLength(3);
});

it('asks the store again only for a price that has changed, or that more orders trail', async () => {
  const world = new MovedWorld();
  world.trailed = [TRAILED, { ...TRAILED, condition: 'above' }];
  const move = async () => {
    world.calls = [];
    await world.mover.move();
    return world.calls.length;
  };
  expect([await move(), await move()]).toEqual([2, 0]);
  world.price = 11;
  expect([await move(), await move()]).toEqual([2, 0]);
  world.trailed = [{ ...TRAILED, added: 2 }];
  expect([await move(), await move()]).toEqual([1, 0]);
  world.price = null;
  expect(await move()).toBe(0);
  // What is trailed no longer is forgotten.
  world.price = 11;
  world.trailed = [];
  await move();
  world.trailed = [{ ...TRAILED, added: 2 }];
  expect(await move()).toBe(1);
});

it('goes on where the store did not answer', async () => {
  const world = new MovedWorld();
  world.trailed = [TRAILED, { ...TRAILED, condition: 'above' }];
  world.failing = 2;
  await expect(world.mover.move()).rejects.toThrow('no answer');
  await world.mover.move();
  expect(world.calls.map(([, condition]) => condition)).toEqual(['below', 'above', 'above']);
});

it('begins nothing more when the keeper ends', async () => {
  const world = new MovedWorld();
  world.trailed = [TRAILED, { ...TRAILED, condition: 'above' }];
  world.pages = [[ORDER]];
  world.closeAfter = 1;
  await world.mover.move();
  expect(world.calls).toEqual([CALL]);
});

const ORDER = createTestOrder(1);
const TRAILED: TrailedPrice = { mint: ORDER.inputMint, condition: 'below', added: 1 };
const CALL = [ORDER.inputMint, 'below', 10] as const;

class MovedWorld {
  trailed: TrailedPrice[] = [];
  price: number | null = 10;
  /** What the store returns, one after the other; nothing after that. */
  pages: (readonly WaitingOrder[])[] = [];
  /** The number of the call that fails, from 1. */
  failing = 0;
  closeAfter = Number.POSITIVE_INFINITY;
  calls: (readonly [string, string, number])[] = [];
  readonly moved: WaitingOrder[] = [];
  readonly mover = new WatermarkMover({
    orders: {
      now: async () => 1,
      moveWatermarks: async (mint, condition, price) => {
        this.calls.push([mint, condition, price]);
        if (this.calls.length === this.failing) throw new Error('no answer');
        return this.pages.shift() ?? [];
      },
    },
    findWatermark: () => this.price,
    trailed: () => this.trailed,
    onMoved: (order) => this.moved.push(order),
    isClosed: () => this.calls.length >= this.closeAfter,
  });
}
