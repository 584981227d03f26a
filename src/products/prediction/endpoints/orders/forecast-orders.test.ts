import { describe, expect, it } from 'vitest';
import type { ForecastRound } from '../../../../forecasts/forecast.ts';
import { toForecastMarketId } from '../../../../forecasts/events/forecast-ids.ts';
import {
  deriveForecastUsdc,
  deriveOutcomeTokens,
  FORECAST_USDC,
} from '../../../../protocols/bisonfi-forecast/forecast-program.ts';
import { JUPUSD_MINT } from '../../../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../../../solana/address.ts';
import { createKeypairFromSeed } from '../../../../solana/keypair.ts';
import { isSignedBy, parseTransaction } from '../../../../solana/messages/transaction.ts';
import { decodeTokenAccount } from '../../../../solana/programs/token/account.ts';
import { openForEach } from '../../../../testing/opened.ts';
import { TestPredictionDesk } from '../../../../testing/products/prediction-desk.ts';

const desk = openForEach(() => TestPredictionDesk.open({ hasForecasts: true }), 'close');

/** Asks for a purchase of tokens of the side that wins if the price rises. */
function buy(round: ForecastRound, change: object = {}) {
  return desk.buy({ marketId: toForecastMarketId(round.address, 'up'), isYes: undefined, ...change });
}

/** Buys, and returns the token account. */
async function hold(round: ForecastRound, depositAmount = '50000000'): Promise<Address> {
  const { json } = await buy(round, { depositAmount });
  await execute(json);
  return json.order.positionPubkey;
}

async function execute(built: { readonly transaction: string; readonly execution?: { context: unknown } }) {
  const { json, status } = await desk.post('execute', {
    signedTransaction: desk.sign(built.transaction),
    context: built.execution?.context,
  });
  expect({ status, json }).toMatchObject({ status: 200, json: { status: 'Success', error: null } });
}

function sell(positionPubkey: Address, change: object = {}) {
  return desk.post('orders', { ownerPubkey: desk.owner, positionPubkey, isBuy: false, ...change });
}

function balanceOf(account: Address): bigint {
  const found = desk.wallets.market.network.account(account);
  return found === null ? 0n : decodeTokenAccount(found.data).amount;
}

/** Leaves a wallet no SOL to pay with. */
function impoverish(owner: Address): void {
  const { network } = desk.wallets.market;
  const account = network.account(owner);
  if (account === null) throw new Error('the wallet has no account');
  network.setAccount(owner, { ...account, lamports: 900_000n });
}

describe('a purchase of a forecast', () => {
  it('answers in the form of an atomic swap', async () => {
    const round = await desk.forecasts.open();
    const { status, json } = await buy(round, { isYes: false });
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
    const { message } = parseTransaction(new Uint8Array(Buffer.from(json.transaction, 'base64')));
    expect(message.version).toBe(0);
    expect(message.signers).toBe(1);
  });

  it('executes what it says to the atom', async () => {
    const round = await desk.forecasts.open();
    desk.forecasts.passTo(round.address, 40, 108_533.5);
    const before = balanceOf(deriveForecastUsdc(desk.owner));
    const { json } = await buy(round, { depositAmount: '249999999' });
    await execute(json);
    const { order } = json;
    expect(balanceOf(order.positionPubkey)).toBe(BigInt(order.contractsMicro));
    expect(before - balanceOf(deriveForecastUsdc(desk.owner))).toBe(249_999_999n);
    expect(order.newContractsMicro).toBe(order.contractsMicro);
    expect(order.payoutUsd).toBe(order.contractsMicro);
    expect(order.newAvgPriceUsd).toBe(String((249_999_999n * 1_000_000n) / BigInt(order.contractsMicro)));
    expect(BigInt(order.maxBuyPriceUsd)).toBeGreaterThan(BigInt(order.newAvgPriceUsd));
  });

  it('is executed without the context too, once, and over the older path', async () => {
    const round = await desk.forecasts.open();
    const { json } = await buy(round);
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
    const { json } = await buy(round);
    desk.forecasts.publish(108_700);
    const { json: answer } = await desk.post('execute', { signedTransaction: desk.sign(json.transaction) });
    expect(answer).toMatchObject({ status: 'Failed', error: expect.stringContaining('was not sent') });
    expect(balanceOf(json.order.positionPubkey)).toBe(0n);
  });

  it.each([
    [{ depositMint: JUPUSD_MINT }, 'bisonfi_usdc_only', 'Forecast orders can only use USDC'],
    [{ depositAmount: '4999999' }, 'create_order_failed', 'Minimum order is $5'],
    [{ depositAmount: '250000001' }, 'create_order_failed', 'Maximum order is $250'],
    [{ maxBuyPriceUsd: '500000' }, 'create_order_failed', 'Forecast orders cannot wait for a price'],
    [{ minSellPriceUsd: '500000' }, 'create_order_failed', 'Forecast orders cannot wait for a price'],
    [{ depositAmount: undefined }, 'invalid_type', 'depositAmount is missing'],
  ])('is refused for %j with %s', async (change, code, message) => {
    const { status, json } = await buy(await desk.forecasts.open(), change);
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
    expect((await buy(round, { ownerPubkey })).json).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
  });

  it('is refused from 15 seconds before the close on, without a fresh price, and after the result', async () => {
    const round = await desk.forecasts.open();
    const refused = { code: 'bisonfi_market_not_tradable', param: 'marketId' };
    desk.forecasts.passTo(round.address, 284);
    expect((await buy(round)).status).toBe(200);
    desk.forecasts.passTo(round.address, 285);
    expect((await buy(round)).json).toMatchObject(refused);
    desk.forecasts.passTo(round.address, 301);
    desk.forecasts.settle(round.address);
    expect((await buy(round)).json).toMatchObject(refused);
  });

  it('is refused while the feed is older than a minute', async () => {
    const round = await desk.forecasts.open();
    const { network, chain } = desk.wallets.market;
    network.setUnixTime(BigInt(round.openAt + 61));
    chain.publish([]);
    expect((await buy(round)).json).toMatchObject({ code: 'bisonfi_market_not_tradable' });
  });

  it('has no route when the side costs more than 99 cents', async () => {
    const round = await desk.forecasts.open();
    desk.forecasts.passTo(round.address, 240, 110_000);
    expect((await buy(round)).json).toMatchObject({ code: 'no_route' });
    expect((await buy(round, { marketId: toForecastMarketId(round.address, 'down') })).status).toBe(200);
  });
});

describe('a sale of a forecast', () => {
  it('brings what it says at the least, and leaves the rest of the position', async () => {
    const round = await desk.forecasts.open();
    const position = await hold(round);
    const contracts = balanceOf(position);
    desk.forecasts.costs.set(position, {
      totalCost: 50_000_000n,
      realizedPnl: 0n,
      openedAt: round.openAt,
      updatedAt: round.openAt,
    });
    const { json } = await sell(position, { contractsMicro: '10000000', isYes: false });
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
    const before = balanceOf(deriveForecastUsdc(desk.owner));
    await execute(json);
    expect(balanceOf(position)).toBe(contracts - 10_000_000n);
    const proceeds = balanceOf(deriveForecastUsdc(desk.owner)) - before;
    const least = (proceeds * 98n + 99n) / 100n;
    expect(BigInt(json.order.minSellPriceUsd)).toBe((least * 1_000_000n) / 10_000_000n);
  });

  it('names its position by the market, and its contracts by what they are worth', async () => {
    const round = await desk.forecasts.open();
    const position = await hold(round);
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
    const position = await hold(round);
    const one = await desk.delete(`positions/${position}`, { ownerPubkey: desk.owner });
    expect(one.json).toMatchObject({
      executionModel: 'atomic_swap',
      order: { newContractsMicro: '0', contractsMicro: String(balanceOf(position)), maxSlippageBps: 200 },
    });
    const { json } = await desk.delete('positions', {
      ownerPubkey: desk.owner,
      minSellPriceSlippageBps: 2_500,
    });
    expect(json.data).toHaveLength(1);
    expect(json.data[0].order).toMatchObject({ positionPubkey: position, maxSlippageBps: 2_500 });
    await execute(one.json);
    expect(balanceOf(position)).toBe(0n);
  });

  it('is refused for too little, for too much, for another wallet and after the close', async () => {
    const round = await desk.forecasts.open();
    const position = await hold(round);
    expect((await sell(position, { contractsMicro: '9999' })).json).toMatchObject({
      code: 'bisonfi_position_too_small',
    });
    expect((await sell(position, { contractsMicro: '10000' })).status).toBe(200);
    expect((await sell(position, { contracts: 1_000 })).json).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    expect((await sell(position, { contracts: 1, minSellPriceUsd: '1000' })).json).toMatchObject({
      code: 'create_order_failed',
    });
    expect((await sell(position, { ownerPubkey: FORECAST_USDC, contracts: 1 })).json).toMatchObject({
      type: 'permission_error',
      code: 'position_of_another',
    });
    expect((await sell(deriveForecastUsdc(desk.owner), { contracts: 1 })).json).toMatchObject({
      code: 'position_not_found',
    });
    desk.forecasts.passTo(round.address, 285);
    expect((await sell(position, { contracts: 1 })).json).toMatchObject({
      code: 'bisonfi_market_not_tradable',
    });
    expect((await desk.delete('positions', { ownerPubkey: desk.owner })).json).toEqual({ data: [] });
  });

  it('takes the place of a claim, which is not needed', async () => {
    const position = await hold(await desk.forecasts.open());
    expect(await desk.post(`positions/${position}/claim`, { ownerPubkey: desk.owner })).toMatchObject({
      status: 400,
      json: {
        code: 'claim_position_failed',
        message: 'No claim is needed: a forecast pays out by itself',
      },
    });
  });
});

describe('a forecast for a wallet without SOL', () => {
  it('is paid by the sponsor, which signs first and alone may close the account that it opens', async () => {
    const { genesis, network } = desk.wallets.market;
    const sponsor = genesis.keys.sponsor.address;
    const round = await desk.forecasts.open();
    impoverish(desk.owner);
    const { json } = await buy(round, { depositAmount: '20000000' });
    expect(json, JSON.stringify(json)).toMatchObject({
      isGasless: true,
      requiredSigners: [sponsor, desk.owner],
    });
    const transaction = parseTransaction(new Uint8Array(Buffer.from(json.transaction, 'base64')));
    expect(transaction.message.staticAccounts.slice(0, 2)).toEqual([sponsor, desk.owner]);
    expect([0, 1].map((index) => isSignedBy(transaction, index))).toEqual([true, false]);
    await execute(json);
    const account = network.account(json.order.positionPubkey);
    if (account === null) throw new Error('the account was not opened');
    expect(decodeTokenAccount(account.data)).toMatchObject({
      amount: BigInt(json.order.contractsMicro),
      closeAuthority: sponsor,
    });
    expect(network.account(desk.owner)?.lamports).toBe(900_000n);
    expect(desk.spent[0]?.lamports).toBeGreaterThanOrEqual(account.lamports);
  });

  it('is left completely at the cost of the sponsor that opened it, and not in small parts', async () => {
    const round = await desk.forecasts.open();
    impoverish(desk.owner);
    const position = await hold(round, '20000000');
    const part = await sell(position, { contractsMicro: '10000' });
    expect(part.json).toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    desk.wallets.change(position, { amount: 10_000n });
    const all = await sell(position, { contractsMicro: '10000' });
    expect(all.json).toMatchObject({ isGasless: true });
  });

  it('is not paid for an account that is open, which its owner could close meanwhile', async () => {
    const round = await desk.forecasts.open();
    await hold(round);
    impoverish(desk.owner);
    const { json } = await buy(round, { depositAmount: '20000000' });
    const { message } = parseTransaction(new Uint8Array(Buffer.from(json.transaction, 'base64')));
    // Two that set the limits, and the swap.
    expect(message.instructions).toHaveLength(3);
  });
});
