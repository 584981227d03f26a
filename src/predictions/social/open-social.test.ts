import { describe, expect, it, vi } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { openForEach } from '../../testing/opened.ts';
import { createTestFill, LANDED_AT } from '../../testing/predictions/test-history.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { ManualTimers } from '../../testing/timers.ts';
import type { PredictionHistoryEvent } from '../lists/prediction-lists.ts';
import { PredictionHistoryRecorder } from '../store/history-recorder.ts';
import { PredictionHistoryRecords } from '../store/history-records.ts';
import type { PredictionHistoryStep } from '../store/history-steps.ts';
import { forgetTotals } from '../store/totals/add-totals.ts';
import { openSocial } from './open-social.ts';

const START = { signature: null, slot: 0n };
const OWNER = 'a' as Address;
const HOUR = 3_600;

describe('openSocial', () => {
  const tested = openForEach(() => openTestStore('sqlite'), 'cleanUp');

  it('counts events that were recorded before there were totals, at the first start', async () => {
    await record(...Array.from({ length: 612 }, () => fill()));
    await forgetTotals(tested.store.db, 'n');
    const { social } = open();
    await vi.waitFor(() => {
      const { owners, periods } = social.getLeaderboard('all_time', 'volume');
      expect(owners).toMatchObject([{ owner: OWNER, figures: { volume: 612_000_000n } }]);
      expect(periods.all_time.sum.volume).toBe(612_000_000n);
    });
    await social.close();
  });

  it('reads leaderboards again after two seconds, and after a failure', async () => {
    const { social, timers, failures } = open();
    await settle();
    await record(fill());
    expect(social.getLeaderboard('weekly', 'pnl').owners).toEqual([]);
    const { store } = tested;
    const failing = vi.spyOn(store, 'db', 'get').mockImplementation(() => {
      throw new Error('the database does not answer');
    });
    timers.advance(2_000);
    await settle();
    expect(failures).toHaveLength(1);
    failing.mockRestore();
    timers.advance(2_000);
    await vi.waitFor(() => {
      expect(social.getLeaderboard('weekly', 'pnl').owners).toMatchObject([{ owner: OWNER }]);
    });
    await social.close();
  });

  it('finds figures and profit of a wallet as of now, and nothing of one that has not traded', async () => {
    const { social } = open();
    await record(
      fill({ isBuy: false, grossProceeds: 5n, realizedPnl: 3n, timestamp: LANDED_AT - 2 * HOUR }),
      fill({ eventType: 'position_lost', realizedPnl: -10n, settledContracts: 1_000_000n }),
    );
    expect(await social.findFigures(OWNER)).toEqual({ volume: 5n, realizedPnl: -7n, correct: 0, wrong: 1 });
    expect(await social.listPnl(OWNER, { seconds: 6 * HOUR, count: 3 })).toEqual([
      { at: LANDED_AT - 4 * HOUR, realizedPnl: 0n },
      { at: LANDED_AT - 2 * HOUR, realizedPnl: 3n },
      { at: LANDED_AT, realizedPnl: -7n },
    ]);
    expect(await social.findFigures('b' as Address)).toBeNull();
    expect(await social.listPnl('b' as Address, { seconds: HOUR, count: 3 })).toBeNull();
    await social.close();
  });

  it('lists the last hundred fills, the newest first, whose markets it has recalled', async () => {
    const { social, recalled } = open();
    await record(...Array.from({ length: 120 }, () => [fill(), fill({ eventType: 'order_closed' })]).flat());
    const trades = await social.listTrades();
    expect([trades.length, trades[0]?.id, trades[99]?.id]).toEqual([100, 239, 41]);
    expect(trades.every(({ eventType }) => eventType === 'order_filled')).toBe(true);
    expect(recalled).toEqual([trades]);
    await social.close();
  });

  function open() {
    const timers = new ManualTimers();
    const failures: unknown[] = [];
    const recalled: (readonly PredictionHistoryEvent[])[] = [];
    const social = openSocial({
      store: tested.store,
      network: 'n',
      history: new PredictionHistoryRecords(tested.store, 'n'),
      recorded: {
        upToNow: async () => undefined,
        recall: async (events) => {
          recalled.push(events);
        },
      },
      now: () => LANDED_AT,
      timers,
      outage: { onFailure: (error) => failures.push(error), onAnswer: () => undefined },
    });
    return { social, timers, failures, recalled };
  }

  async function record(...steps: readonly PredictionHistoryStep[]): Promise<void> {
    const recorder = new PredictionHistoryRecorder(tested.store, 'n');
    const from = await recorder.begin(START);
    const to = { signature: 'transaction', slot: from.slot + 1n };
    expect(await recorder.record(from, to, steps)).toBe(true);
  }
});

async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

function fill(change: Partial<PredictionHistoryStep> = {}): PredictionHistoryStep {
  return createTestFill(1, { owner: OWNER, timestamp: LANDED_AT, ...change });
}
