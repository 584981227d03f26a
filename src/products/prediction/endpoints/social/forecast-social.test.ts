import { describe, expect, it } from 'vitest';
import { toForecastMarketId } from '../../../../forecasts/events/forecast-ids.ts';
import { ForecastTrader } from '../../../../testing/products/forecast-trader.ts';
import { openForEach } from '../../../../testing/opened.ts';
import { createTestFill } from '../../../../testing/predictions/test-history.ts';
import { TestPredictionDesk } from '../../../../testing/products/prediction-desk.ts';

const desk = openForEach(() => TestPredictionDesk.open({ hasForecasts: true }), 'close');

describe('the profile of a wallet that holds a forecast', () => {
  it('counts its outcome tokens, and lists them as a position', async () => {
    const round = await desk.forecasts.open();
    const trader = new ForecastTrader(desk);
    const position = await trader.hold(round);
    const { amount } = trader.tokens(position);
    const { json } = await desk.get(`profiles/${desk.owner}`);
    expect(json).toMatchObject({
      predictionsCount: '0',
      totalActiveContractsMicro: String(amount),
      totalActiveContracts: String(amount / 1_000_000n),
    });
    const positions = await desk.get(`profiles/${desk.owner}/positions`);
    expect(positions.json).toEqual((await desk.get('positions', { ownerPubkey: desk.owner })).json);
    expect(positions.json.data).toMatchObject([
      { pubkey: position, marketId: toForecastMarketId(round.address, 'up') },
    ]);
  });
});

describe('the trades of everybody', () => {
  it('name the side of a forecast in words', async () => {
    const round = await desk.forecasts.open();
    const [event] = desk.forecasts.listEvents();
    for (const [index, market] of (event?.markets ?? []).entries()) {
      const step = createTestFill(1, { order: '', isYes: true, averageFillPrice: 510_000n });
      desk.social.trades.push({ ...step, id: index + 1, marketIdHash: market.marketIdHash });
    }
    const { data } = (await desk.get('trades')).json;
    const said = data.map(({ marketId, message, side }: Readonly<Record<string, string>>) => [
      marketId,
      message,
      side,
    ]);
    expect(said).toEqual([
      [toForecastMarketId(round.address, 'up'), 'Bought 2 Up at $0.51', 'yes'],
      [toForecastMarketId(round.address, 'down'), 'Bought 2 Down at $0.51', 'yes'],
    ]);
  });
});
