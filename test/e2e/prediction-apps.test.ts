import { describe, expect, it, vi } from 'vitest';
import { AppError, PredictionApp } from './prediction-app.ts';
import { useInstance } from './shared-instance.ts';

// The flows of the published sample applications for prediction markets, page by page.

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const JUPUSD = 'JuprjznTrTSp2UFa3ZBUFgwdAmtZCq4MQCwysN55USD';
const FUNDS = { [USDC]: 100_000_000n, [JUPUSD]: 100_000_000n };
const PAGE = 5;

describe('a sample application for prediction markets', () => {
  const sluice = useInstance();

  it('shows events in pages, by what its filters send, and those that it searches for or is suggested', async () => {
    const app = await PredictionApp.open(sluice, {});
    const titles: string[] = [];
    // It goes by the figures at the root of the answer.
    for (let [start, total] = [0, 1]; start < total; start += PAGE) {
      const page = await app.ask(`/events?includeMarkets=true&start=${start}&end=${start + PAGE}`);
      total = page.total;
      expect(page.end).toBe(Math.min(start + PAGE, total));
      for (const { metadata, markets } of page.data) {
        titles.push(metadata.title);
        for (const market of markets) expect(market.metadata.title).toBe(market.title);
      }
    }
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.length).toBeGreaterThan(2 * PAGE);
    for (const category of ['crypto', 'sports', 'politics', 'esports', 'culture', 'economics', 'tech']) {
      expect(
        Array.isArray(await app.list(`/events?category=${category}&sortBy=volume&sortDirection=asc`)),
      ).toBe(true);
    }
    for (const filter of ['new', 'live', 'trending']) {
      const events = await app.list(
        `/events?filter=${filter}&sortBy=beginAt&sortDirection=desc&includeMarkets=true`,
      );
      expect(Array.isArray(events)).toBe(true);
    }
    const [word = ''] = titles[0]?.split(' ').filter((each) => each.length > 3) ?? [];
    const found = await app.ask(`/events/search?query=${word}&start=0&end=20&includeMarkets=true`);
    expect(found.data.map(({ metadata }: { metadata: { title: string } }) => metadata.title)).toContain(
      titles[0],
    );
    expect(found.pagination).toMatchObject({ total: found.data.length, hasNext: false });
    expect((await app.list(`/events/suggested/${app.owner}`)).length).toBeGreaterThan(0);
    expect(await app.ask('/trading-status')).toEqual({ trading_active: true });
  });

  it('shows a market with its prices, rules and order book', async () => {
    const app = await PredictionApp.open(sluice, {});
    const [event] = await app.list('/events?includeMarkets=true&category=politics');
    const [{ marketId }] = event.markets;
    const market = await app.ask(`/markets/${marketId}`);
    expect(market.metadata).toMatchObject({ isTradable: true, rulesPrimary: market.rulesPrimary });
    expect(market.pricing.buyYesPriceUsd + market.pricing.buyNoPriceUsd).toBeGreaterThan(1_000_000);
    const book = await app.ask(`/orderbook/${marketId}`);
    for (const [price, size] of [...book.yes, ...book.no]) {
      expect([Number.isInteger(price), size > 0]).toEqual([true, true]);
    }
    const markets = await app.list(`/events/${event.eventId}/markets`);
    expect(markets.map((each: { marketId: string }) => each.marketId)).toContain(marketId);
    expect((await app.ask(`/events/${event.eventId}?includeMarkets=true`)).markets).toHaveLength(
      markets.length,
    );
    // It asks without naming a market, and shows nothing then.
    await expect(app.ask('/forecast')).rejects.toMatchObject({ status: 400 });
  });

  it('buys with a number as the deposit, follows the order, and closes one position and then all', async () => {
    const app = await PredictionApp.open(sluice, FUNDS);
    const [first, second] = await openMarkets(2);
    // One application leaves the mint out, and the other one names it and sends texts and a preflight.
    await buy(app, { marketId: first, isYes: true, depositAmount: 7 * 1_000_000 });
    await buy(app, { marketId: first, isYes: false, depositAmount: '6000000', depositMint: JUPUSD }, false);
    await buy(app, { marketId: second, isYes: true, depositAmount: '6000000', depositMint: USDC }, false);
    const positions = await app.list(`/positions?ownerPubkey=${app.owner}`);
    expect(positions).toHaveLength(3);
    for (const { marketMetadata, eventMetadata, valueUsd, pnlUsd, contracts } of positions) {
      expect([marketMetadata.status, typeof eventMetadata.title]).toEqual(['open', 'string']);
      expect([Number(valueUsd) > 0, Number.isFinite(Number(pnlUsd)), Number(contracts) > 0]).toEqual([
        true,
        true,
        true,
      ]);
    }
    const [{ pubkey }] = positions;
    expect(await app.ask(`/positions/${pubkey}`)).toMatchObject({ pubkey, claimable: false });
    const owned = { ownerPubkey: app.owner };
    await app.signAndSend(await app.ask(`/positions/${pubkey}`, 'DELETE', owned));
    await vi.waitFor(async () =>
      expect(await app.list(`/positions?ownerPubkey=${app.owner}`)).toHaveLength(2),
    );
    // It names no slippage.
    const { data } = await app.ask('/positions', 'DELETE', owned);
    expect(data).toHaveLength(2);
    for (const built of data) await app.signAndSend(built);
    await vi.waitFor(async () => expect(await app.list(`/positions?ownerPubkey=${app.owner}`)).toEqual([]));
    const history = await app.list(`/history?ownerPubkey=${app.owner}`);
    const types = new Set(history.map(({ eventType }: { eventType: string }) => eventType));
    for (const type of ['order_created', 'order_filled', 'order_closed']) expect(types).toContain(type);
  });

  it('claims what a position has won, and shows its owner in what everybody sees', async () => {
    const app = await PredictionApp.open(sluice, FUNDS);
    const [marketId = ''] = await openMarkets(1);
    await buy(app, { marketId, isYes: true, depositAmount: 20 * 1_000_000 });
    await sluice.admin('POST', `prediction-markets/${marketId}/resolve`, { result: 'yes' });
    const won = await vi.waitFor(async () => {
      const positions = await app.list(`/positions?ownerPubkey=${app.owner}`);
      const found = positions.find(
        (each: { claimable: boolean; claimed: boolean }) => each.claimable && !each.claimed,
      );
      expect(found).toBeDefined();
      return found;
    });
    await app.signAndSend(
      await app.ask(`/positions/${won.pubkey}/claim`, 'POST', { ownerPubkey: app.owner }),
    );
    const profile = await vi.waitFor(async () => {
      const answer = await app.ask(`/profiles/${app.owner}`);
      expect(answer.correctPredictions).toBe('1');
      return answer;
    });
    expect(Number(profile.realizedPnlUsd)).toBeGreaterThan(0);
    const { history: chart } = await app.ask(`/profiles/${app.owner}/pnl-history?interval=1w&count=30`);
    expect(chart).toHaveLength(30);
    const { summary } = await vi.waitFor(async () => {
      const answer = await app.ask('/leaderboards?period=all_time&metric=pnl');
      const own = answer.data.find((each: { ownerPubkey: string }) => each.ownerPubkey === app.owner);
      expect(own?.realizedPnlUsd).toBe(profile.realizedPnlUsd);
      return answer;
    });
    expect(Number(summary.all_time.totalVolumeUsd)).toBeGreaterThan(0);
    const trades = await app.list('/trades');
    expect(trades.some((each: { ownerPubkey: string }) => each.ownerPubkey === app.owner)).toBe(true);
    // One application adds up this text as a number.
    expect(Number((await app.ask('/vault-info')).vaultBalance)).toBeGreaterThan(0);
  });

  it('shows the message of a refusal', async () => {
    const app = await PredictionApp.open(sluice, FUNDS);
    const [marketId = ''] = await openMarkets(1);
    // The guide's deposit of 2 USD is below the minimum.
    const small = { ownerPubkey: app.owner, marketId, isYes: true, isBuy: true, depositAmount: '2000000' };
    await expect(app.ask('/orders', 'POST', small)).rejects.toThrow(new AppError(400, 'Minimum order is $5'));
    await expect(app.ask(`/positions/${app.owner}`)).rejects.toThrow('Position not found');
  });

  it('may ask from a page, with its key, and with DELETE', async () => {
    const response = await fetch(`${sluice.restUrl}/prediction/v1/positions`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:3000',
        'access-control-request-method': 'DELETE',
        'access-control-request-headers': 'content-type,x-api-key',
      },
    });
    expect(response.ok).toBe(true);
    expect(response.headers.get('access-control-allow-methods')).toContain('DELETE');
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase();
    expect(allowed).toContain('x-api-key');
    expect(allowed).toContain('content-type');
  });

  /** Creates an event as the operator, and returns the ids of its markets. */
  async function openMarkets(count: number): Promise<readonly string[]> {
    const house = { startCents: 40, contractsPerCent: 100 };
    const { markets } = await sluice.admin('POST', 'prediction-events', {
      title: 'Which of them is it?',
      category: 'culture',
      closeAt: '1d',
      markets: Array.from({ length: count }, (_, index) => ({ title: `Number ${index + 1}`, house })),
    });
    return markets.map(({ marketId }: { marketId: string }) => marketId);
  }

  /** Buys contracts as the panel of a market does, and asks for the status until the order is over. */
  async function buy(app: PredictionApp, order: object, skipPreflight = true): Promise<void> {
    const built = await app.ask('/orders', 'POST', { ...order, isBuy: true, ownerPubkey: app.owner });
    await app.signAndSend(built, skipPreflight);
    const { orderPubkey } = built.order;
    await vi.waitFor(async () => {
      const { latestEventType } = await app.ask(`/orders/status/${orderPubkey}`);
      expect(latestEventType).toBe('order_closed');
    });
    expect((await app.list(`/orders?ownerPubkey=${app.owner}`)).length).toBe(0);
  }
});
