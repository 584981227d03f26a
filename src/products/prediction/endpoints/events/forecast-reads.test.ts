import { describe, expect, it } from 'vitest';
import type { ForecastRound } from '../../../../forecasts/forecast.ts';
import { toForecastEventId, toForecastMarketId } from '../../../../forecasts/events/forecast-ids.ts';
import { deriveOutcomeTokens } from '../../../../protocols/bisonfi-forecast/forecast-program.ts';
import { TOKEN_2022_PROGRAM } from '../../../../solana/program-addresses.ts';
import { openForEach } from '../../../../testing/opened.ts';
import { TestPredictionDesk } from '../../../../testing/products/prediction-desk.ts';

const desk = openForEach(() => TestPredictionDesk.open({ hasForecasts: true }), 'close');

const upOf = (round: ForecastRound) => toForecastMarketId(round.address, 'up');
const downOf = (round: ForecastRound) => toForecastMarketId(round.address, 'down');

describe('lists of events', () => {
  it('have forecasts for their provider alone', async () => {
    const round = await desk.forecasts.open();
    const idsOf = async (path: string, query: Readonly<Record<string, string>>) =>
      (await desk.get(path, query)).json.data.map(({ eventId }: { eventId: string }) => eventId);
    const forecast = toForecastEventId(round.address);
    expect(await idsOf('events', {})).toEqual(['POLY-1']);
    expect(await idsOf('events', { provider: 'polymarket' })).toEqual(['POLY-1']);
    expect(await idsOf('events', { provider: 'bisonfi' })).toEqual([forecast]);
    expect(await idsOf('events', { provider: 'kalshi' })).toEqual([]);
    expect(await idsOf('events/crypto/timed', {})).toEqual([forecast]);
  });

  it('say what a round is', async () => {
    const round = await desk.forecasts.open();
    const { json } = await desk.get(`events/${toForecastEventId(round.address)}`, { includeMarkets: 'true' });
    expect(json).toMatchObject({
      isActive: true,
      isLive: true,
      category: 'crypto',
      subcategory: 'btc',
      tags: ['btc', '5m', 'up-or-down'],
      beginAt: String(round.openAt),
    });
    expect(json.markets.map(({ marketId }: { marketId: string }) => marketId)).toEqual([
      upOf(round),
      downOf(round),
    ]);
  });
});

describe('a market of a forecast', () => {
  it('names its token, its round and its prices of now', async () => {
    const round = await desk.forecasts.open();
    const up = (await desk.get(`markets/${upOf(round)}`)).json;
    expect(up).toMatchObject({
      provider: 'bisonfi',
      status: 'open',
      result: null,
      outcomeMint: round.up.mint,
      outcomeTokenProgram: TOKEN_2022_PROGRAM,
      marketPda: round.address,
      outcomeSide: 'up',
      lifecycleStatus: 'open',
      tradable: true,
      // Half a dollar, and a cent of spread.
      pricing: {
        buyYesPriceUsd: 510_000,
        sellYesPriceUsd: 490_000,
        buyNoPriceUsd: null,
        sellNoPriceUsd: null,
      },
    });
    desk.forecasts.passTo(round.address, 100, 108_600);
    const [later, down] = await Promise.all(
      [upOf(round), downOf(round)].map(async (id) => (await desk.get(`markets/${id}`)).json.pricing),
    );
    expect(later.buyYesPriceUsd).toBeGreaterThan(550_000);
    // Both sides cost two spreads more than a dollar.
    expect(later.buyYesPriceUsd + down.buyYesPriceUsd).toBe(1_020_000);
    const event = await desk.get(`events/${toForecastEventId(round.address)}`, { includeMarkets: 'true' });
    expect(event.json.markets[0].pricing).toEqual(later);
  });

  it('is not tradable from 15 seconds before its close on, resolves, and is settled', async () => {
    const round = await desk.forecasts.open();
    const stateAt = async () => {
      const { tradable, lifecycleStatus, status, result, pricing, resolveAt } = (
        await desk.get(`markets/${upOf(round)}`)
      ).json;
      return { tradable, lifecycleStatus, status, result, price: pricing.buyYesPriceUsd, resolveAt };
    };
    const closed = { tradable: false, price: null, result: null, resolveAt: null };
    desk.forecasts.passTo(round.address, 285);
    expect(await stateAt()).toEqual({ ...closed, lifecycleStatus: 'open', status: 'open' });
    desk.forecasts.passTo(round.address, 300, 108_400);
    expect(await stateAt()).toEqual({ ...closed, lifecycleStatus: 'resolving', status: 'closed' });
    desk.forecasts.settle(round.address);
    expect(await stateAt()).toEqual({
      ...closed,
      lifecycleStatus: 'settled',
      status: 'closed',
      result: 'no',
      resolveAt: new Date(round.closeAt * 1_000).toISOString(),
    });
  });
});

describe('the order book of a forecast', () => {
  it('has what the round pays and asks, and a 502 outside its trading', async () => {
    const round = await desk.forecasts.open();
    const { json } = await desk.get(`orderbook/${upOf(round)}`);
    // 250 tokens move the price by a quarter of a cent.
    expect(json.yes_dollars.at(-1)).toEqual(['0.4888', 250]);
    expect(json.no_dollars.at(-1)).toEqual(['0.4888', 250]);
    expect(json.yes).toHaveLength(8);
    const prices = json.yes_dollars.map(([price]: [string, number]) => Number(price));
    expect(prices).toEqual(prices.toSorted((one: number, other: number) => one - other));
    desk.forecasts.passTo(round.address, 285);
    expect(await desk.get(`orderbook/${upOf(round)}`)).toEqual({
      status: 502,
      json: {
        type: 'api_error',
        code: 'orderbook_bad_status',
        message: 'The round has no order book now',
        param: 'marketId',
        request_id: expect.any(String),
      },
    });
    expect((await desk.get('orderbook/POLY-1-a')).status).toBe(200);
  });
});

describe('a position on a forecast', () => {
  it('is listed beside the others, worth its bid, then its result, and never claimable', async () => {
    const round = await desk.forecasts.open();
    const { json: built } = await desk.buy({ marketId: upOf(round), depositAmount: '50000000' });
    await desk.post('execute', { signedTransaction: desk.sign(built.transaction) });
    const account = deriveOutcomeTokens(desk.owner, round.up.mint);
    const [totalCost, realizedPnl] = [50_000_000n, 0n];
    const [openedAt, updatedAt] = [round.openAt, round.openAt];
    desk.forecasts.costs.set(account, { totalCost, realizedPnl, openedAt, updatedAt });
    const contracts = BigInt(built.order.contractsMicro);
    const read = async () => (await desk.get(`positions/${account}`)).json;
    const { pricing } = (await desk.get(`markets/${upOf(round)}`)).json;
    const value = (contracts * BigInt(pricing.sellYesPriceUsd)) / 1_000_000n;
    const position = {
      pubkey: account,
      ownerPubkey: desk.owner,
      market: round.address,
      marketId: upOf(round),
      isYes: true,
      contractsMicro: String(contracts),
      totalCostUsd: '50000000',
      avgPriceUsd: built.order.newAvgPriceUsd,
      maxSlippageBps: 200,
      feesPaidUsd: '0',
      openOrders: 0,
      claimed: false,
      claimable: false,
      claimableAt: null,
      payoutUsd: String(contracts),
    };
    expect(await read()).toMatchObject({
      ...position,
      valueUsd: String(value),
      sellPriceUsd: String(pricing.sellYesPriceUsd),
      pnlUsd: String(value - 50_000_000n),
      marketMetadata: { provider: 'bisonfi', status: 'open', result: null },
    });
    const listed = await desk.get('positions', { ownerPubkey: desk.owner });
    expect(listed.json).toMatchObject({ data: [position], pagination: { total: 1 } });
    expect((await desk.get('positions', { ownerPubkey: desk.owner, isYes: 'false' })).json.data).toEqual([]);
    desk.forecasts.passTo(round.address, 300);
    expect(await read()).toMatchObject({ ...position, valueUsd: null, markPriceUsd: null, pnlUsd: null });
    desk.forecasts.settle(round.address);
    expect(await read()).toMatchObject({
      ...position,
      valueUsd: String(contracts),
      settlementDate: round.closeAt,
      marketMetadata: { result: 'yes' },
    });
  });
});

describe('GET forecast', () => {
  it('has how the chance of a side went', async () => {
    const round = await desk.forecasts.open();
    desk.forecasts.points.set(upOf(round), [{ at: round.openAt + 15, price: 574_349n }]);
    expect((await desk.get('forecast', { marketId: upOf(round) })).json).toEqual({
      forecast_history: [
        {
          market_ticker: upOf(round),
          event_ticker: toForecastEventId(round.address),
          end_period_ts: round.openAt + 15,
          period_interval: 15,
          numerical_forecast: 57.43,
          raw_numerical_forecast: 0.574349,
          formatted_forecast: '57.4%',
        },
      ],
    });
  });

  it('needs a market', async () => {
    expect(await desk.get('forecast')).toMatchObject({ status: 400, json: { code: 'invalid_type' } });
    expect(await desk.get('forecast', { marketId: '' })).toMatchObject({
      status: 400,
      json: { code: 'invalid_type', param: 'marketId' },
    });
    expect((await desk.get('forecast', { marketId: 'x' })).json).toMatchObject({ code: 'market_not_found' });
  });
});
