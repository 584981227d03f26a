import { describe, expect, it } from 'vitest';
import type { PredictionScore } from '../../../../predictions/prediction.ts';
import { openForEach } from '../../../../testing/opened.ts';
import { createTestEvent } from '../../../../testing/predictions/test-events.ts';
import { createTestFill } from '../../../../testing/predictions/test-history.ts';
import { createTestPredictionPosition } from '../../../../testing/predictions/test-prediction-accounts.ts';
import { DESK_TIME, TestPredictionDesk } from '../../../../testing/products/prediction-desk.ts';

// What people look at of each other: profiles, leaderboards, trades and scores, as JSON.

const desk = openForEach(() => TestPredictionDesk.open(), 'close');
const FIGURES = { volume: 5_000_000_000n, realizedPnl: -1_500_000n, correct: 3, wrong: 1 };

describe('a profile', () => {
  it('has every figure as text, and what the wallet holds', async () => {
    desk.social.figures.set(desk.owner, FIGURES);
    desk.putAccount(createTestPredictionPosition({ owner: desk.owner, marketIdHash: getHash() }));
    expect(await desk.get(`profiles/${desk.owner}`)).toEqual({
      status: 200,
      json: {
        ownerPubkey: desk.owner,
        realizedPnlUsd: '-1500000',
        totalVolumeUsd: '5000000000',
        predictionsCount: '4',
        correctPredictions: '3',
        wrongPredictions: '1',
        totalActiveContracts: '10',
        totalActiveContractsMicro: '10000000',
        totalActiveContractsDecimal: '10',
        totalPositionsValueUsd: '4000000',
      },
    });
    const { json } = await desk.get(`profiles/${desk.owner}/positions`, { start: '0', end: '1' });
    expect(json).toEqual((await desk.get('positions', { ownerPubkey: desk.owner })).json);
    expect(json.data[0]).toMatchObject({ sizeUsd: '4000000' });
  });

  it('of a wallet that has only a position has traded nothing', async () => {
    desk.putAccount(createTestPredictionPosition({ owner: desk.owner, marketIdHash: getHash() }));
    const { json } = await desk.get(`profiles/${desk.owner}`);
    expect(json).toMatchObject({ predictionsCount: '0', totalVolumeUsd: '0', totalActiveContracts: '10' });
  });

  it('of an unknown wallet is not found, with a body of its own', async () => {
    expect(await desk.get(`profiles/${desk.owner}`)).toEqual({
      status: 404,
      json: { error: 'Profile not found' },
    });
    expect((await desk.get('profiles/nobody')).json).toMatchObject({
      type: 'invalid_request_error',
      code: 'invalid_type',
      param: 'ownerPubkey',
    });
    expect(await desk.get(`profiles/${desk.owner}/positions`)).toMatchObject({
      status: 200,
      json: { data: [] },
    });
  });
});

describe('the profit of a wallet over time', () => {
  const path = () => `profiles/${desk.owner}/pnl-history`;

  it('has ten points of a week unless something else is asked for', async () => {
    desk.social.points = [{ at: DESK_TIME, realizedPnl: -7n }];
    expect((await desk.get(path())).json).toEqual({
      ownerPubkey: desk.owner,
      history: [{ timestamp: DESK_TIME, realizedPnlUsd: '-7' }],
    });
    expect(desk.social.askedPnl).toEqual([desk.owner, { seconds: 604_800, count: 10 }]);
    await desk.get(path(), { interval: '24h', count: '1000' });
    expect(desk.social.askedPnl).toEqual([desk.owner, { seconds: 86_400, count: 1_000 }]);
    await desk.get(path(), { interval: '1m', count: '1' });
    expect(desk.social.askedPnl).toEqual([desk.owner, { seconds: 2_592_000, count: 1 }]);
  });

  it('is empty for a wallet that has not traded', async () => {
    expect((await desk.get(path())).json).toEqual({ ownerPubkey: desk.owner, history: [] });
  });

  it.each([
    ['count', '0'],
    ['count', '1001'],
    ['interval', '1y'],
  ])('refuses %s=%s', async (param, value) => {
    expect(await desk.get(path(), { [param]: value })).toMatchObject({
      status: 400,
      json: { type: 'invalid_request_error', code: 'invalid_type', param },
    });
  });
});

describe('leaderboards', () => {
  it('have numbers, texts and times in the types that clients expect', async () => {
    const sum = { ...FIGURES, correct: 30, wrong: 10 };
    const [start, end] = [1_768_176_000, 1_768_780_800];
    desk.social.leaderboard = {
      owners: [
        { owner: desk.owner, figures: FIGURES },
        { owner: 'second', figures: { ...FIGURES, correct: 2 } },
      ],
      periods: {
        all_time: { start: null, end: null, sum },
        weekly: { start, end, sum: FIGURES },
        monthly: { start, end, sum },
      },
    };
    const { json } = await desk.get('leaderboards', { period: 'weekly', metric: 'win_rate' });
    expect(desk.social.askedBoard).toEqual(['weekly', 'win_rate']);
    expect(json.data[0]).toEqual({
      ownerPubkey: desk.owner,
      realizedPnlUsd: '-1500000',
      totalVolumeUsd: '5000000000',
      predictionsCount: 4,
      correctPredictions: 3,
      wrongPredictions: 1,
      winRatePct: '75.00',
      period: 'weekly',
      periodStart: '2026-01-12T00:00:00.000Z',
      periodEnd: '2026-01-19T00:00:00.000Z',
    });
    expect(json.data[1].winRatePct).toBe('66.66');
    const all = { totalVolumeUsd: '5000000000', predictionsCount: 40 };
    expect(json.summary).toEqual({
      all_time: all,
      weekly: { totalVolumeUsd: '5000000000', predictionsCount: 4 },
      monthly: all,
    });
    const first = (await desk.get('leaderboards', { limit: '1' })).json;
    expect(desk.social.askedBoard).toEqual(['all_time', 'pnl']);
    expect(first.data).toMatchObject([{ period: 'all_time', periodStart: null, periodEnd: null }]);
  });

  it.each([
    ['limit', '0'],
    ['limit', '101'],
    ['period', 'daily'],
    ['metric', 'luck'],
  ])('refuse %s=%s', async (param, value) => {
    expect(await desk.get('leaderboards', { [param]: value })).toMatchObject({
      status: 400,
      json: { code: 'invalid_type', param },
    });
  });
});

describe('trades', () => {
  it('are said in words, with the market and the event', async () => {
    const shared = { id: 7, owner: desk.owner, marketIdHash: getHash(), timestamp: DESK_TIME };
    desk.social.trades.push(
      { ...createTestFill(7), ...shared },
      {
        ...createTestFill(6),
        ...shared,
        id: 6,
        isBuy: false,
        isYes: true,
        filledContracts: 5_550_000n,
        averageFillPrice: 985_300n,
        grossProceeds: 5_468_415n,
      },
      { ...createTestFill(5), ...shared, id: 5, marketIdHash: 'gone' },
    );
    const { json } = await desk.get('trades');
    expect(json.data[0]).toEqual({
      id: '7',
      ownerPubkey: desk.owner,
      marketId: 'POLY-1-a',
      message: 'Bought 2 No at $0.50',
      timestamp: DESK_TIME,
      action: 'buy',
      side: 'no',
      eventTitle: 'Event 1',
      marketTitle: 'Above',
      amountUsd: '1000000',
      priceUsd: '500000',
      eventImageUrl: '',
      eventId: 'POLY-1',
      isTeamMarket: false,
      marketOptions: [
        { label: 'Yes', buyYes: true },
        { label: 'No', buyYes: false },
      ],
    });
    expect(json.data[1]).toMatchObject({
      id: '6',
      message: 'Sold 5.55 Yes at $0.9853',
      action: 'sell',
      side: 'yes',
      amountUsd: '5468415',
    });
    expect(json.data[2]).toMatchObject({ marketId: 'gone', eventTitle: '', eventId: '' });
  });
});

describe('scores', () => {
  it('are answered for an event, and null before anybody has posted one', async () => {
    expect(await desk.get('events/POLY-1/score')).toEqual({ status: 200, json: null });
    putScored(1);
    const { json } = await desk.get('events/POLY-1/score');
    expect(json).toEqual({
      eventId: 'POLY-1',
      gameId: 'game 1',
      leagueAbbreviation: 'NL',
      homeTeam: 'North',
      awayTeam: null,
      score: '2-1',
      period: '2H',
      elapsed: '63:10',
      status: null,
      live: false,
      ended: true,
      finishedTimestamp: '2027-01-15T08:00:01.000Z',
      updatedAt: '2027-01-15T08:00:02.000Z',
    });
    expect((await desk.get('events/POLY-1')).json.liveScore).toEqual(json);
    expect((await desk.get('events/none/score')).json).toMatchObject({ code: 'event_not_found' });
  });

  it('are listed for up to a hundred events, each once and without those that have none', async () => {
    putScored(1);
    putScored(2);
    desk.events.set('POLY-3', createTestEvent(3));
    const eventIds = 'POLY-2,none,POLY-3,POLY-1,POLY-2';
    const { json } = await desk.get('events/scores', { eventIds });
    expect(json.data.map(({ gameId }: { gameId: string }) => gameId)).toEqual(['game 2', 'game 1']);
    const ids = (count: number) => Array.from({ length: count }, (_, index) => `e${index}`).join(',');
    expect(await desk.get('events/scores', { eventIds: ids(100) })).toEqual({
      status: 200,
      json: { data: [] },
    });
    expect(await desk.get('events/scores', { eventIds: ids(101) })).toMatchObject({
      status: 400,
      json: { code: 'invalid_type', param: 'eventIds' },
    });
    expect((await desk.get('events/scores')).status).toBe(400);
  });

  function putScored(number: number): void {
    const score: PredictionScore = {
      gameId: `game ${number}`,
      leagueAbbreviation: 'NL',
      homeTeam: 'North',
      awayTeam: null,
      score: '2-1',
      period: '2H',
      elapsed: '63:10',
      status: null,
      state: 'ended',
      finishedAt: DESK_TIME + 1,
      updatedAt: DESK_TIME + 2,
      version: 1,
    };
    desk.events.set(`POLY-${number}`, { ...createTestEvent(number), score });
  }
});

function getHash(): string {
  const hash = desk.events.get('POLY-1')?.markets[0]?.marketIdHash;
  if (hash === undefined) throw new Error('there is no market');
  return hash;
}
