import { describe, expect, it } from 'vitest';
import { PredictionHistoryRecords } from '../../predictions/store/history-records.ts';
import { ANNA, TestRoundEvents } from '../../testing/forecasts/test-forecast-events.ts';
import { openForEach } from '../../testing/opened.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { ForecastCostRecords } from './cost-records.ts';
import { ForecastRecorder } from './forecast-recorder.ts';
import { removeOldForecasts } from './forecast-removal.ts';
import { ForecastRoundRecords } from './round-records.ts';

describe.each(STORES)('removeOldForecasts on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('removes rounds that closed longer ago than the history is kept, with their costs and volumes', async () => {
    const { store } = tested;
    const [old, young] = [new TestRoundEvents(), new TestRoundEvents(1_800_000_000 + 3 * DAY)];
    const steps = [old, young].flatMap((round) => [
      ...round.land(round.opened()),
      ...round.land(round.bought(ANNA, 'up', 2_000_000n, 1_000_000n)),
    ]);
    const options = { store, network: 'n', onChain: { find: () => null }, onRecorded: () => undefined };
    const recorder = new ForecastRecorder(options);
    const from = await recorder.begin({ signature: null, slot: 0n });
    await recorder.record(from, { signature: 'last', slot: 200n }, steps);
    const remove = (historyDays: number) => {
      const now = BigInt(1_800_000_000 + 4 * DAY);
      return removeOldForecasts(store, { network: 'n', now, historyDays, isStopped: () => false });
    };
    await remove(0);
    expect(await listRounds()).toEqual([young.address, old.address]);
    await remove(2);
    expect(await listRounds()).toEqual([young.address]);
    const costs = new ForecastCostRecords('n');
    expect(await costs.listOfRound(store.db, old.address)).toEqual([]);
    expect(await costs.listOfRound(store.db, young.address)).toHaveLength(1);
    const { volumes } = await new PredictionHistoryRecords(store, 'n').listVolumes(0, 0);
    expect(new Set(volumes.map(({ marketIdHash }) => marketIdHash)).size).toBe(1);
  });

  async function listRounds() {
    const found = await new ForecastRoundRecords('n').listNewest(tested.store.db, 10);
    return found.map(({ round }) => round.address);
  }
});

const DAY = 86_400;
