import { afterEach, describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { ForecastRig } from '../../testing/forecasts/forecast-rig.ts';
import { WORLD_RESERVE, WORLD_START } from '../../testing/forecasts/forecast-world.ts';
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts';
import { InterruptedCalls, type Interruption } from '../../testing/waiting-orders/interrupted.ts';

// Keepers that end, lose their connections or are overtaken at any of their calls: each round is opened, settled and paid once, and
// nothing is left over.

const stores: TestStore[] = [];
afterEach(async () => {
  for (const store of stores.splice(0)) await store.cleanUp();
});

describe('ForecastKeeper that is interrupted', () => {
  it('leaves everything to the next one when it is killed at any call', async () => {
    await atEachCall({ kind: 'killed', when: 'after' }, async ({ rig, first }) => {
      rig.kill(first);
      await rig.start();
    });
  });

  it('goes on by itself when its connections are cut off at any call', async () => {
    await atEachCall({ kind: 'cut off', when: 'after' }, async ({ rig }) => {
      await rig.passLong();
    });
  });

  it('does nothing a second time when it goes on after another one has taken over', async () => {
    await atEachCall({ kind: 'held up', when: 'before' }, async ({ rig, first }) => {
      await rig.start();
      await rig.passLong();
      first.calls.goOn();
      await rig.passLong();
    });
  });

  it('does nothing twice when two keepers lead at once', async () => {
    const { rig, ...run } = await open(new InterruptedCalls());
    await rig.start();
    await live(rig);
    await finish(rig, run);
    await rig.closeAll();
  });

  it('sends again what was lost, once its blockhash has expired', async () => {
    const { rig, ...run } = await open(new InterruptedCalls());
    rig.chain.losing = 3;
    await live(rig);
    rig.chain.pass(200n);
    await rig.passLong();
    await finish(rig, run);
    await rig.closeAll();
  });
});

interface InterruptedRun {
  readonly rig: ForecastRig;
  readonly first: Awaited<ReturnType<ForecastRig['start']>>;
  readonly owners: readonly Address[];
}

/** Interrupts a keeper at its first call, at its third, and so on, until it makes no more; then has the rest done by `work`. */
async function atEachCall(interruption: Interruption, work: (run: InterruptedRun) => Promise<void>) {
  let isOver = false;
  for (let call = 1; !isOver; call += 2) {
    if (call > MAX_CALLS) throw new Error('it makes more and more calls');
    const calls = new InterruptedCalls(call, interruption);
    const run = await open(calls);
    await live(run.rig);
    isOver = !calls.wasReached;
    if (!isOver) {
      await work(run);
      await finish(run.rig, run);
    }
    expect(run.rig.defects, `at call ${call}`).toEqual([]);
    await run.rig.closeAll();
    for (const store of stores.splice(0)) await store.cleanUp();
  }
}

/** Has a round opened by an undisturbed keeper, in which two wallets trade, and starts the keeper that is interrupted. */
async function open(calls: InterruptedCalls): Promise<InterruptedRun> {
  const store = await openTestStore('sqlite');
  stores.push(store);
  const rig = new ForecastRig(store.store);
  const opener = await rig.start();
  rig.kill(opener);
  const owners = [rig.trader(), rig.trader()];
  for (const [index, owner] of owners.entries()) {
    rig.buy(owner, rig.roundAt(), index === 0 ? 'up' : 'down', 50n * USD);
  }
  await rig.jump(WORLD_START + 299);
  const first = await rig.start({ calls });
  return { rig, first, owners };
}

/** The seconds around the close of the round. */
async function live(rig: ForecastRig): Promise<void> {
  await rig.run(3);
  rig.publish();
  await rig.pass(4);
  await rig.run(2);
}

/** What remains is done by the end of the shown time, at the latest by a keeper that is not disturbed. */
async function finish(rig: ForecastRig, { owners }: Pick<InterruptedRun, 'owners'>): Promise<void> {
  await rig.jump(WORLD_START + 1_000);
  await rig.passLong();
  const [ann, bob] = owners as readonly [Address, Address];
  expect(rig.statusOf(rig.roundAt())).toBeNull();
  // What the house has lost is what they have won, and each was paid once.
  const gained = rig.usdc(ann) + rig.usdc(bob) - 2_000n * USD;
  expect(await rig.sumHouse()).toBe(WORLD_RESERVE - gained);
  expect(rig.usdc(ann)).toBeGreaterThan(950n * USD);
  const ended = rig.metrics.countsOf('sluice_forecasts_rounds_ended_total');
  expect(Object.keys(ended).length).toBeGreaterThan(0);
}

const USD = 1_000_000n;
/** More calls than a keeper makes in the time of these tests. */
const MAX_CALLS = 200;
