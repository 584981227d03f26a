import * as kit from '@solana/kit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Keypair } from '../../src/solana/keypair.ts';
import { openEvenRound } from './forecast-round.ts';
import { useInstance } from './shared-instance.ts';

// Every path of the published interface of prediction markets, on an instance that has just started.

// biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes.
type Json = any;

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const MARKET = 'DEMO-1006-1';

describe('the paths of prediction markets', () => {
  const sluice = useInstance();
  const known = { trader: '', position: '', order: '', holding: '', forecast: '', round: '' };
  let trader: Keypair;

  it('have a position, an open order and tokens of a forecast to show', () => {
    for (const [name, value] of Object.entries(known)) expect(value, name).not.toBe('');
  });

  it.each([
    '/events',
    '/events?provider=bisonfi',
    '/events/search?query=bitcoin',
    '/events/crypto/timed',
    '/events/suggested/{trader}',
    '/events/scores?eventIds=DEMO-1013',
    '/events/DEMO-1006/markets',
    '/events/{round}/markets',
    '/orders?ownerPubkey={trader}',
    '/positions?ownerPubkey={trader}',
    '/history?ownerPubkey={trader}',
    '/trades',
    '/leaderboards?metric=volume',
    '/profiles/{trader}/positions',
  ])('list something: %s', async (path) => {
    // Lists of everybody are a few seconds old.
    await vi.waitFor(async () => {
      const { status, json } = await sluice.ask(`/prediction/v1${fill(path)}`);
      expect(status, JSON.stringify(json)).toBe(200);
      expect(json.data.length).toBeGreaterThan(0);
      expect(json.data).not.toContain(null);
    });
  });

  it.each<[path: string, named: object]>([
    ['/events/DEMO-1006', { eventId: 'DEMO-1006' }],
    ['/events/{round}', { eventId: '{round}' }],
    ['/events/DEMO-1013/score', { eventId: 'DEMO-1013' }],
    ['/events/DEMO-1006/markets/DEMO-1006-1', { marketId: MARKET }],
    ['/markets/DEMO-1006-1', { marketId: MARKET, provider: 'polymarket' }],
    ['/markets/{forecast}', { marketId: '{forecast}', provider: 'bisonfi' }],
    ['/orders/{order}', { pubkey: '{order}', status: 'pending' }],
    ['/orders/status/{order}', { latestEventType: 'order_created' }],
    ['/positions/{position}', { marketId: MARKET }],
    ['/positions/{holding}', { marketId: '{forecast}' }],
    ['/trading-status', { trading_active: true }],
    ['/vault-info', { vaultBalance: expect.stringMatching(/^[1-9]/) }],
    ['/orderbook/DEMO-1006-1', { yes: expect.arrayContaining([expect.anything()]) }],
    ['/profiles/{trader}', { totalVolumeUsd: expect.stringMatching(/^[1-9]/) }],
  ])('tell of one thing: %s', async (path, named) => {
    const { status, json } = await sluice.ask(`/prediction/v1${fill(path)}`);
    expect(status, JSON.stringify(json)).toBe(200);
    for (const [name, value] of Object.entries(named)) {
      expect(json[name]).toEqual(typeof value === 'string' ? fill(value) : value);
    }
  });

  it('tell how a chance and a profit went', async () => {
    for (const marketId of [MARKET, known.forecast]) {
      await vi.waitFor(async () => {
        const { json } = await sluice.ask(`/prediction/v1/forecast?marketId=${marketId}`);
        expect(json.forecast_history.length, marketId).toBeGreaterThan(0);
      });
    }
    const { json } = await sluice.ask(`/prediction/v1/profiles/${trader.address}/pnl-history?count=4`);
    expect(json.history).toHaveLength(4);
  });

  it('make what leaves a position, and what claims one', async () => {
    const ownerPubkey = trader.address;
    const sale = await send('DELETE', `/positions/${known.position}`, { ownerPubkey });
    expect(sale.order).toMatchObject({ positionPubkey: known.position, isBuy: false });
    const { data } = await send('DELETE', '/positions', { ownerPubkey, minSellPriceSlippageBps: 2_500 });
    expect(data.map(({ order }: Json) => order.positionPubkey).sort()).toEqual(
      [known.position, known.holding].sort(),
    );
    await sluice.admin('POST', `prediction-markets/${MARKET}/resolve`, { result: 'yes' });
    const claim = await vi.waitFor(() => send('POST', `/positions/${known.position}/claim`, { ownerPubkey }));
    expect(claim.position).toMatchObject({ positionPubkey: known.position });
    expect((await execute(claim)).status).toBe('Success');
  });

  /** Trades on both kinds of market, and leaves an order in a book. */
  beforeAll(async () => {
    trader = await sluice.newWallet(1_000_000_000n, { [USDC]: 100_000_000n });
    const buy = { ownerPubkey: trader.address, isYes: true, isBuy: true, depositAmount: '10000000' };
    const bought = await send('POST', '/orders', { ...buy, marketId: MARKET });
    await execute(bought);
    const resting = await send('POST', '/orders', { ...buy, marketId: MARKET, maxBuyPriceUsd: '100000' });
    await execute(resting);
    const { eventId, markets } = await openEvenRound(sluice);
    const marketId = markets[0]?.marketId ?? '';
    const forecast = await send('POST', '/orders', { ...buy, marketId });
    await execute(forecast);
    known.trader = trader.address;
    known.position = bought.order.positionPubkey;
    known.order = resting.order.orderPubkey;
    known.holding = forecast.order.positionPubkey;
    known.forecast = marketId;
    known.round = eventId;
    await vi.waitFor(async () => {
      const { json } = await sluice.ask(`/prediction/v1/history?ownerPubkey=${trader.address}`);
      const fills = json.data.filter(({ eventType }: Json) => eventType === 'order_filled');
      expect(fills).toHaveLength(2);
    });
  });

  /** Puts what is known in the places of a path that name it. */
  function fill(path: string): string {
    return path.replace(/\{(\w+)\}/g, (_, name: keyof typeof known) => known[name]);
  }

  async function send(method: string, path: string, body: object): Promise<Json> {
    const response = await fetch(`${sluice.restUrl}/prediction/v1${path}`, {
      method,
      headers: { 'x-api-key': sluice.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const json = (await response.json()) as Json;
    expect(response.status, JSON.stringify(json)).toBe(200);
    return json;
  }

  async function execute({ transaction, execution }: Json): Promise<Json> {
    const wallet = await kit.createKeyPairSignerFromBytes(trader.secretKey);
    const unsigned = kit.getTransactionDecoder().decode(Buffer.from(transaction, 'base64'));
    const signed = await kit.partiallySignTransaction([wallet.keyPair], unsigned);
    const signedTransaction = kit.getBase64EncodedWireTransaction(signed);
    const done = await send('POST', '/execute', { signedTransaction, context: execution.context });
    expect(done.error).toBeNull();
    return done;
  }
});
