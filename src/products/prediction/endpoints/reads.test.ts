import { describe, expect, it } from 'vitest';
import { openForEach } from '../../../testing/opened.ts';
import { createTestEvent } from '../../../testing/predictions/test-events.ts';
import {
  createTestPredictionOrder,
  createTestPredictionPosition,
} from '../../../testing/predictions/test-prediction-accounts.ts';
import { DESK_TIME, TestPredictionDesk } from '../../../testing/products/prediction-desk.ts';

const desk = openForEach(() => TestPredictionDesk.open(), 'close');

function getHash(): string {
  const hash = desk.events.get('POLY-1')?.markets[0]?.marketIdHash;
  if (hash === undefined) throw new Error('there is no market');
  return hash;
}

describe('events', () => {
  it('are listed as the command line client of the public service asks for them', async () => {
    const query = {
      includeMarkets: 'true',
      sortBy: 'volume24hr',
      sortDirection: 'desc',
      category: 'all',
      start: '0',
      end: '10',
    };
    const { status, json } = await desk.get('events', query);
    expect(status, JSON.stringify(json)).toBe(200);
    expect(json.pagination).toEqual({ start: 0, end: 1, total: 1, hasNext: false });
    expect([json.start, json.end, json.total]).toEqual([0, 1, 1]);
    const [event] = json.data;
    expect(event).toMatchObject({
      eventId: 'POLY-1',
      isActive: true,
      category: 'crypto',
      volumeUsd: '0',
      volume24hr: '0',
      beginAt: null,
      metadata: { title: 'Event 1', closeTime: new Date((DESK_TIME + 864_000) * 1_000).toISOString() },
    });
    expect(event.markets[0]).toMatchObject({
      marketId: 'POLY-1-a',
      provider: 'polymarket',
      status: 'open',
      result: null,
      closeTime: DESK_TIME + 864_000,
      resolveAt: null,
      tradable: true,
      pricing: {
        buyYesPriceUsd: 400_000,
        buyNoPriceUsd: 610_000,
        sellYesPriceUsd: 390_000,
        sellNoPriceUsd: 600_000,
      },
    });
  });

  it('come without markets unless they are asked for, and in pages', async () => {
    for (const number of [2, 3]) {
      const event = createTestEvent(number);
      desk.events.set(event.eventId, event);
    }
    const { json } = await desk.get('events', { start: '1', end: '2' });
    expect(json.data.map(({ eventId }: { eventId: string }) => eventId)).toEqual(['POLY-2']);
    expect(json.data[0].markets).toBeUndefined();
    expect(json.pagination).toEqual({ start: 1, end: 2, total: 3, hasNext: true });
    expect(await desk.get('events', { start: '5', end: '3' })).toMatchObject({
      status: 400,
      json: { code: 'invalid_type', param: 'end', message: 'end must not be below start, which is 5, got 3' },
    });
    expect((await desk.get('events', { start: '5', end: '5' })).json.data).toEqual([]);
    expect((await desk.get('events', { provider: 'kalshi' })).json.pagination.total).toBe(0);
    expect((await desk.get('events/search', { query: 'event 3', limit: '5' })).json).toMatchObject({
      data: [{ eventId: 'POLY-3' }],
      pagination: { start: 0, end: 1, total: 1, hasNext: false },
    });
    expect((await desk.get(`events/suggested/${desk.owner}`)).json.data).toHaveLength(3);
    expect((await desk.get('events/crypto/timed', { subcategory: 'btc', tags: '15m' })).status).toBe(200);
  });

  it('are answered with what has changed since: a price, the end of their time', async () => {
    const ask = async () => (await desk.get('events/POLY-1', { includeMarkets: 'true' })).json;
    expect((await ask()).markets[0].status).toBe('open');
    desk.wallets.market.network.setUnixTime(BigInt(DESK_TIME + 864_000));
    expect(await ask()).toMatchObject({
      isActive: false,
      markets: [{ status: 'closed', tradable: false }, {}],
    });
  });

  it('are refused in the form of the product if they are not known', async () => {
    expect(await desk.get('events/none')).toEqual({
      status: 404,
      json: {
        type: 'invalid_request_error',
        code: 'event_not_found',
        message: 'there is no event "none"',
        param: 'eventId',
        request_id: expect.any(String),
      },
    });
    expect((await desk.get('events', { sortBy: 'age' })).json).toMatchObject({
      type: 'invalid_request_error',
      code: 'invalid_type',
      param: 'sortBy',
    });
  });
});

describe('a market', () => {
  it('is found by its id, in its event and among the markets of the event', async () => {
    const market = (await desk.get('markets/POLY-1-a')).json;
    expect(market).toMatchObject({ marketId: 'POLY-1-a', eventId: 'POLY-1' });
    const { title, status, tradable: isTradable, openTime, closeTime, rulesPrimary, rulesSecondary } = market;
    expect(market.metadata).toEqual({
      title,
      status,
      isTradable,
      openTime,
      closeTime,
      rulesPrimary,
      rulesSecondary,
    });
    expect((await desk.get('events/POLY-1/markets/POLY-1-a')).json).toEqual(market);
    expect((await desk.get('events/POLY-1/markets')).json).toMatchObject({
      data: [{ marketId: 'POLY-1-a' }, { marketId: 'POLY-1-b' }],
      pagination: { total: 2 },
    });
    expect((await desk.get('markets/none')).status).toBe(404);
  });

  it('has an order book of bids for both sides, in cents and in dollars', async () => {
    desk.book = {
      yes: [
        { price: 1_000n, contracts: 10_000n },
        { price: 395_000n, contracts: 10_000_000n },
      ],
      no: [],
    };
    expect((await desk.get('orderbook/POLY-1-a')).json).toEqual({
      yes: [
        [0, 0.01],
        [40, 10],
      ],
      no: [],
      yes_dollars: [
        ['0.0010', 0.01],
        ['0.3950', 10],
      ],
      no_dollars: [],
    });
    desk.book = null;
    expect(await desk.get('orderbook/POLY-1-a')).toEqual({ status: 200, json: null });
  });
});

describe('orders and positions', () => {
  it('are listed with every field under its recorded name', async () => {
    const marketIdHash = getHash();
    const position = desk.putAccount(createTestPredictionPosition({ owner: desk.owner, marketIdHash }));
    const order = desk.putAccount(
      createTestPredictionOrder(1, { owner: desk.owner, marketIdHash, position }),
    );
    const orders = await desk.get('orders', { ownerPubkey: desk.owner });
    expect(orders.json).toMatchObject({
      data: [
        { pubkey: order, status: 'pending', contractsDecimal: '10', maxBuyPriceUsd: '500000', orderId: '' },
      ],
      pagination: { start: 0, end: 1, total: 1, hasNext: false },
    });
    expect((await desk.get(`orders/${order}`)).json).toEqual(orders.json.data[0]);
    const positions = await desk.get('positions', { owner: desk.owner });
    expect(positions.json.data).toEqual([(await desk.get(`positions/${position}`)).json]);
    expect(positions.json.data[0]).toMatchObject({
      pubkey: position,
      ownerPubkey: desk.owner,
      contracts: '10',
      totalCostUsd: '4000000',
      realizedPnlUsd: 0,
      openOrders: 0,
      sellPriceUsd: null,
      claimed: false,
      maxSlippageBps: 2_500,
      source: 'program',
      eventMetadata: { title: 'Event 1' },
      marketMetadata: {
        title: 'Above',
        result: null,
        openTime: expect.any(Number),
        closeTime: expect.any(Number),
      },
    });
    expect((await desk.get('positions', { marketId: 'POLY-1-a', isYes: 'false' })).json.data).toEqual([]);
  });

  it('that are not known are refused with the codes that clients poll for', async () => {
    expect((await desk.get(`orders/${desk.owner}`)).json).toMatchObject({ code: 'order_not_found' });
    expect((await desk.get(`orders/status/${desk.owner}`)).json).toMatchObject({
      code: 'order_history_not_found',
    });
    expect((await desk.get(`positions/${desk.owner}`)).json).toMatchObject({ code: 'position_not_found' });
    expect((await desk.get('positions')).json).toMatchObject({ code: 'invalid_type', param: 'ownerPubkey' });
  });
});

describe('the history', () => {
  it('has the status of an order from its events, of which the last one ends it', async () => {
    const order = desk.owner;
    const event = (
      eventType: 'order_created' | 'order_filled' | 'order_closed',
      rawStatus: string,
      id: number,
    ) => ({
      id,
      eventType,
      rawStatus,
      signature: `signature ${id}`,
      slot: 9n,
      timestamp: DESK_TIME,
      order,
      position: desk.owner,
      marketIdHash: getHash(),
      owner: desk.owner,
      keeper: '',
      externalOrderId: 'x',
      orderId: eventType === 'order_filled' ? 'venue' : '',
      isBuy: true,
      isYes: true,
      contracts: 10_000_000n,
      filledContracts: 5_550_000n,
      settledContracts: 5_550_000n,
      limitPrice: 400_000n,
      averageFillPrice: 390_000n,
      deposit: 5_000_000n,
      totalCost: 2_164_500n,
      fee: 92_430n,
      integratorFee: 0n,
      grossProceeds: 0n,
      netProceeds: 0n,
      transferred: null,
      realizedPnl: null,
      realizedPnlBeforeFees: null,
      payout: 0n,
    });
    desk.history.push(
      event('order_created', '', 1),
      event('order_filled', 'PartiallyFilled', 2),
      event('order_closed', '', 3),
    );
    expect((await desk.get(`orders/status/${order}`)).json).toMatchObject({
      orderPubkey: order,
      status: 'partiallyfilled',
      latestEventType: 'order_closed',
      latestSignature: 'signature 3',
      externalOrderId: 'x',
      orderId: 'venue',
      history: [
        { eventType: 'order_created', status: 'created', rawStatus: '' },
        {
          eventType: 'order_filled',
          status: 'partiallyfilled',
          fillInfo: {
            filledContracts: '5',
            filledContractsDecimal: '5.55',
            feeUsd: '92430',
            minSellPriceUsd: null,
          },
        },
        { eventType: 'order_closed', status: 'partiallyfilled' },
      ],
    });
    const { json } = await desk.get('history', { ownerPubkey: desk.owner, start: '0', end: '2' });
    expect(json.pagination).toEqual({ start: 0, end: 2, total: 3, hasNext: true });
    expect(json.data[1]).toMatchObject({
      id: 2,
      marketId: 'POLY-1-a',
      slot: '9',
      timestamp: DESK_TIME,
      avgFillPriceUsd: '390000',
      realizedPnl: null,
      payoutAmountUsd: '0',
      marketMetadata: { title: 'Above' },
      eventMetadata: { title: 'Event 1' },
    });
    expect((await desk.get(`orders/${order}`)).json).toMatchObject({ code: 'order_closed' });
  });
});

describe('the vault', () => {
  it('is shown with its balance as text, and says whether orders are taken', async () => {
    const { json } = await desk.get('vault-info');
    expect(json).toMatchObject({ pubkey: expect.any(String), vaultBalance: expect.stringMatching(/^\d+$/) });
    expect((await desk.get('trading-status')).json).toEqual({ trading_active: true });
  });
});
