import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openForEach } from '../../testing/opened.ts';
import { createMarketHash } from '../../testing/predictions/test-prediction-accounts.ts';
import { createTestFill, LANDED_AT } from '../../testing/predictions/test-history.ts';
import { assertProperty } from '../../testing/random.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import type { PredictionHistoryEvent } from '../lists/prediction-lists.ts';
import { PredictionHistoryJournal } from '../store/history-journal.ts';
import { PredictionHistoryRecorder } from '../store/history-recorder.ts';
import { PredictionHistoryRecords } from '../store/history-records.ts';
import { removeOldPredictionEvents } from '../store/history-removal.ts';
import type { PredictionHistoryStep } from '../store/history-steps.ts';
import { forgetTotals } from '../store/totals/add-totals.ts';
import { PredictionTotalRecords, type RankedOwner } from '../store/totals/total-records.ts';
import { findPeriodStart, TRADING_PERIODS, type TradingPeriod } from '../store/totals/trading-periods.ts';
import { LEADERBOARD_METRICS, Leaderboards } from './leaderboards.ts';

const START = { signature: null, slot: 0n };
const DAY = 86_400;
const OWNERS = ['a', 'b', 'c', 'd', 'e'];
const EVENT_TYPES = [
  'order_created',
  'order_filled',
  'order_closed',
  'position_updated',
  'position_lost',
  'payout_claimed',
] as const;

const amount = () => fc.bigInt({ min: 0n, max: 3_000_000n });
const step = fc
  .record({
    eventType: fc.constantFrom(...EVENT_TYPES),
    owner: fc.constantFrom(...OWNERS),
    timestamp: fc.integer({ min: LANDED_AT - 70 * DAY, max: LANDED_AT }),
    order: fc.constantFrom('', 'order'),
    isBuy: fc.boolean(),
    totalCost: amount(),
    grossProceeds: amount(),
    fee: fc.constantFrom(0n, 1n),
    realizedPnl: fc.option(fc.bigInt({ min: -3_000_000n, max: 3_000_000n }), { freq: 4, nil: null }),
    settledContracts: fc.constantFrom(0n, 10_000n, 2_500_000n),
    marketIdHash: fc.nat({ max: 60 }).map(createMarketHash),
    isWon: fc.boolean(),
  })
  .map(({ isWon, ...change }) =>
    createTestFill(1, { ...change, payout: isWon ? change.settledContracts : change.settledContracts / 2n }),
  );

describe.each(STORES)('the totals of owners on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('are what a recount of the history says, whenever the counting began', async () => {
    let run = 0;
    await assertProperty(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 8 }),
        fc.nat({ max: 8 }),
        async (batches, uncounted) => {
          const { journal, record, totals, history, network } = open(`network ${++run}`);
          for (const [index, batch] of batches.entries()) {
            await record(batch);
            // As if the program before had no totals.
            if (index < uncounted) await deleteTotals(network);
          }
          while (await journal.isBehind(tested.store.db)) {
            await tested.store.transaction((db) => journal.countMissing(db));
          }
          const all = await history();
          expect(await totals.readCounted()).toBe(all.length);
          for (const period of TRADING_PERIODS) {
            const start = findPeriodStart(period, LANDED_AT);
            for (const owner of OWNERS) {
              expect([network, owner, await totals.find(owner, period, start)]).toEqual([
                network,
                owner,
                recount(all, { owner, period, start }),
              ]);
            }
            expect(await totals.findSum(period, start)).toEqual(recount(all, { owner: null, period, start }));
          }
          await expectBoards(totals, all);
        },
      ),
      { cases: 200, short: kind === 'sqlite' ? 20 : 8, seed: 43, against: 'a recount of the history' },
    );
  });

  it('are counted once by two instances, one of which begins to count what was recorded before', async () => {
    const { journal, record, totals } = open('n');
    await record([fill(), fill()]);
    await deleteTotals('n');
    const count = () => tested.store.transaction((db) => journal.countMissing(db));
    await Promise.all([count(), count(), record([fill({ owner: 'b' })])]);
    while (await journal.isBehind(tested.store.db)) await count();
    expect((await totals.find('a', 'all_time', 0))?.volume).toBe(2_000_000n);
    expect((await totals.find('b', 'all_time', 0))?.volume).toBe(1_000_000n);
  });

  it('outlive the events that they count', async () => {
    const { record, totals, history } = open('n');
    await record([fill({ timestamp: LANDED_AT - 90 * DAY }), fill({ timestamp: LANDED_AT })]);
    const now = BigInt(LANDED_AT);
    await removeOldPredictionEvents(tested.store, {
      network: 'n',
      now,
      historyDays: 30,
      isStopped: () => false,
    });
    expect(await history()).toHaveLength(1);
    await record([fill()]);
    expect((await totals.find('a', 'all_time', 0))?.volume).toBe(3_000_000n);
  });

  it('begin again with a network that was created again', async () => {
    const { record, totals, recorder } = open('n');
    await record([fill(), fill({ eventType: 'position_lost', realizedPnl: -5n })]);
    const cursor = await recorder.findCursor();
    if (cursor === null) throw new Error('the test has no cursor');
    await recorder.forget(cursor);
    expect(await totals.find('a', 'all_time', 0)).toBeNull();
    expect(await totals.findRealized('a', 0)).toBeNull();
    expect(await totals.readCounted()).toBe(0);
    await record([fill()]);
    expect((await totals.find('a', 'all_time', 0))?.volume).toBe(1_000_000n);
  });

  function open(network: string) {
    const { store } = tested;
    const recorder = new PredictionHistoryRecorder(store, network);
    const records = new PredictionHistoryRecords(store, network);
    let slot = 0n;
    const record = async (steps: readonly PredictionHistoryStep[]) => {
      const from = await recorder.begin(START);
      slot += 1n;
      expect(await recorder.record(from, { signature: `transaction ${slot}`, slot }, steps)).toBe(true);
    };
    const history = async () =>
      (await records.list({ owner: null, position: null, id: null, start: 0, end: 1_000 })).events;
    return {
      network,
      recorder,
      record,
      history,
      journal: new PredictionHistoryJournal(network),
      totals: new PredictionTotalRecords(store, network),
    };
  }

  async function deleteTotals(network: string): Promise<void> {
    await forgetTotals(tested.store.db, network);
  }
});

/** Checks the leaderboards of all periods against sorting everybody. */
async function expectBoards(
  totals: PredictionTotalRecords,
  all: readonly PredictionHistoryEvent[],
): Promise<void> {
  const boards = new Leaderboards(totals, LANDED_AT);
  await boards.refresh(LANDED_AT);
  for (const period of TRADING_PERIODS) {
    const start = findPeriodStart(period, LANDED_AT);
    const ranked = OWNERS.flatMap((owner): readonly RankedOwner[] => {
      const figures = recount(all, { owner, period, start });
      return figures === null ? [] : [{ owner, figures }];
    });
    for (const metric of LEADERBOARD_METRICS) {
      const expected = ranked
        .filter(({ figures }) => metric !== 'win_rate' || figures.correct + figures.wrong >= 10)
        .sort((one, other) => compareBy(metric, one, other));
      expect(boards.get(period, metric).owners).toEqual(expected);
    }
  }
}

function compareBy(metric: (typeof LEADERBOARD_METRICS)[number], one: RankedOwner, other: RankedOwner) {
  const rank = ({ figures: { volume, realizedPnl, correct, wrong } }: RankedOwner): readonly bigint[] => {
    if (metric === 'pnl') return [realizedPnl];
    if (metric === 'volume') return [volume];
    return [(BigInt(correct) * 10_000n) / BigInt(correct + wrong), BigInt(correct)];
  };
  const [ranks, others] = [rank(one), rank(other)];
  for (const [index, value] of ranks.entries()) {
    const against = others[index] ?? 0n;
    if (value !== against) return value > against ? -1 : 1;
  }
  return one.owner < other.owner ? -1 : 1;
}

/** Adds up the history by the rules as they are documented. */
function recount(
  all: readonly PredictionHistoryEvent[],
  {
    owner,
    period,
    start,
  }: { readonly owner: string | null; readonly period: TradingPeriod; readonly start: number },
) {
  const own = all.filter(
    (event) =>
      (owner === null || event.owner === owner) && findPeriodStart(period, event.timestamp) === start,
  );
  const fills = own.filter(({ eventType }) => eventType === 'order_filled');
  const endings = own.filter(({ eventType }) => ['payout_claimed', 'position_lost'].includes(eventType));
  const realizing = [...fills.filter(({ isBuy }) => !isBuy), ...endings];
  const firsts = findFirstDecisions(all);
  const decided = endings.filter(({ id }) => firsts.has(id));
  const sum = {
    volume: fills
      .filter(({ fee, order }) => fee > 0n || order === '')
      .reduce(
        (total, { isBuy, totalCost, grossProceeds }) => total + (isBuy ? totalCost : grossProceeds),
        0n,
      ),
    realizedPnl: realizing.reduce((total, { realizedPnl }) => total + (realizedPnl ?? 0n), 0n),
    correct: decided.filter(({ eventType }) => eventType === 'payout_claimed').length,
    wrong: decided.filter(({ eventType }) => eventType === 'position_lost').length,
  };
  // Whoever has a row has once traded or won something, even if it adds up to nothing.
  const hasRow = own.some((event) => adds(event, firsts));
  return hasRow ? sum : null;
}

/** Finds the events that decide a prediction for the first time. The history has the newest event first. */
function findFirstDecisions(all: readonly PredictionHistoryEvent[]): ReadonlySet<number> {
  const firsts = new Map<string, number>();
  for (const event of all) {
    const { eventType, settledContracts, payout, owner, marketIdHash, isYes } = event;
    const isCorrect = eventType === 'payout_claimed' && payout === settledContracts;
    if (!isCorrect && eventType !== 'position_lost') continue;
    if (settledContracts === 0n || event.totalCost < 1_000_000n) continue;
    firsts.set(`${owner} ${marketIdHash} ${isYes}`, event.id);
  }
  return new Set(firsts.values());
}

function adds(
  { eventType, isBuy, fee, order, ...event }: PredictionHistoryEvent,
  firsts: ReadonlySet<number>,
): boolean {
  const hasPnl = (event.realizedPnl ?? 0n) !== 0n;
  if (eventType === 'order_filled') {
    const volume = isBuy ? event.totalCost : event.grossProceeds;
    return ((fee > 0n || order === '') && volume > 0n) || (!isBuy && hasPnl);
  }
  if (eventType !== 'payout_claimed' && eventType !== 'position_lost') return false;
  return hasPnl || firsts.has(event.id);
}

function fill(change: Partial<PredictionHistoryStep> = {}): PredictionHistoryStep {
  return createTestFill(1, { owner: 'a', ...change });
}
