import { describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { createTestFill } from '../../testing/predictions/test-history.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { type HistoryProgram, PredictionHistoryJournal } from './history-journal.ts';
import { PredictionHistoryRecords } from './history-records.ts';
import { PredictionHistoryRecorder } from './history-recorder.ts';

const START = { signature: null, slot: 0n };

describe.each(STORES)('PredictionHistoryJournal on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('numbers the events of two programs together, without gaps, whoever writes at the same time', async () => {
    const write = async (program: HistoryProgram) => {
      await journal().begin(tested.store.db, program, START);
      for (let number = 1; number <= 5; number++) await record(program, number);
    };
    await Promise.all([write('orders'), write('forecasts')]);
    const { events, total } = await list();
    expect(total).toBe(10);
    expect(events.map(({ id }) => id)).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    for (const program of ['orders', 'forecasts']) {
      const own = events.filter(({ keeper }) => keeper === program).map(({ slot }) => slot);
      expect(own).toEqual([1_005n, 1_004n, 1_003n, 1_002n, 1_001n]);
    }
  });

  it('records nothing from a place where the cursor is not', async () => {
    await journal().begin(tested.store.db, 'forecasts', START);
    expect(await record('forecasts', 1)).toBe(true);
    expect(await record('forecasts', 1)).toBe(false);
    expect(await journal().findCursor(tested.store.db, 'orders')).toEqual(START);
    expect((await list()).total).toBe(1);
  });

  it('forgets all programs when one sees that the network began again, once', async () => {
    for (const program of ['orders', 'forecasts'] as const) {
      await journal().begin(tested.store.db, program, START);
      await record(program, 1);
    }
    const found = await journal().findCursor(tested.store.db, 'orders');
    if (found === null) throw new Error('the test has no cursor');
    await new PredictionHistoryRecorder(tested.store, 'n').forget(found);
    expect(await journal().findCursor(tested.store.db, 'forecasts')).toBeNull();
    expect(await list()).toEqual({ events: [], total: 0 });
    await journal().begin(tested.store.db, 'forecasts', START);
    await record('forecasts', 1);
    const again = await tested.store.transaction((db) => journal().forget(db, 'orders', found));
    expect(again).toBe(false);
    expect((await list()).events.map(({ id }) => id)).toEqual([1]);
  });

  const journal = () => new PredictionHistoryJournal('n');
  const list = () =>
    new PredictionHistoryRecords(tested.store, 'n').list({
      owner: null,
      position: null,
      id: null,
      start: 0,
      end: 100,
    });

  function record(program: HistoryProgram, number: number): Promise<boolean> {
    const place = (at: number) =>
      at === 0 ? START : { signature: `transaction ${at}`, slot: BigInt(1_000 + at) };
    return tested.store.transaction(async (db) => {
      const [from, to] = [place(number - 1), place(number)];
      if (!(await journal().move(db, program, { from, to }))) return false;
      await journal().append(db, [createTestFill(number, { keeper: program })]);
      return true;
    });
  }
});
