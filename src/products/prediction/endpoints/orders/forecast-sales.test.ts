import { describe, expect, it } from 'vitest';
import { toForecastMarketId } from '../../../../forecasts/events/forecast-ids.ts';
import {
  deriveForecastUsdc,
  FORECAST_USDC,
} from '../../../../protocols/bisonfi-forecast/forecast-program.ts';
import { openForEach } from '../../../../testing/opened.ts';
import { ForecastTrader } from '../../../../testing/products/forecast-trader.ts';
import { TestPredictionDesk } from '../../../../testing/products/prediction-desk.ts';

const desk = openForEach(() => TestPredictionDesk.open({ hasForecasts: true }), 'close');
const trader = () => new ForecastTrader(desk);

describe('a sale of a forecast', () => {
  it('brings what it says at the least, and leaves the rest of the position', async () => {
    const round = await desk.forecasts.open();
    const position = await trader().hold(round);
    const contracts = trader().tokens(position).amount;
    desk.forecasts.costs.set(position, {
      totalCost: 50_000_000n,
      realizedPnl: 0n,
      openedAt: round.openAt,
      updatedAt: round.openAt,
    });
    const { json } = await trader().sell(position, { contractsMicro: '10000000', isYes: false });
    expect(json.order, JSON.stringify(json)).toMatchObject({
      isBuy: false,
      isYes: true,
      orderCostUsd: '0',
      contractsMicro: '10000000',
      payoutUsd: '10000000',
      newContractsMicro: String(contracts - 10_000_000n),
      newSizeUsd: String((50_000_000n * (contracts - 10_000_000n)) / contracts),
      maxBuyPriceUsd: null,
    });
    const before = trader().dollars();
    await trader().land(json);
    expect(trader().tokens(position).amount).toBe(contracts - 10_000_000n);
    const proceeds = trader().dollars() - before;
    const least = (proceeds * 98n + 99n) / 100n;
    expect(BigInt(json.order.minSellPriceUsd)).toBe((least * 1_000_000n) / 10_000_000n);
  });

  it('names its position by the market, and its contracts by what they are worth', async () => {
    const round = await desk.forecasts.open();
    const position = await trader().hold(round);
    const marketId = toForecastMarketId(round.address, 'up');
    const { json } = await desk.post('orders', {
      ownerPubkey: desk.owner,
      marketId,
      isBuy: false,
      depositAmount: '5000000',
      depositMint: FORECAST_USDC,
    });
    expect(json.order).toMatchObject({ positionPubkey: position });
    const market = (await desk.get(`markets/${marketId}`)).json;
    const sold = (5_000_000n * 1_000_000n) / BigInt(market.pricing.sellYesPriceUsd);
    expect(json.order.contractsMicro).toBe(String(sold));
  });

  it('of everything has its own call, and is made with those of other markets in one answer', async () => {
    const round = await desk.forecasts.open();
    const position = await trader().hold(round);
    const one = await desk.delete(`positions/${position}`, { ownerPubkey: desk.owner });
    expect(one.json).toMatchObject({
      executionModel: 'atomic_swap',
      order: {
        newContractsMicro: '0',
        contractsMicro: String(trader().tokens(position).amount),
        maxSlippageBps: 200,
      },
    });
    const { json } = await desk.delete('positions', {
      ownerPubkey: desk.owner,
      minSellPriceSlippageBps: 2_500,
    });
    expect(json.data).toHaveLength(1);
    expect(json.data[0].order).toMatchObject({ positionPubkey: position, maxSlippageBps: 2_500 });
    await trader().land(one.json);
    expect(trader().tokens(position).amount).toBe(0n);
  });

  it('is refused for too little, for too much, for another wallet and after the close', async () => {
    const round = await desk.forecasts.open();
    const position = await trader().hold(round);
    expect((await trader().sell(position, { contractsMicro: '9999' })).json).toMatchObject({
      code: 'bisonfi_position_too_small',
      message: 'A sale must have at least 0.01 tokens, which are 10000 micro-contracts, got 9999',
    });
    expect((await trader().sell(position, { contractsMicro: '10000' })).status).toBe(200);
    expect((await trader().sell(position, { contracts: 1_000 })).json).toMatchObject({
      code: 'INSUFFICIENT_FUNDS',
    });
    expect((await trader().sell(position, { contracts: 1, minSellPriceUsd: '1000' })).json).toMatchObject({
      code: 'create_order_failed',
    });
    expect((await trader().sell(position, { ownerPubkey: FORECAST_USDC, contracts: 1 })).json).toMatchObject({
      type: 'permission_error',
      code: 'position_of_another',
    });
    expect((await trader().sell(deriveForecastUsdc(desk.owner), { contracts: 1 })).json).toMatchObject({
      code: 'position_not_found',
    });
    desk.forecasts.passTo(round.address, 285);
    expect((await trader().sell(position, { contracts: 1 })).json).toMatchObject({
      code: 'bisonfi_market_not_tradable',
    });
    expect((await desk.delete('positions', { ownerPubkey: desk.owner })).json).toEqual({ data: [] });
  });

  it('takes the place of a claim, which is not needed', async () => {
    const position = await trader().hold(await desk.forecasts.open());
    expect(await desk.post(`positions/${position}/claim`, { ownerPubkey: desk.owner })).toMatchObject({
      status: 400,
      json: {
        code: 'claim_position_failed',
        message: 'No claim is needed: a forecast pays out by itself',
      },
    });
  });
});
