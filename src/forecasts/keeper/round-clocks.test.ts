import { describe, expect, it } from 'vitest';
import { FORECAST_AUTHORITY } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { openForEach } from '../../testing/opened.ts';
import { ForecastRig } from '../../testing/forecasts/forecast-rig.ts';
import { WORLD_PRICE, WORLD_RESERVE, WORLD_START } from '../../testing/forecasts/forecast-world.ts';
import { openTestStore } from '../../testing/store/test-store.ts';

// Rounds when the clock of a test network jumps, its price is fixed, or the reserve or the operator has nothing left.

const opened = openForEach(() => openTestStore('sqlite'), 'cleanUp');
const USD = 1_000_000n;

describe('ForecastKeeper with a clock that jumps', () => {
  it('settles a round by the first price after a jump over its close', async () => {
    const rig = await start();
    rig.setClock(WORLD_START + 500);
    await rig.pass(3);
    // The feed still has the price from before the jump.
    expect(rig.statusOf(rig.roundAt())).toBe('open');
    rig.publish(WORLD_PRICE - 1n);
    await rig.pass(2);
    expect(rig.readRound(rig.roundAt())).toMatchObject({ status: 'down', closePrice: WORLD_PRICE - 1n });
    expect(rig.statusOf(rig.roundAt(WORLD_START + 300))).toBe('open');
    await rig.closeAll();
  });

  it('voids the rounds whose deadline it jumps over, and settles the others', async () => {
    const rig = await start();
    await rig.jump(WORLD_START + 1_000);
    expect(rig.statusOf(rig.roundAt())).toBe('void');
    expect(rig.statusOf(rig.roundAt(WORLD_START, 900))).toBe('up');
    expect(rig.metrics.countsOf('sluice_forecasts_rounds_ended_total')).toEqual({ up: 1, void: 1 });
    expect(rig.statusOf(rig.roundAt(WORLD_START + 900))).toBe('open');
    await rig.closeAll();
  });

  it('opens the rounds of the earlier time when the clock goes back, and ends each at its own close', async () => {
    const rig = await start();
    await rig.jump(WORLD_START - 1_000);
    const early = rig.roundAt(WORLD_START - 1_200);
    expect(rig.statusOf(early)).toBe('open');
    expect(rig.statusOf(rig.roundAt())).toBe('open');
    await rig.runUntil(WORLD_START - 890);
    expect(rig.statusOf(early)).toBe('up');
    expect(rig.statusOf(rig.roundAt())).toBe('open');
    await rig.runUntil(WORLD_START + 310);
    expect(rig.statusOf(rig.roundAt())).toBe('up');
    expect(rig.metrics.countsOf('sluice_forecasts_rounds_missed_total')).toEqual({});
    expect(rig.defects).toEqual([]);
    await rig.closeAll();
  });

  it('opens no round a second time when the clock goes back into one that has its result', async () => {
    const rig = await start();
    await rig.runUntil(WORLD_START + 310);
    const settled = rig.readRound(rig.roundAt());
    await rig.jump(WORLD_START + 100);
    await rig.run(5);
    expect(rig.readRound(rig.roundAt())).toEqual(settled);
    await rig.closeAll();
  });
});

describe('ForecastKeeper with a price that the operator fixes', () => {
  it('settles by the price of the close, whatever is fixed afterwards', async () => {
    const rig = await start();
    await rig.runUntil(WORLD_START + 299);
    rig.publish(WORLD_PRICE * 2n);
    await rig.runUntil(WORLD_START + 313);
    expect(rig.statusOf(rig.roundAt())).toBe('open');
    await rig.run(1);
    expect(rig.readRound(rig.roundAt())).toMatchObject({ status: 'up', closePrice: WORLD_PRICE * 2n });
    rig.publish(WORLD_PRICE / 2n);
    await rig.pass(4);
    expect(rig.statusOf(rig.roundAt())).toBe('up');
    await rig.closeAll();
  });

  it('does not settle by a price that replaced the first one in the same second', async () => {
    const rig = await start();
    rig.isPublishing = false;
    await rig.runUntil(WORLD_START + 300);
    rig.publish(WORLD_PRICE + 1n);
    rig.publish(WORLD_PRICE - 1n);
    await rig.pass(4);
    expect(rig.statusOf(rig.roundAt())).toBe('open');
    await rig.closeAll();
  });
});

describe('ForecastKeeper without what it needs', () => {
  it('opens no rounds while the reserve is too small, says so, and goes on when it is filled', async () => {
    const rig = new ForecastRig(opened.store);
    rig.give(FORECAST_AUTHORITY.address, 5_000n * USD - 1n);
    await rig.start();
    await rig.pass(4);
    expect(rig.forecasts.rounds.list()).toEqual([]);
    expect(rig.forecasts.unhealthy()).toContain('the reserve of forecasts holds 4999999999 micro USD');
    await rig.runUntil(WORLD_START + 301);
    expect(rig.metrics.countsOf('sluice_forecasts_rounds_missed_total')).toEqual({ '': 1 });
    expect(rig.metrics.read('sluice_forecasts_reserve_usd')).toEqual({ '': 4_999.999999 });
    expect(rig.metrics.countsOf('sluice_forecasts_transactions_total')).toEqual({});
    rig.give(FORECAST_AUTHORITY.address, WORLD_RESERVE);
    await rig.pass(4);
    expect(rig.statusOf(rig.roundAt(WORLD_START + 300))).toBe('open');
    expect(rig.forecasts.unhealthy()).toBeNull();
    await rig.closeAll();
  });

  it('opens no rounds at a price that is not current, and says so', async () => {
    const rig = new ForecastRig(opened.store);
    rig.isPublishing = false;
    rig.setClock(WORLD_START + 61);
    await rig.start();
    await rig.pass(2);
    expect(rig.forecasts.unhealthy()).toBe('the feed of BTC has no current price, so no round is opened');
    rig.publish();
    await rig.pass(2);
    expect(rig.forecasts.unhealthy()).toBeNull();
    await rig.closeAll();
  });

  it('says that the wallet of the operator is empty, and goes on when it is filled', async () => {
    const rig = new ForecastRig(opened.store);
    rig.setLamports(rig.operator.address, 900_000n);
    await rig.start();
    await rig.pass(2);
    expect(rig.forecasts.unhealthy()).toBe('the wallet of the keeper of forecasts is empty');
    rig.setLamports(rig.operator.address, 100_000_000_000n);
    await rig.passLong();
    expect(rig.forecasts.rounds.list()).toHaveLength(2);
    expect(rig.forecasts.unhealthy()).toBeNull();
    await rig.closeAll();
  });
});

async function start(): Promise<ForecastRig> {
  const rig = new ForecastRig(opened.store);
  await rig.start();
  await rig.pass(2);
  return rig;
}
