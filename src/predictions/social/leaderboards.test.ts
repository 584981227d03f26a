import { describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { createTestFill, LANDED_AT } from '../../testing/predictions/test-history.ts';
import { createMarketHash } from '../../testing/predictions/test-prediction-accounts.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { PredictionHistoryRecorder } from '../store/history-recorder.ts';
import type { PredictionHistoryStep } from '../store/history-steps.ts';
import { PredictionTotalRecords } from '../store/totals/total-records.ts';
import { removeOldTotals } from '../store/totals/total-removal.ts';
import { findPeriodStart } from '../store/totals/trading-periods.ts';
import { Leaderboards } from './leaderboards.ts';

const START = { signature: null, slot: 0n };
const DAY = 86_400;
const CONTRACT = 1_000_000n;

describe('Leaderboards', () => {
  const tested = openForEach(() => openTestStore('sqlite'), 'cleanUp');

  it('count a week from Monday and a month from its first day, and begin again with the next', async () => {
    const { record, boards } = open();
    const monday = findPeriodStart('weekly', LANDED_AT);
    expect(new Date(monday * 1_000).toISOString()).toBe('2027-01-11T00:00:00.000Z');
    await record(buy('a', 1n, { timestamp: monday - 1 }), buy('b', 2n, { timestamp: monday }));
    await boards.refresh(monday + 6 * DAY);
    expect(namesOf(boards, 'weekly')).toEqual(['b']);
    expect(namesOf(boards, 'monthly')).toEqual(['b', 'a']);
    expect(boards.get('weekly', 'volume').periods).toMatchObject({
      all_time: { start: null, end: null, sum: { volume: 3n } },
      weekly: { start: monday, end: monday + 7 * DAY, sum: { volume: 2n } },
      monthly: {
        start: Date.UTC(2027, 0) / 1_000,
        end: Date.UTC(2027, 1) / 1_000,
        sum: { volume: 3n },
      },
    });
    await boards.refresh(monday + 7 * DAY);
    expect(namesOf(boards, 'weekly')).toEqual([]);
    expect(namesOf(boards, 'all_time')).toEqual(['b', 'a']);
  });

  it('sort owners with the same figure by their address, whoever came first', async () => {
    const { record, boards } = open();
    await record(buy('c', 5n), buy('a', 5n), buy('b', 5n), buy('d', 6n));
    await boards.refresh(LANDED_AT);
    expect(namesOf(boards, 'all_time')).toEqual(['d', 'a', 'b', 'c']);
  });

  it('show nobody by the win rate who has decided fewer than ten predictions', async () => {
    const { record, boards } = open();
    await record(...repeat(9, () => win('lucky')), ...repeat(9, () => win('steady')), lose('steady'));
    await boards.refresh(LANDED_AT);
    const { owners } = boards.get('all_time', 'win_rate');
    expect(owners).toMatchObject([{ owner: 'steady', figures: { correct: 9, wrong: 1 } }]);
  });

  it('count no volume that cost no fee, however often somebody trades with themselves', async () => {
    const { record, boards } = open();
    const wash = repeat(50, () => [
      buy('washer', 1_000n * CONTRACT, { fee: 0n }),
      sell('other wallet', 1_000n * CONTRACT, { fee: 0n }),
    ]).flat();
    await record(...wash, buy('honest', CONTRACT));
    await boards.refresh(LANDED_AT);
    expect(boards.get('all_time', 'volume').owners).toMatchObject([
      { owner: 'honest', figures: { volume: CONTRACT } },
    ]);
  });

  it('gain nothing from a wallet that trades with another of the same person: both lose the fees', async () => {
    const { record, boards } = open();
    // One wallet sells far below its cost to the other, which is then paid out.
    await record(
      sell('one', 10_000n, { realizedPnl: -500_000n - 700n }),
      win('other', {
        payout: CONTRACT,
        settledContracts: CONTRACT,
        totalCost: 10_000n,
        realizedPnl: 990_000n - 700n,
      }),
    );
    await boards.refresh(LANDED_AT);
    const { owners, periods } = boards.get('all_time', 'pnl');
    const sum = owners.reduce((total, { figures }) => total + figures.realizedPnl, 0n);
    expect(sum).toBe(periods.all_time.sum.realizedPnl);
    // What the house has lost is what the contract has won against its true cost, less both fees.
    expect(sum).toBe(CONTRACT - 510_000n - 1_400n);
  });

  it('count no prediction that has cost less than a dollar, whatever others have sent', async () => {
    const { record, boards } = open();
    await record(
      // Bought for less than a dollar, and sent many contracts that have won after the result.
      ...repeat(20, () =>
        win('dust', { totalCost: 999_999n, settledContracts: 9n * CONTRACT, payout: 9n * CONTRACT }),
      ),
      ...repeat(20, () => win('gifted', { totalCost: 0n, realizedPnl: 0n })),
      ...repeat(20, () => lose('victim', { totalCost: 0n, realizedPnl: 0n })),
      ...repeat(10, () => win('victim')),
    );
    await boards.refresh(LANDED_AT);
    expect(boards.get('all_time', 'win_rate').owners).toMatchObject([
      { owner: 'victim', figures: { correct: 10, wrong: 0 } },
    ]);
  });

  it('count a prediction once that is paid out in parts', async () => {
    const { record, totals } = open();
    const part = (isYes = true) => win('splitter', { marketIdHash: createMarketHash(7), isYes });
    await record(part(), part());
    await record(part(), part(false));
    expect(await totals.find('splitter', 'all_time', 0)).toMatchObject({
      correct: 2,
      realizedPnl: 2_000_000n,
    });
  });

  it('count a refund neither as correct nor as wrong', async () => {
    const { record, totals } = open();
    await record(
      win('a', { payout: 400_000n, realizedPnl: -10n }),
      win('a', { payout: 500_000n, realizedPnl: 5n }),
    );
    expect(await totals.find('a', 'all_time', 0)).toEqual({
      volume: 0n,
      realizedPnl: -5n,
      correct: 0,
      wrong: 0,
    });
  });

  it('rank amounts beyond what a number holds as far as it does, and show them exactly', async () => {
    const { record, boards } = open();
    const huge = 18_446_744_073_709_551_615n;
    await record(buy('b', huge), buy('a', huge), buy('c', 7n));
    await boards.refresh(LANDED_AT);
    expect(
      boards.get('all_time', 'volume').owners.map(({ owner, figures }) => [owner, figures.volume]),
    ).toEqual([
      ['a', huge],
      ['b', huge],
      ['c', 7n],
    ]);
  });

  it('hold a hundred owners', async () => {
    const { record, boards } = open();
    await record(
      ...Array.from({ length: 130 }, (_, index) => buy(`owner ${1_000 + index}`, BigInt(index + 1))),
    );
    await boards.refresh(LANDED_AT);
    const { owners } = boards.get('all_time', 'volume');
    expect([owners.length, owners[0]?.owner, owners[99]?.owner]).toEqual([100, 'owner 1129', 'owner 1030']);
  });

  it('lose periods that are over, and keep all time', async () => {
    const { record, totals } = open();
    const hour = Math.floor(LANDED_AT / 3_600);
    await record(buy('a', 5n), sell('a', 5n, { realizedPnl: 3n }));
    await removeOldTotals(tested.store, {
      network: 'n',
      now: BigInt(LANDED_AT + 40 * DAY),
      isStopped: () => false,
    });
    for (const period of ['weekly', 'monthly'] as const) {
      expect(await totals.find('a', period, findPeriodStart(period, LANDED_AT))).toBeNull();
    }
    expect((await totals.find('a', 'all_time', 0))?.volume).toBe(10n);
    expect(await totals.findRealized('a', hour)).toEqual({ total: 3n, hours: new Map() });
  });

  function open() {
    const recorder = new PredictionHistoryRecorder(tested.store, 'n');
    const totals = new PredictionTotalRecords(tested.store, 'n');
    let slot = 0n;
    const record = async (...steps: readonly PredictionHistoryStep[]) => {
      const from = await recorder.begin(START);
      slot += 1n;
      expect(await recorder.record(from, { signature: `transaction ${slot}`, slot }, steps)).toBe(true);
    };
    return { record, totals, boards: new Leaderboards(totals, LANDED_AT) };
  }
});

function namesOf(boards: Leaderboards, period: 'all_time' | 'weekly' | 'monthly'): readonly string[] {
  return boards.get(period, 'volume').owners.map(({ owner }) => owner);
}

function repeat<Value>(count: number, create: () => Value): readonly Value[] {
  return Array.from({ length: count }, create);
}

type Change = Partial<PredictionHistoryStep>;

function buy(owner: string, totalCost: bigint, change: Change = {}): PredictionHistoryStep {
  return createTestFill(1, { owner, timestamp: LANDED_AT, totalCost, ...change });
}

function sell(owner: string, grossProceeds: bigint, change: Change = {}): PredictionHistoryStep {
  const terms = { isBuy: false, realizedPnl: 0n, timestamp: LANDED_AT };
  return createTestFill(2, { owner, grossProceeds, ...terms, ...change });
}

let markets = 0;

/** A win in a market of its own. */
function win(owner: string, change: Change = {}): PredictionHistoryStep {
  const settled = { settledContracts: 2n * CONTRACT, payout: 2n * CONTRACT, totalCost: CONTRACT };
  return createTestFill(3, {
    owner,
    eventType: 'payout_claimed',
    timestamp: LANDED_AT,
    realizedPnl: 500_000n,
    ...settled,
    marketIdHash: createMarketHash(++markets),
    ...change,
  });
}

function lose(owner: string, change: Change = {}): PredictionHistoryStep {
  return win(owner, { eventType: 'position_lost', payout: 0n, realizedPnl: -500_000n, ...change });
}
