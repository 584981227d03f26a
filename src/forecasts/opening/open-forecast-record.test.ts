import { describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { ForecastRig } from '../../testing/forecasts/forecast-rig.ts';
import { openTestForecastRecord, type TestForecastRecord } from '../../testing/forecasts/record-rig.ts';
import { RecordedTrader } from '../../testing/forecasts/recorded-trader.ts';
import { WORLD_START } from '../../testing/forecasts/forecast-world.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { toForecastEventId } from '../events/forecast-ids.ts';

describe('openForecastRecord over the real program', () => {
  const opened = openForEach(openRig, 'close');

  it('knows who holds what, and writes everything down until the round is gone', async () => {
    const { rig, open, anna, ben } = opened;
    const record = await open();
    await rig.run(2);
    const round = rig.roundAt();
    const tokens = await anna.buy(round, 'up', 10_000_000n);
    await ben.buy(round, 'down', 20_000_000n);
    await record.catchUp();
    const [held] = record.holdings.holdingsOf(anna.address);
    expect(held).toMatchObject({ account: tokens, totalCost: 10_000_000n, contracts: rig.balance(tokens) });
    // Half of the tokens go to Ben, who sells them.
    const half = rig.balance(tokens) / 2n;
    await anna.send(round, 'up', ben, half);
    expect(record.holdings.find(tokens)?.contracts).toBe(rig.balance(tokens));
    expect(record.holdings.holdingsOf(ben.address)).toHaveLength(2);
    await ben.sell(round, 'up', half);
    await record.catchUp();
    expect(record.holdings.find(tokens)?.totalCost).toBeLessThanOrEqual(5_000_001n);
    await rig.runUntil(WORLD_START + 310);
    while (rig.readRound(round) !== null) await rig.jump(rig.now() + 30);
    await record.catchUp();
    expect(record.holdings.holdingsOf(anna.address)).toEqual([]);
    const [up, down] = record.events.findEvent(toForecastEventId(round))?.markets ?? [];
    expect([up?.result, down?.result]).toEqual(['yes', 'no']);
    const rows = (await record.rows()).map((row) => [row.owner, row.eventType, row.isBuy, row.realizedPnl]);
    expect(rows).toEqual([
      [anna.address, 'order_filled', true, null],
      [ben.address, 'order_filled', true, null],
      // He has sold what he was sent, which is no profit.
      [ben.address, 'order_filled', false, 0n],
      [ben.address, 'position_lost', false, -20_000_000n],
      [anna.address, 'payout_claimed', false, expect.any(BigInt)],
      // What she sent away is lost when the round is closed.
      [anna.address, 'position_lost', false, expect.any(BigInt)],
    ]);
    const realized = sumPnl(await record.rows(), anna.address);
    expect(realized).toBe(rig.usdc(anna.address) - RecordedTrader.USDC);
  });

  it('has the same record after restarts in the middle, with a second instance, and when the store was lost', async () => {
    const { rig, open, openElsewhere, anna, ben } = opened;
    const first = await open();
    await rig.run(2);
    const round = rig.roundAt();
    await anna.buy(round, 'up', 10_000_000n);
    await first.catchUp();
    await first.close();
    await ben.buy(round, 'down', 20_000_000n);
    const [second, third] = [await open(), await open()];
    await anna.buy(round, 'up', 5_000_000n);
    await Promise.all([second.catchUp(), third.catchUp()]);
    expect(third.holdings.holdingsOf(anna.address)).toMatchObject([{ totalCost: 15_000_000n }]);
    await second.close();
    await rig.runUntil(WORLD_START + 330);
    await third.catchUp();
    const rows = await third.rows();
    expect(rows.map(({ id }) => id)).toEqual(rows.map((_, index) => index + 1));
    expect(rows).toHaveLength(5);
    const rebuilt = await openElsewhere();
    await rebuilt.catchUp();
    expect(await rebuilt.rows()).toEqual(rows);
    const event = third.events.findEvent(toForecastEventId(round));
    expect(rebuilt.events.findEvent(toForecastEventId(round))).toEqual(event);
  });
});

async function openRig() {
  const [tested, elsewhere] = [await openTestStore('sqlite'), await openTestStore('sqlite')];
  const rig = new ForecastRig(tested.store);
  await rig.start();
  const records: TestForecastRecord[] = [];
  const openOn = async (store: typeof tested.store) => {
    const record = await openTestForecastRecord(rig.chain, store, rig.forecasts.rounds);
    records.push(record);
    return record;
  };
  return {
    rig,
    open: () => openOn(tested.store),
    openElsewhere: () => openOn(elsewhere.store),
    anna: new RecordedTrader(rig, 71),
    ben: new RecordedTrader(rig, 72),
    close: async () => {
      await Promise.all(records.map((record) => record.close()));
      await rig.closeAll();
      await tested.cleanUp();
      await elsewhere.cleanUp();
    },
  };
}

function sumPnl(rows: Awaited<ReturnType<TestForecastRecord['rows']>>, owner: string): bigint {
  return rows.reduce((sum, row) => (row.owner === owner ? sum + (row.realizedPnl ?? 0n) : sum), 0n);
}
