import { describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { ForecastRig } from '../../testing/forecasts/forecast-rig.ts';
import { WORLD_PRICE, WORLD_RESERVE, WORLD_START } from '../../testing/forecasts/forecast-world.ts';
import { openTestStore } from '../../testing/store/test-store.ts';

// Rounds from their opening until they are gone, over the real program.

const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');
const USD = 1_000_000n;

describe('ForecastKeeper with rounds', () => {
  it('opens the round of each schedule at once, and the next one when its time comes', async () => {
    const rig = await start();
    const [short, long] = [rig.roundAt(), rig.roundAt(WORLD_START, 900)];
    expect(rig.readRound(short)).toMatchObject({
      openPrice: WORLD_PRICE,
      operator: rig.operator.address,
      status: 'open',
    });
    expect(rig.statusOf(long)).toBe('open');
    expect(rig.forecasts.rounds.list().map(({ address }) => address)).toEqual([short, long]);
    expect(rig.reserve).toBe(WORLD_RESERVE - 10_000n * USD);
    const next = rig.roundAt(WORLD_START + 300);
    await rig.runUntil(WORLD_START + 299);
    expect(rig.statusOf(next)).toBeNull();
    await rig.run(1);
    expect(rig.statusOf(next)).toBe('open');
    expect(countTransactions(rig)).toEqual({ 'open success': 3, 'settle success': 1 });
    await rig.closeAll();
  });

  it('opens no round that can be traded for less than a minute', async () => {
    const rig = new ForecastRig(opened.store);
    rig.setClock(WORLD_START + 226);
    rig.publish();
    await rig.start();
    expect(rig.statusOf(rig.roundAt())).toBeNull();
    expect(rig.statusOf(rig.roundAt(WORLD_START, 900))).toBe('open');
    await rig.runUntil(WORLD_START + 301);
    // Nobody was to open that round.
    expect(rig.metrics.countsOf('sluice_forecasts_rounds_missed_total')).toEqual({});
    expect(rig.forecasts.unhealthy()).toBeNull();
    await rig.closeAll();
  });

  it('settles by the first price after the close, and pays both sides', async () => {
    const rig = await start();
    const round = rig.roundAt();
    const [ann, bob] = [rig.trader(), rig.trader()];
    const up = rig.buy(ann, round, 'up', 100n * USD);
    rig.buy(bob, round, 'down', 50n * USD);
    const won = rig.balance(up);
    rig.isPublishing = false;
    await rig.runUntil(WORLD_START + 290);
    rig.publish(WORLD_PRICE - 1n);
    await rig.runUntil(WORLD_START + 304);
    expect(rig.statusOf(round)).toBe('open');
    rig.publish(WORLD_PRICE + 1n);
    await rig.pass(2);
    expect(rig.readRound(round)).toMatchObject({ status: 'up', closePrice: WORLD_PRICE + 1n });
    rig.publish(WORLD_PRICE - 1n);
    rig.isPublishing = true;
    await rig.run(5);
    expect(rig.usdc(ann)).toBe(900n * USD + won);
    expect(rig.usdc(bob)).toBe(950n * USD);
    expect(rig.vaultOf(round)).toBe(0n);
    expect(rig.metrics.countsOf('sluice_forecasts_payouts_total')).toEqual({ '': 2 });
    expect(rig.metrics.countsOf('sluice_forecasts_rounds_ended_total')).toEqual({ up: 1 });
    await rig.closeAll();
  });

  it('closes a round ten minutes after its result, and has its rents and its funds back', async () => {
    const rig = await start();
    const round = rig.roundAt();
    const ann = rig.trader();
    rig.buy(ann, round, 'down', 100n * USD);
    await rig.runUntil(WORLD_START + 302);
    // The price has not changed, so the side has lost.
    expect(rig.statusOf(round)).toBe('up');
    const { settledAt = 0n } = rig.readRound(round) ?? {};
    const last = Number(settledAt) + 600;
    await rig.runUntil(last - 1);
    expect(rig.statusOf(round)).toBe('up');
    await rig.run(2);
    expect(rig.statusOf(round)).toBeNull();
    expect(rig.forecasts.rounds.find(round)).toBeNull();
    expect(await rig.sumHouse()).toBe(WORLD_RESERVE + 100n * USD);
    expect(rig.metrics.read('sluice_forecasts_rounds')).toEqual({ open: 2, resolving: 0, settled: 3 });
    await rig.closeAll();
  });

  it('voids a round whose first price it could not use, at its deadline, and pays halves', async () => {
    const rig = await start();
    const round = rig.roundAt();
    const [ann, bob] = [rig.trader(), rig.trader()];
    const [up, down] = [rig.buy(ann, round, 'up', 100n * USD), rig.buy(bob, round, 'down', 100n * USD)];
    const halves = [rig.balance(up) / 2n, rig.balance(down) / 2n];
    rig.isPublishing = false;
    await rig.runUntil(WORLD_START + 301);
    rig.publish(WORLD_PRICE, { confidence: WORLD_PRICE / 49n });
    await rig.pass(2);
    rig.publish(WORLD_PRICE, { confidence: WORLD_PRICE / 100n });
    rig.isPublishing = true;
    await rig.runUntil(WORLD_START + 899);
    expect(rig.statusOf(round)).toBe('open');
    expect(rig.metrics.read('sluice_forecasts_rounds')).toMatchObject({ resolving: 1 });
    await rig.run(4);
    expect(rig.statusOf(round)).toBe('void');
    expect([rig.usdc(ann), rig.usdc(bob)]).toEqual(halves.map((half) => 900n * USD + half));
    await rig.closeAll();
  });
});

async function start(): Promise<ForecastRig> {
  const rig = new ForecastRig(opened.store);
  await rig.start();
  await rig.pass(2);
  return rig;
}

function countTransactions(rig: ForecastRig) {
  return rig.metrics.countsOf('sluice_forecasts_transactions_total');
}
