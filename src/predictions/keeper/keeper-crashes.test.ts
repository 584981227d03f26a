import { afterEach, describe, expect, it } from 'vitest';
import { MICRO_PER_CONTRACT } from '../../exchange/exchange.ts';
import type { Address } from '../../solana/address.ts';
import { PredictionRig } from '../../testing/predictions/prediction-rig.ts';
import { HOUSE_FUNDS } from '../../testing/predictions/prediction-world.ts';
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts';
import { InterruptedCalls, type Interruption } from '../../testing/waiting-orders/interrupted.ts';

// Keepers that end, lose their connections or are overtaken at any of their calls: nothing is filled or paid twice, and nothing
// is left over.

const TEN = 10n * MICRO_PER_CONTRACT;
const FUNDS = 100_000_000n;
/** More calls than a keeper makes for the orders of these tests. */
const MAX_CALLS = 200;

const stores: TestStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.cleanUp();
});

describe('PredictionKeeper that is interrupted', () => {
  it('leaves everything to the next one when it is killed at any call', async () => {
    await atEachCall({ kind: 'killed', when: 'after' }, [1, 1], async ({ rig, first, owners, orders }) => {
      rig.kill(first);
      await rig.start();
      await rig.runUntilClosed(...orders);
      checkFilled(rig, owners);
    });
  });

  it('goes on by itself when its connections are cut off at any call', async () => {
    await atEachCall({ kind: 'cut off', when: 'after' }, [1, 2], async ({ rig, owners, orders }) => {
      await runLong(rig, () => orders.every((order) => !rig.isOpen(order)));
      checkFilled(rig, owners);
    });
  });

  it('fills nothing a second time when it goes on after another one has taken over', async () => {
    await atEachCall({ kind: 'held up', when: 'before' }, [1, 2], async ({ rig, first, owners, orders }) => {
      const second = await rig.start();
      await rig.runUntilClosed(...orders);
      checkFilled(rig, owners);
      first.calls.goOn();
      await rig.pass(10);
      checkFilled(rig, owners);
      rig.kill(second);
    });
  });

  it('is replaced by one that knows nothing but the chain, when the database is lost', async () => {
    await atEachCall({ kind: 'killed', when: 'after' }, [2, 2], async ({ rig, first, owners, orders }) => {
      rig.kill(first);
      await rig.start({ store: (await openStore()).store });
      await rig.runUntilClosed(...orders);
      checkBooks(rig, owners);
    });
  });

  it('fills nothing twice when a transaction from before the loss of the database lands meanwhile', async () => {
    await atEachCall({ kind: 'held up', when: 'before' }, [2, 3], async ({ rig, first, owners, orders }) => {
      await rig.start({ store: (await openStore()).store });
      first.calls.goOn();
      await rig.runUntilClosed(...orders);
      await rig.pass(10);
      checkBooks(rig, owners);
    });
  });

  it('fills nothing twice when two keepers lead at once', async () => {
    const { rig, owners, place } = await open(new InterruptedCalls());
    await rig.start();
    const orders = place();
    await rig.runUntilClosed(...orders);
    checkFilled(rig, owners);
    await rig.closeAll();
  });
});

interface Interrupted {
  readonly rig: PredictionRig;
  readonly first: Awaited<ReturnType<PredictionRig['start']>>;
  readonly owners: readonly Address[];
  readonly orders: readonly Address[];
}

/**
 * Interrupts a keeper at its first call, at its second, and so on, until it makes no more.
 *
 * @param calls - The number of the first call, and the distance from each to the next.
 */
async function atEachCall(
  interruption: Interruption,
  [from, distance]: readonly [number, number],
  work: (run: Interrupted) => Promise<void>,
): Promise<void> {
  let isOver = false;
  for (let call = from; !isOver; call += distance) {
    if (call > MAX_CALLS) throw new Error('it makes more and more calls');
    const calls = new InterruptedCalls(call, interruption);
    const { rig, first, owners, place } = await open(calls);
    const orders = place();
    await rig.pass(6);
    isOver = !calls.wasReached;
    if (!isOver) await work({ rig, first, owners, orders });
    expect(rig.defects, `at call ${call}`).toEqual([]);
    await rig.closeAll();
    for (const store of stores.splice(0)) await store.cleanUp();
  }
}

/** Opens a keeper, and three wallets: the first two trade with each other, the third one with the house. */
async function open(calls: InterruptedCalls) {
  const { store } = await openStore();
  const rig = new PredictionRig(store);
  const market = rig.market();
  const owners = [rig.trader(FUNDS), rig.trader(FUNDS), rig.trader(FUNDS)] as const;
  const [ann, bob, carl] = owners;
  const resting = rig.order({ owner: ann, market, price: 505_000n, isLimit: true });
  const first = await rig.start({ calls });
  const place = () => [
    resting,
    rig.order({ owner: bob, market, isYes: false, price: 500_000n }),
    rig.order({ owner: carl, market, price: 520_000n }),
  ];
  return { rig, first, owners, place };
}

async function openStore(): Promise<TestStore> {
  const store = await openTestStore('sqlite');
  stores.push(store);
  return store;
}

/** Lets longer and longer times pass, because a keeper tries again after longer and longer times. */
async function runLong(rig: PredictionRig, isDone: () => boolean): Promise<void> {
  for (let minute = 0; minute < 30 && !isDone(); minute++) {
    rig.timers.advance(10_000);
    await rig.pass(2);
  }
  expect(isDone()).toBe(true);
}

/** Each order was filled once, as a whole, and has been closed. */
function checkFilled(rig: PredictionRig, owners: readonly Address[]): void {
  checkBooks(rig, owners);
  const market = rig.firstMarket;
  const [ann, bob, carl] = owners as readonly [Address, Address, Address];
  expect([rig.held(ann, market), rig.held(bob, market, false), rig.held(carl, market)]).toEqual([
    TEN,
    TEN,
    TEN,
  ]);
}

/** What wallets have paid is what their positions have cost, the vault has exactly that, and it covers every outcome. */
function checkBooks(rig: PredictionRig, owners: readonly Address[]): void {
  const market = rig.firstMarket;
  let all = 0n;
  const held = { yes: 0n, no: 0n };
  for (const owner of owners) {
    let paid = 0n;
    for (const isYes of [true, false]) {
      const position = rig.position(owner, market, isYes);
      paid += (position?.totalCost ?? 0n) + (position?.feesPaid ?? 0n);
      held[isYes ? 'yes' : 'no'] += position?.contracts ?? 0n;
      expect(position?.contracts ?? 0n).toBeLessThanOrEqual(TEN);
    }
    expect(rig.tokens(owner)).toBe(FUNDS - paid);
    all += paid;
  }
  expect(rig.vaultTokens).toBe(HOUSE_FUNDS + all);
  const { yes, no } = held;
  // Each contract that the house has sold has cost at least 49 cents.
  expect(all).toBeGreaterThanOrEqual((yes > no ? yes : no) / 2n);
}
