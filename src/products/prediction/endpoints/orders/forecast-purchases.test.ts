import { describe, expect, it } from 'vitest';
import { toForecastMarketId } from '../../../../forecasts/events/forecast-ids.ts';
import { deriveOutcomeTokens } from '../../../../protocols/bisonfi-forecast/forecast-program.ts';
import { JUPUSD_MINT } from '../../../../protocols/jupiter-prediction/prediction-program.ts';
import { createKeypairFromSeed } from '../../../../solana/keypair.ts';
import { openForEach } from '../../../../testing/opened.ts';
import { ForecastTrader, parseBuilt } from '../../../../testing/products/forecast-trader.ts';
import { TestPredictionDesk } from '../../../../testing/products/prediction-desk.ts';

const desk = openForEach(() => TestPredictionDesk.open({ hasForecasts: true }), 'close');
const trader = () => new ForecastTrader(desk);

describe('a purchase of a forecast', () => {
  it('answers in the form of an atomic swap', async () => {
    const round = await desk.forecasts.open();
    const { status, json } = await trader().buy(round, { isYes: false });
    expect(status, JSON.stringify(json)).toBe(200);
    const marketId = toForecastMarketId(round.address, 'up');
    const positionPubkey = deriveOutcomeTokens(desk.owner, round.up.mint);
    expect(json).toMatchObject({
      requiredSigners: [desk.owner],
      isGasless: false,
      externalOrderId: null,
      executionModel: 'atomic_swap',
      settlement: 'auto',
      jupiterSwapRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      execution: {
        endpoint: '/api/v1/execute',
        context: { type: 'bisonfi_swap', requestId: json.jupiterSwapRequestId, marketId },
      },
      order: {
        orderPubkey: null,
        orderAtaPubkey: null,
        externalOrderId: null,
        marketId,
        marketIdHash: expect.stringMatching(/^[0-9a-f]{32}$/),
        positionPubkey,
        isBuy: true,
        isYes: true,
        orderCostUsd: '5000000',
        newSizeUsd: '5000000',
        minSellPriceUsd: null,
        estimatedTotalFeeUsd: '0',
        slippageBps: 200,
        maxSlippageBps: 200,
      },
    });
    const { message } = parseBuilt(json);
    expect(message.version).toBe(0);
    expect(message.signers).toBe(1);
  });

  it('executes what it says to the atom, one after another, as the price and the round move', async () => {
    const round = await desk.forecasts.open();
    let held = 0n;
    for (const [index, amount] of [5_000_000n, 249_999_999n, 7_777_777n, 100_000_001n].entries()) {
      desk.forecasts.passTo(round.address, index * 40, 108_500 + index * 11.5);
      const before = trader().dollars();
      const { json } = await trader().buy(round, { depositAmount: String(amount) });
      await trader().land(json);
      const { order } = json;
      const contracts = BigInt(order.contractsMicro);
      held += contracts;
      expect(trader().tokens(order.positionPubkey).amount).toBe(held);
      expect(before - trader().dollars()).toBe(amount);
      expect(order).toMatchObject({ newContractsMicro: String(held), payoutUsd: String(contracts) });
      // A purchase may pay 2 % less, so that a token costs up to 100/98 of that.
      expect(BigInt(order.maxBuyPriceUsd) * contracts * 98n).toBeGreaterThanOrEqual(
        amount * 100_000_000n - contracts * 100n,
      );
      expect(BigInt(order.maxBuyPriceUsd) * contracts * 97n).toBeLessThan(amount * 100_000_000n);
    }
  });

  it('adds to the tokens that the wallet has on the chain', async () => {
    const round = await desk.forecasts.open();
    const held = trader().tokens(await trader().hold(round)).amount;
    desk.forecasts.isBehind = true;
    const { order } = (await trader().buy(round)).json;
    expect(BigInt(order.newContractsMicro)).toBe(held + BigInt(order.contractsMicro));
    expect(order.newPayoutUsd).toBe(order.newContractsMicro);
  });

  it('is executed without the context too, once, and over the older path', async () => {
    const round = await desk.forecasts.open();
    const { json } = await trader().buy(round);
    const body = { signedTransaction: desk.sign(json.transaction) };
    const first = await desk.post('orders/execute', body);
    const again = await desk.post('execute', { ...body, context: json.execution.context });
    expect(first.json).toMatchObject({ status: 'Success' });
    expect(again.json.signature).toBe(first.json.signature);
    expect(desk.wallets.market.chain.sent).toBe(1);
    expect((await desk.get(`orders/status/${json.order.positionPubkey}`)).json).toMatchObject({
      code: 'order_history_not_found',
    });
  });

  it('fails without being sent when the price has moved beyond the slippage', async () => {
    const round = await desk.forecasts.open();
    const { json } = await trader().buy(round);
    desk.forecasts.publish(108_700);
    const { json: answer } = await desk.post('execute', { signedTransaction: desk.sign(json.transaction) });
    expect(answer).toMatchObject({ status: 'Failed', error: expect.stringContaining('was not sent') });
    expect(desk.wallets.market.network.account(json.order.positionPubkey)).toBeNull();
  });

  it.each([
    [{ depositMint: JUPUSD_MINT }, 'bisonfi_usdc_only', 'Forecast orders can only use USDC'],
    [{ depositAmount: '4999999' }, 'create_order_failed', 'Minimum order is $5'],
    [{ depositAmount: '250000001' }, 'create_order_failed', 'Maximum order is $250'],
    [{ maxBuyPriceUsd: '500000' }, 'create_order_failed', 'Forecast orders cannot wait for a price'],
    [{ minSellPriceUsd: '500000' }, 'create_order_failed', 'Forecast orders cannot wait for a price'],
    [{ depositAmount: undefined }, 'invalid_type', 'depositAmount is missing'],
  ])('is refused for %j with %s', async (change, code, message) => {
    const { status, json } = await trader().buy(await desk.forecasts.open(), change);
    expect({ status, json }).toEqual({
      status: 400,
      json: {
        type: 'invalid_request_error',
        code,
        message,
        param: expect.any(String),
        request_id: expect.any(String),
      },
    });
  });

  it('is refused when the wallet has too little', async () => {
    const round = await desk.forecasts.open();
    const ownerPubkey = createKeypairFromSeed(new Uint8Array(32).fill(77)).address;
    expect((await trader().buy(round, { ownerPubkey })).json).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
  });

  it('is refused from 15 seconds before the close on, without a fresh price, and after the result', async () => {
    const round = await desk.forecasts.open();
    const refused = { code: 'bisonfi_market_not_tradable', param: 'marketId' };
    desk.forecasts.passTo(round.address, 284);
    expect((await trader().buy(round)).status).toBe(200);
    desk.forecasts.passTo(round.address, 285);
    const closing = (await trader().buy(round)).json;
    expect(closing).toMatchObject(refused);
    expect(closing.message).toContain('its round closes within 15 seconds');
    desk.forecasts.passTo(round.address, 301);
    desk.forecasts.settle(round.address);
    const settled = (await trader().buy(round)).json;
    expect(settled).toMatchObject(refused);
    expect(settled.message).toContain('its round is settled');
  });

  it('is refused while the feed is older than a minute', async () => {
    const round = await desk.forecasts.open();
    const { network, chain } = desk.wallets.market;
    network.setUnixTime(BigInt(round.openAt + 61));
    chain.publish([]);
    expect((await trader().buy(round)).json).toMatchObject({ code: 'bisonfi_market_not_tradable' });
  });

  it('has no route when the side costs more than 99 cents', async () => {
    const round = await desk.forecasts.open();
    desk.forecasts.passTo(round.address, 240, 110_000);
    expect((await trader().buy(round)).json).toMatchObject({ code: 'no_route' });
    expect((await trader().buy(round, { marketId: toForecastMarketId(round.address, 'down') })).status).toBe(
      200,
    );
  });
});
