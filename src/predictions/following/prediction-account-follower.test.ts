import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AccountUpdate } from '../../chain/accounts.ts';
import {
  ALICE,
  BOB,
  createMarketHash,
  createPredictionUpdate,
  createTestPredictionOrder,
  createTestPredictionPosition,
  createTestPredictionResult,
} from '../../testing/predictions/test-prediction-accounts.ts';
import { assertProperty } from '../../testing/random.ts';
import { ManualTimers } from '../../testing/timers.ts';
import type { ChangedPredictionAccounts } from '../prediction.ts';
import { PredictionAccountFollower } from './prediction-account-follower.ts';

const MARKET = createMarketHash(1);

describe('PredictionAccountFollower', () => {
  it('knows the accounts that exist, and what becomes of them', async () => {
    const order = createTestPredictionOrder(1);
    const position = createTestPredictionPosition();
    const { follower, tell, changes } = await open([update(order, 5n), update(position, 5n)]);
    expect(follower.findOrder(order.address)).toMatchObject({
      owner: ALICE,
      status: 'pending',
      integrator: null,
    });
    expect(follower.ordersOf(ALICE)).toHaveLength(1);
    expect([...follower.openOrders()]).toEqual(follower.ordersOf(ALICE));
    expect(follower.positionsOf(ALICE)).toEqual(follower.positionsIn(MARKET));
    expect(follower.sumOf(MARKET)).toEqual({ yes: 10_000_000n, no: 0n, cost: 4_000_000n });
    expect(follower.findResult(MARKET)).toBeNull();
    const bought = createTestPredictionPosition({ contracts: 12_000_000n, totalCost: 5_000_000n });
    tell(update(bought, 6n), createPredictionUpdate(order.address, null, 6n));
    expect(follower.findOrder(order.address)).toBeNull();
    expect(follower.ordersOf(ALICE)).toEqual([]);
    expect(follower.findPosition(position.address)).toMatchObject({ contracts: 12_000_000n });
    expect(follower.sumOf(MARKET)).toEqual({ yes: 12_000_000n, no: 0n, cost: 5_000_000n });
    tell(update(createTestPredictionResult(), 7n));
    expect(follower.findResult(MARKET)).toMatchObject({ outcome: 1, settlementTime: 1_800_000_100n });
    expect(changes).toEqual([
      { orders: [order.address], positions: [position.address], results: [] },
      { orders: [], positions: [], results: [MARKET] },
    ]);
    await follower.close();
  });

  it('keeps the later state when updates come out of order, also of what is gone', async () => {
    const order = createTestPredictionOrder(1);
    const { follower, tell } = await open([]);
    tell(createPredictionUpdate(order.address, null, 9n));
    tell(update(order, 8n));
    expect(follower.findOrder(order.address)).toBeNull();
    tell(update(order, 10n));
    expect(follower.findOrder(order.address)).not.toBeNull();
    tell({ ...createPredictionUpdate(order.address, null, 3n), isRollback: true });
    expect(follower.findOrder(order.address)).toBeNull();
    await follower.close();
  });

  it('reads everything as soon as the network answers', async () => {
    const position = createTestPredictionPosition();
    const { follower, timers, answer } = await open(null);
    expect(follower.unhealthy()).toContain('the node is away');
    answer([update(position, 5n)]);
    timers.advance(1_000);
    await expect.poll(() => follower.unhealthy()).toBeNull();
    expect(follower.positionsOf(ALICE)).toHaveLength(1);
    await follower.close();
    expect(timers.waiting).toBe(0);
  });

  it('treats an account that cannot be decoded as if it did not exist', async () => {
    const position = createTestPredictionPosition();
    const broken = { ...position, data: position.data.slice(0, 60) };
    const { follower, tell, defects } = await open([update(position, 5n)]);
    tell(update(broken, 6n));
    expect(follower.findPosition(position.address)).toBeNull();
    expect(follower.sumOf(MARKET)).toEqual({ yes: 0n, no: 0n, cost: 0n });
    expect(defects).toEqual([`account ${position.address} of prediction markets`]);
    await follower.close();
  });

  it('has the sums of all positions after any changes in any order', async () => {
    const change = fc.record({
      owner: fc.constantFrom(ALICE, BOB),
      isYes: fc.boolean(),
      market: fc.integer({ min: 1, max: 2 }),
      contracts: fc.bigInt({ min: 0n, max: 1_000n }),
      totalCost: fc.bigInt({ min: 0n, max: 1_000n }),
      slot: fc.bigInt({ min: 1n, max: 20n }),
      isGone: fc.boolean(),
    });
    await assertProperty(
      fc.asyncProperty(fc.array(change, { maxLength: 30 }), async (changed) => {
        const { follower, tell } = await open([]);
        for (const { market, slot, isGone, ...facts } of changed) {
          const position = createTestPredictionPosition({ ...facts, marketIdHash: createMarketHash(market) });
          tell(createPredictionUpdate(position.address, isGone ? null : position.data, slot));
        }
        for (const market of [1, 2].map(createMarketHash)) {
          const sums = { yes: 0n, no: 0n, cost: 0n };
          for (const { isYes, contracts, totalCost } of follower.positionsIn(market)) {
            sums[isYes ? 'yes' : 'no'] += contracts;
            sums.cost += totalCost;
          }
          expect(follower.sumOf(market)).toEqual(sums);
        }
        await follower.close();
      }),
      { cases: 50, seed: 42 },
    );
  });

  async function open(found: readonly AccountUpdate[] | null) {
    const timers = new ManualTimers();
    let answered = found;
    let tell: (updates: readonly AccountUpdate[]) => void = () => undefined;
    const defects: string[] = [];
    const follower = await PredictionAccountFollower.open({
      chain: {
        slot: () => 100n,
        watchProgram: (_, onChange) => {
          tell = onChange;
          return () => undefined;
        },
        getProgramAccounts: async () => {
          if (answered === null) throw new Error('the node is away');
          return answered;
        },
      },
      timers,
      outage: { onFailure: () => undefined, onAnswer: () => undefined },
      onDefect: (where) => defects.push(where),
    });
    const changes: ChangedPredictionAccounts[] = [];
    follower.onChange((changed) => changes.push(changed));
    return {
      follower,
      timers,
      changes,
      defects,
      tell: (...updates: readonly AccountUpdate[]) => tell(updates),
      answer: (updates: readonly AccountUpdate[]) => {
        answered = updates;
      },
    };
  }
});

function update(
  { address, data }: ReturnType<typeof createTestPredictionOrder>,
  slot: bigint,
): AccountUpdate {
  return createPredictionUpdate(address, data, slot);
}
