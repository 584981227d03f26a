import { beforeAll, describe, expect, it } from 'vitest';
import { toForecastEventId, toForecastMarketId } from '../src/forecasts/events/forecast-ids.ts';
import { JUPUSD_MINT, PREDICTION_PROGRAM } from '../src/protocols/jupiter-prediction/prediction-program.ts';
import { getGenesisToken } from '../src/solana/known-tokens.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';
import { faultsOf, writeOut } from '../src/testing/documented.ts';
import { fuzzOperations } from '../src/testing/fuzzed-answers.ts';
import { ForecastTrader } from '../src/testing/products/forecast-trader.ts';
import { FuzzedRequests, listCalls } from '../src/testing/fuzzed-requests.ts';
import { openForAll } from '../src/testing/opened.ts';
import {
  createTestPredictionOrder,
  createTestPredictionPosition,
} from '../src/testing/predictions/test-prediction-accounts.ts';
import { TestPredictionDesk } from '../src/testing/products/prediction-desk.ts';

let requests: FuzzedRequests;
const desk = openForAll(() => TestPredictionDesk.open({ hasForecasts: true }), 'close');
const document = openForAll(async () => writeOut((await desk.gateway.inject('/openapi.json')).json()));
beforeAll(setUp);

describe('every operation of prediction markets', () => {
  it('answers as documented, for any request', async () => {
    const requestFor = (call: ReturnType<typeof calls>[number]) => requests.requestFor(call);
    const answered = await fuzzOperations(calls(), {
      app: desk.gateway,
      document,
      requestFor,
      suite: SUITE,
    });
    expect(answered.length).toBeGreaterThan(15);
    expect(answered).toContain('delete /prediction/v1/positions/{positionPubkey}');
  });

  it.each([
    ['is empty', ''],
    ['is cut short', '{'],
    ['is null', 'null'],
    ['is a list', '[]'],
    ['has no field', '{}'],
    ['is nested deeply', '['.repeat(5_000)],
    ['names a prototype', '{"__proto__":{"x":1}}'],
    ['has fields of other types', '{"ownerPubkey":1,"isBuy":"yes","signedTransaction":{}}'],
    ['has texts that are no addresses', '{"ownerPubkey":"","isBuy":true,"signedTransaction":"\\u0000"}'],
    ['is long', JSON.stringify({ ownerPubkey: 'A'.repeat(900_000), isBuy: true })],
  ])('says in the form of the product that a body %s', async (_, payload) => {
    for (const { method, path } of calls().filter((call) => call.method !== 'get')) {
      const headers = { 'content-type': 'application/json' };
      const answer = await desk.gateway.inject({
        method: method.toUpperCase() as 'POST',
        url: path.replace(/\{\w+\}/g, desk.owner),
        headers,
        payload,
      });
      const { statusCode: status } = answer;
      expect([400, 413], `${path}: ${answer.body}`).toContain(status);
      expect(faultsOf(document, { method, path, status, body: answer.json() })).toEqual([]);
      expect(answer.json()).toMatchObject({
        type: 'invalid_request_error',
        message: expect.stringMatching(/.{8,}/),
        request_id: expect.any(String),
      });
    }
  });

  const calls = () =>
    listCalls(document).filter(({ path }) => path.startsWith('/prediction/') || path.startsWith('/api/'));
});

const SUITE = { cases: 1_000, short: 60, seed: 20_261_130 };
const USDC = getGenesisToken('USDC').mint;

/** Prepares what sensible requests name: positions of both kinds, an order, and wallets with and without money. */
async function setUp(): Promise<void> {
  const { owner } = desk;
  const [market] = desk.events.get('POLY-1')?.markets ?? [];
  if (market === undefined) throw new Error('there is no market');
  const named = { owner, payer: owner, marketIdHash: market.marketIdHash };
  const position = desk.putAccount(createTestPredictionPosition(named));
  const order = desk.putAccount(createTestPredictionOrder(1, { ...named, position }));
  desk.giveJupUsd(owner, 50_000_000n);
  const round = await desk.forecasts.open();
  const held = await new ForecastTrader(desk).hold(round);
  const forecast = toForecastMarketId(round.address, 'up');
  // Programs are addresses too, and some of them cannot stand where wallets do.
  const wallets = [owner, owner, SYSTEM_PROGRAM, TOKEN_PROGRAM, PREDICTION_PROGRAM];
  const { json } = await desk.buy();
  const plausible = {
    ownerPubkey: wallets,
    owner: [owner, null],
    userPubkey: [owner, null],
    pubkey: wallets,
    eventId: ['POLY-1', 'POLY-2', toForecastEventId(round.address)],
    marketId: ['POLY-1-a', 'POLY-1-b', forecast, forecast, 'none', null],
    positionPubkey: [position, held, owner, order],
    orderPubkey: [order, position, held],
    provider: ['bisonfi', 'polymarket', null],
    isBuy: [true, true, false],
    depositAmount: ['5000000', 6_000_000, '250000000', '1', '18446744073709551615', null],
    depositMint: [USDC, JUPUSD_MINT, TOKEN_PROGRAM, null],
    contracts: ['1', 2, null, null],
    contractsMicro: ['1000000', '10000', 1, null, null],
    contractsDecimal: ['1.5', 0.01, '1e3', null, null],
    maxBuyPriceUsd: ['400000', 1_000, '1000000', null],
    minSellPriceUsd: ['390000', 1, null],
    minSellPriceSlippageBps: [0, 200, 10_000, null],
    signedTransaction: [json.transaction, desk.sign(json.transaction), 'AAAA'],
    query: ['event', 'x'],
    start: ['0', '1', '1000000'],
    end: ['0', '1', '1000000'],
    limit: ['1', '20'],
    id: ['1', '9007199254740991'],
  };
  requests = new FuzzedRequests(plausible, [owner, 'POLY-1', '', '1']);
}
