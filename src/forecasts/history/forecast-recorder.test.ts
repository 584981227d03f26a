import { describe, expect, it } from 'vitest';
import type { HistoryCursor } from '../../chain/address-history.ts';
import { PredictionHistoryRecorder } from '../../predictions/store/history-recorder.ts';
import { PredictionHistoryRecords } from '../../predictions/store/history-records.ts';
import { deriveOutcomeTokens } from '../../protocols/bisonfi-forecast/forecast-program.ts';
import { ANNA, BEN, TestRoundEvents } from '../../testing/forecasts/test-forecast-events.ts';
import { openForEach } from '../../testing/opened.ts';
import { createTestFill } from '../../testing/predictions/test-history.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { deriveForecastHash, toForecastMarketId } from '../events/forecast-ids.ts';
import type { ForecastStep } from './followed-forecasts.ts';
import { ForecastCostRecords } from './cost-records.ts';
import { ForecastRecorder } from './forecast-recorder.ts';
import { ForecastRoundRecords } from './round-records.ts';

describe.each(STORES)('ForecastRecorder on %s', (kind) => {
  const tested = openForEach(() => openTestStore(kind), 'cleanUp');

  it('writes purchases, sales, payouts and losses into the history of prediction markets', async () => {
    const round = new TestRoundEvents();
    await record(
      ...round.land(round.opened()),
      ...round.land(round.bought(ANNA, 'up', 20_000_000n, 10_000_000n)),
      ...round.land(round.bought(BEN, 'down', 10_000_000n, 4_000_000n)),
      ...round.land(round.sold(ANNA, 'up', 5_000_000n, 3_000_000n)),
      ...round.land(round.settled('up')),
      ...round.land(round.paidOut(ANNA, { ...UP, burned: 15_000_000n, paid: 15_000_000n })),
      ...round.land(round.paidOut(BEN, { side: 'down', outcome: 'up', burned: 10_000_000n, paid: 0n })),
      ...round.land(round.closed()),
    );
    const hash = (side: 'up' | 'down') => deriveForecastHash(toForecastMarketId(round.address, side));
    const common = { order: '', keeper: '', isYes: true, marketIdHash: hash('up'), owner: ANNA };
    expect(await rows()).toMatchObject([
      {
        ...common,
        id: 1,
        eventType: 'order_filled',
        position: deriveOutcomeTokens(ANNA, round.mint('up')),
        isBuy: true,
        filledContracts: 20_000_000n,
        averageFillPrice: 500_000n,
        deposit: 10_000_000n,
        totalCost: 10_000_000n,
        realizedPnl: null,
        timestamp: round.openAt + 60,
        rawStatus: 'Filled',
      },
      { ...common, id: 2, owner: BEN, marketIdHash: hash('down'), totalCost: 4_000_000n },
      {
        ...common,
        id: 3,
        eventType: 'order_filled',
        isBuy: false,
        totalCost: 2_500_000n,
        grossProceeds: 3_000_000n,
        netProceeds: 3_000_000n,
        realizedPnl: 500_000n,
      },
      {
        ...common,
        id: 4,
        eventType: 'position_lost',
        owner: BEN,
        marketIdHash: hash('down'),
        settledContracts: 10_000_000n,
        totalCost: 4_000_000n,
        realizedPnl: -4_000_000n,
        payout: 0n,
      },
      {
        ...common,
        id: 5,
        eventType: 'payout_claimed',
        settledContracts: 15_000_000n,
        totalCost: 7_500_000n,
        payout: 15_000_000n,
        transferred: 15_000_000n,
        realizedPnl: 7_500_000n,
        fee: 0n,
      },
    ]);
    expect(await costs().listOfRound(tested.store.db, round.address)).toEqual([]);
    expect(await rounds().find(tested.store.db, round.address)).toMatchObject({
      outcome: 'up',
      settledAt: round.openAt + 302,
      closePrice: 10_850_000_000_001n,
    });
  });

  it('pays half for each token of a void round, and takes what stays for the rent of an account as a fee', async () => {
    const round = new TestRoundEvents();
    await record(
      ...round.land(round.opened()),
      ...round.land(round.bought(ANNA, 'up', 5_000_001n, 4_000_000n)),
      ...round.land(round.settled('void')),
      ...round.land(
        round.paidOut(ANNA, { side: 'up', outcome: 'void', burned: 5_000_001n, paid: 2_000_000n }),
      ),
    );
    expect((await rows()).at(-1)).toMatchObject({
      eventType: 'payout_claimed',
      payout: 2_500_000n,
      fee: 500_000n,
      transferred: 2_000_000n,
      realizedPnl: -2_000_000n,
      realizedPnlBeforeFees: -1_500_000n,
    });
    expect(await rounds().find(tested.store.db, round.address)).toMatchObject({
      outcome: 'void',
      closePrice: null,
    });
  });

  it('gives nobody a prediction with what another has bought into their account', async () => {
    const round = new TestRoundEvents();
    await record(
      ...round.land(round.opened()),
      ...round.land(round.given(ANNA, BEN, 'down', 5_000_000n, 2_000_000n)),
      ...round.land(round.settled('up')),
      ...round.land(round.paidOut(ANNA, { side: 'down', outcome: 'up', burned: 5_000_000n, paid: 0n })),
      ...round.land(round.closed()),
    );
    expect(await rows()).toMatchObject([
      { eventType: 'order_filled', owner: BEN, position: deriveOutcomeTokens(ANNA, round.mint('down')) },
      { eventType: 'position_lost', owner: ANNA, totalCost: 0n, realizedPnl: 0n },
    ]);
  });

  it('realizes nothing of tokens that were sent to a wallet, and all of the cost of those that were sent away', async () => {
    const round = new TestRoundEvents();
    await record(
      ...round.land(round.opened()),
      ...round.land(round.bought(ANNA, 'up', 10_000_000n, 5_000_000n)),
      ...round.land(round.bought(ANNA, 'down', 10_000_000n, 5_000_000n)),
      // Ben has got all of them.
      ...round.land(round.sold(BEN, 'up', 2_000_000n, 1_500_000n)),
      ...round.land(round.settled('up')),
      ...round.land(round.paidOut(BEN, { ...UP, burned: 8_000_000n, paid: 8_000_000n })),
      ...round.land(round.paidOut(BEN, { side: 'down', outcome: 'up', burned: 10_000_000n, paid: 0n })),
      ...round.land(round.closed()),
    );
    const realized = (await rows())
      .slice(2)
      .map(({ owner, eventType, totalCost, realizedPnl }) => [owner, eventType, totalCost, realizedPnl]);
    expect(realized).toEqual([
      [BEN, 'order_filled', 0n, 0n],
      [ANNA, 'position_lost', 5_000_000n, -5_000_000n],
      [BEN, 'payout_claimed', 0n, 0n],
      [BEN, 'position_lost', 0n, 0n],
      [ANNA, 'position_lost', 5_000_000n, -5_000_000n],
    ]);
  });

  it('loses only once what was bought of a side, however its tokens are burned', async () => {
    const round = new TestRoundEvents();
    const lost = { side: 'down', outcome: 'up', paid: 0n } as const;
    await record(
      ...round.land(round.opened()),
      ...round.land(round.bought(ANNA, 'down', 10_000_000n, 5_000_000n)),
      ...round.land(round.settled('up')),
      ...round.land(
        round.paidOut(ANNA, { ...lost, burned: 4_000_000n }),
        round.paidOut(ANNA, { ...lost, burned: 7_000_000n }),
        round.paidOut(ANNA, { ...lost, burned: 0n }),
      ),
      ...round.land(round.closed()),
    );
    const losses = (await rows())
      .slice(1)
      .map(({ settledContracts, totalCost }) => [settledContracts, totalCost]);
    // One token more was burned than she had bought.
    expect(losses).toEqual([
      [10_000_000n, 5_000_000n],
      [1_000_000n, 0n],
    ]);
  });

  it('counts each event once, whichever of several instances is first, and goes on after a restart', async () => {
    const round = new TestRoundEvents();
    const steps = [
      round.land(round.opened()),
      round.land(round.bought(ANNA, 'up', 1_000_000n, 500_000n)),
      round.land(round.bought(ANNA, 'up', 1_000_000n, 600_000n)),
    ];
    const recorders = [create(), create()];
    await Promise.all(recorders.map((each) => each.begin(START)));
    for (const some of steps) {
      const from = await findCursor(recorders[0]);
      const done = await Promise.all(recorders.map((each) => each.record(from, toCursor(some), some)));
      expect(done.sort()).toEqual([false, true]);
    }
    await tested.reopen();
    const after = create(await tested.reopen());
    expect(await findCursor(after)).toEqual(toCursor(steps[2] ?? []));
    const more = round.land(round.sold(ANNA, 'up', 2_000_000n, 1_200_000n));
    expect(await after.record(await findCursor(after), toCursor(more), more)).toBe(true);
  });

  it('writes nothing of a batch that fails in the middle', async () => {
    const round = new TestRoundEvents();
    let asked = 0;
    const recorder = create(tested.store, () => {
      asked++;
      if (asked === 2) throw new Error('cut off');
      return null;
    });
    await recorder.begin(START);
    const steps = [
      ...round.land(round.opened()),
      ...round.land(round.bought(ANNA, 'up', 1_000_000n, 500_000n)),
      ...round.land(round.bought(ANNA, 'up', 1n, 1n)),
    ];
    await expect(recorder.record(START, toCursor(steps), steps)).rejects.toThrow('cut off');
    expect(await rows()).toEqual([]);
    expect(await rounds().find(tested.store.db, round.address)).toBeNull();
    expect(await recorder.record(START, toCursor(steps), steps)).toBe(true);
    expect(await rows()).toHaveLength(2);
  });

  it('begins again with nothing when the program of orders has seen that the network did', async () => {
    const round = new TestRoundEvents();
    const orders = new PredictionHistoryRecorder(tested.store, 'n');
    await orders.begin(START);
    await orders.record(START, { signature: 'order', slot: 7n }, [createTestFill(1)]);
    const steps = [
      ...round.land(round.opened()),
      ...round.land(round.bought(ANNA, 'up', 1_000_000n, 500_000n)),
    ];
    await record(...steps);
    expect((await rows()).map(({ id }) => id)).toEqual([1, 2]);
    await orders.forget({ signature: 'order', slot: 7n });
    const recorder = create();
    expect(await recorder.findCursor()).toBeNull();
    await recorder.begin(START);
    expect(await rounds().find(tested.store.db, round.address)).toBeNull();
    expect(await costs().listOfRound(tested.store.db, round.address)).toEqual([]);
    await recorder.record(START, toCursor(steps), steps);
    expect((await rows()).map(({ id }) => id)).toEqual([1]);
  });

  it('knows a round as new that is opened again after the network was reset, and nothing of what its tokens had cost', async () => {
    const round = new TestRoundEvents();
    await record(
      ...round.land(round.opened()),
      ...round.land(round.bought(ANNA, 'up', 20_000_000n, 10_000_000n)),
      ...round.land(round.settled('void')),
      ...round.land(round.opened()),
    );
    const { db } = tested.store;
    expect(await rounds().find(db, round.address)).toMatchObject({ outcome: null });
    expect(await costs().listOfRound(db, round.address)).toEqual([]);
  });

  it('knows a round that was opened before the record began from the chain', async () => {
    const round = new TestRoundEvents();
    const known = { address: round.address, closePrice: null, outcome: null, settledAt: 0 };
    const found = {
      ...known,
      feed: ANNA,
      asset: 'BTC',
      seconds: 300,
      openAt: round.openAt,
      closeAt: round.openAt + 300,
      openPrice: 5n,
      exponent: -8,
      up: { mint: round.mint('up'), pool: ANNA, outstanding: 0n },
      down: { mint: round.mint('down'), pool: BEN, outstanding: 0n },
    };
    const recorder = create(tested.store, (address) => (address === round.address ? found : null));
    const steps = round.land(round.bought(ANNA, 'up', 1_000_000n, 500_000n));
    await recorder.begin(START);
    await recorder.record(START, toCursor(steps), steps);
    expect(await rounds().find(tested.store.db, round.address)).toMatchObject({ openPrice: 5n });
    expect(await rows()).toHaveLength(1);
  });

  const rounds = () => new ForecastRoundRecords('n');
  const costs = () => new ForecastCostRecords('n');
  const create = (
    store = tested.store,
    find: ConstructorParameters<typeof ForecastRecorder>[0]['onChain']['find'] = () => null,
  ) => new ForecastRecorder({ store, network: 'n', onChain: { find }, onRecorded: () => undefined });

  async function record(...steps: readonly ForecastStep[]): Promise<void> {
    const recorder = create();
    const from = await recorder.begin(START);
    expect(await recorder.record(from, toCursor(steps), steps)).toBe(true);
  }

  async function rows() {
    const records = new PredictionHistoryRecords(tested.store, 'n');
    const all = await records.list({ owner: null, position: null, id: null, start: 0, end: 100 });
    return all.events.toReversed();
  }
});

async function findCursor(recorder: ForecastRecorder | undefined): Promise<HistoryCursor> {
  const cursor = await recorder?.findCursor();
  if (cursor == null) throw new Error('the test has no cursor');
  return cursor;
}

function toCursor(steps: readonly ForecastStep[]): HistoryCursor {
  const last = steps.at(-1);
  return last === undefined ? START : { signature: last.signature, slot: last.slot };
}

const START: HistoryCursor = { signature: null, slot: 0n };
const UP = { side: 'up', outcome: 'up' } as const;
