import { describe, expect, it } from 'vitest';
import { ONE, PredictionWorld } from '../../../programs/prediction/tests/world.ts';
import type { Chain } from '../../chain/chain.ts';
import {
  derivePredictionPosition,
  PREDICTION_PROGRAM,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import {
  createClaimPredictionPayout,
  createCloseLostPredictionPosition,
} from '../../protocols/jupiter-prediction/instructions/prediction-payout-instructions.ts';
import { openForEach } from '../../testing/opened.ts';
import { createTestChanges, describeTestEvent } from '../../testing/predictions/test-events.ts';
import { replaced } from '../../testing/replaced.ts';
import { openTestStore } from '../../testing/store/test-store.ts';
import { HistoryChain } from '../../testing/svm/history-chain.ts';
import { ManualTimers } from '../../testing/timers.ts';
import type { HistorySelection } from '../lists/prediction-lists.ts';
import type { PredictionExchange } from '../prediction.ts';
import { openPredictions } from './open-predictions.ts';

const ALL: HistorySelection = { owner: null, position: null, id: null, start: 0, end: 100 };
const NO_PRICES: Pick<PredictionExchange, 'getPrices'> = { getPrices: () => null };

describe('openPredictions', () => {
  const tested = openForEach(() => openTestStore('sqlite'), 'cleanUp');

  it('records the life of a purchase and of a sale, with every figure that their events name', async () => {
    const { world, predictions } = await open();
    const { alice, keeper, market } = world;
    const bought = world.order(alice, {
      contracts: 10n * ONE,
      limitPrice: 600_000n,
      depositAmount: 7n * ONE,
    });
    world.must(world.fill(bought, 4n * ONE, 2n * ONE, 70_000n));
    world.must(world.close(bought));
    const life = await predictions.history.findOrderHistory(bought.address);
    expect(life).toMatchObject([
      { eventType: 'order_created', rawStatus: '', deposit: 7n * ONE, contracts: 10n * ONE, keeper: '' },
      {
        eventType: 'order_filled',
        rawStatus: 'PartiallyFilled',
        filledContracts: 4n * ONE,
        averageFillPrice: 500_000n,
        totalCost: 2n * ONE,
        fee: 70_000n,
        realizedPnl: null,
        keeper,
        orderId: 'fill-1',
      },
      { eventType: 'order_closed', rawStatus: 'PartiallyFilled', transferred: 4_930_000n, keeper },
    ]);
    const [created] = life;
    expect(life.every(({ position, owner }) => position === created?.position && owner === alice)).toBe(true);
    expect(created?.position).toBe(derivePredictionPosition(market, alice, true).address);
    const sold = world.order(alice, { isBuy: false, contracts: 4n * ONE });
    world.must(world.fill(sold, 4n * ONE, 3n * ONE, 30_000n), world.close(sold));
    expect(await predictions.history.findOrderHistory(sold.address)).toMatchObject([
      { eventType: 'order_created', isBuy: false, limitPrice: 400_000n },
      {
        eventType: 'order_filled',
        rawStatus: 'Filled',
        grossProceeds: 3n * ONE,
        netProceeds: 2_970_000n,
        realizedPnl: 900_000n,
        realizedPnlBeforeFees: 1n * ONE,
      },
      { eventType: 'order_closed', transferred: 2_970_000n },
    ]);
    const { events } = await predictions.history.listHistory({ ...ALL, owner: alice });
    expect(events.map(({ id, eventType }) => `${id} ${eventType}`)).toEqual([
      '8 order_closed',
      '7 position_updated',
      '6 order_filled',
      '5 order_created',
      '4 order_closed',
      '3 position_updated',
      '2 order_filled',
      '1 order_created',
    ]);
    expect(events[1]).toMatchObject({ marketIdHash: market, isBuy: false, contracts: 0n });
    await predictions.close();
  });

  it('records orders that fail, positions that lose, and payouts', async () => {
    const { world, predictions } = await open();
    const { alice, bob } = world;
    const failed = world.order(alice);
    world.must(world.close(failed));
    expect(await predictions.history.findOrderHistory(failed.address)).toMatchObject([
      { eventType: 'order_created' },
      { eventType: 'order_failed', rawStatus: 'Failed', filledContracts: 0n },
      { eventType: 'order_closed', rawStatus: 'Failed' },
    ]);
    const won = world.buy(bob, 5n * ONE, 400_000n, { venueFee: 10_000n });
    const lost = world.buy(alice, 2n * ONE, 600_000n, { isYes: false });
    world.must(world.post(1));
    world.must(createClaimPredictionPayout(won), createCloseLostPredictionPosition(lost, world.keeper));
    const { events } = await predictions.history.listHistory({ ...ALL, end: 2 });
    expect(events).toMatchObject([
      {
        eventType: 'position_lost',
        owner: alice,
        keeper: world.keeper,
        settledContracts: 2n * ONE,
        payout: 0n,
        realizedPnl: -1_200_000n,
        realizedPnlBeforeFees: -1_200_000n,
      },
      {
        eventType: 'payout_claimed',
        owner: bob,
        order: '',
        settledContracts: 5n * ONE,
        totalCost: 2n * ONE,
        payout: 5n * ONE,
        realizedPnl: 2_990_000n,
        realizedPnlBeforeFees: 3n * ONE,
      },
    ]);
    await predictions.close();
  });

  it('counts what was traded for the lists of events', async () => {
    const { world, predictions, admin, change, timers } = await open();
    await admin.createEvent(change, describeTestEvent(1));
    const market = predictions.events.findMarket('POLY-1-a');
    world.buy(world.alice, 5n * ONE, 400_000n, { marketIdHash: market?.marketIdHash ?? '' });
    await predictions.history.listHistory(ALL);
    const lists = predictions.createLists(NO_PRICES);
    await expect
      .poll(() => {
        timers.advance(2_000);
        return lists.volumeOfMarket('POLY-1-a').total;
      })
      .toBe(2n * ONE);
    expect(lists.volumeOfEvent('POLY-1')).toEqual({ total: 2n * ONE, day: 2n * ONE });
    expect(lists.volumeOfMarket('POLY-1-b')).toEqual({ total: 0n, day: 0n });
    await predictions.close();
  });

  it('says why nothing is known, and answers lists from the record while more is to be read', async () => {
    let reason: string | null = null;
    const { world, chain, predictions, timers } = await open({ away: () => reason });
    world.order(world.alice);
    chain.spam(PREDICTION_PROGRAM, 1_100);
    expect((await predictions.history.listHistory(ALL)).total).toBe(1);
    reason = 'the node is away';
    await expect(predictions.history.listHistory(ALL)).rejects.toThrow('the node is away');
    timers.advance(2_000);
    await expect.poll(() => predictions.unhealthy()).toContain('the node is away');
    reason = null;
    timers.advance(2_000);
    await expect.poll(() => predictions.unhealthy()).toBeNull();
    await predictions.close();
    expect(timers.waiting).toBe(0);
  });

  it('begins again with a network that does', async () => {
    const { world, chain, predictions } = await open();
    world.order(world.alice);
    expect((await predictions.history.listHistory(ALL)).total).toBe(1);
    chain.beginAgain();
    expect((await predictions.history.listHistory(ALL)).total).toBe(0);
    const order = world.order(world.bob);
    expect((await predictions.history.listHistory(ALL)).events).toMatchObject([
      { id: 1, order: order.address },
    ]);
    await predictions.close();
  });

  it('removes old events every hour, by the clock of the network', async () => {
    const { world, predictions, timers } = await open({ historyDays: 3 });
    world.order(world.alice);
    expect((await predictions.history.listHistory(ALL)).total).toBe(1);
    world.network.setUnixTime(world.network.svm.getClock().unixTimestamp + 4n * 86_400n);
    timers.advance(3_600_000);
    await expect.poll(async () => (await predictions.history.listHistory(ALL)).total).toBe(0);
    await predictions.close();
  });

  async function open({
    away = () => null,
    historyDays = 0,
  }: {
    readonly away?: () => string | null;
    readonly historyDays?: number;
  } = {}) {
    const world = new PredictionWorld();
    const chain = new HistoryChain(world.network);
    const timers = new ManualTimers();
    const seen = replaced<Chain>(chain as unknown as Chain, {
      watchProgram: () => () => undefined,
      signaturesOf: async (address, range) => {
        const reason = away();
        if (reason !== null) throw new Error(reason);
        return chain.signaturesOf(address, range);
      },
    });
    const predictions = await openPredictions({
      chain: seen,
      store: tested.store,
      historyDays,
      timers,
      createOutageLog: () => ({ onFailure: () => undefined, onAnswer: () => undefined }),
      onDefect: (_, error) => {
        throw error;
      },
    });
    const admin = predictions.createAdmin(null);
    return { world, chain, timers, predictions, admin, change: createTestChanges(tested.store) };
  }
});
