import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { createUnaccountedWork } from '../../common/work/work.ts';
import type { MarketData, TokenPrice } from '../../market-data/market-data.ts';
import type { Bar } from '../../market-data/series/bars.ts';
import type { Trade } from '../../market-data/trades/trade.ts';
import { EventStream, type StreamEvent } from '../endpoint.ts';
import { createPriceAnswers } from './endpoints/answers.ts';
import { candles } from './endpoints/candles.ts';
import { priceStream } from './endpoints/price-stream.ts';
import { prices } from './endpoints/prices.ts';
import { type PriceV2Json, pricesV2 } from './endpoints/prices-v2.ts';
import type { PriceServices } from './endpoints/services.ts';

describe('GET /price/v3', () => {
  it('answers each mint once, and leaves out what has no price', () => {
    const { v3 } = opened();
    expect(v3(`${TOKEN}, ${UNKNOWN},${TOKEN},,not-a-mint`)).toEqual({
      [TOKEN]: {
        createdAt: '2024-06-05T08:55:25.527Z',
        liquidity: 1_000,
        usdPrice: 2.5,
        blockId: 7,
        decimals: 6,
        priceChange24h: 1.29,
      },
    });
    expect(v3(UNKNOWN)).toEqual({});
  });

  it('follows a price at once, however often it was asked for before', () => {
    const { v3, marketData } = opened();
    for (const usdPrice of [3, 4, 5]) {
      marketData.set(TOKEN, usdPrice);
      expect(v3(TOKEN)[TOKEN].usdPrice).toBe(usdPrice);
      expect(v3(TOKEN)[TOKEN].usdPrice).toBe(usdPrice);
    }
  });

  it('gives the price before scaling of tokens whose displayed amounts are scaled', () => {
    const { v3, marketData } = opened();
    const scaled = { multiplier: 1.25, newMultiplier: 1.5, newMultiplierEffectiveAt: 0 };
    marketData.set(SCALED, 8, { scaled, multiplier: 1.5, createdAt: NOW, slot: null });
    expect(v3(SCALED)[SCALED]).toMatchObject({
      usdPrice: 8,
      blockId: null,
      createdAt: new Date(NOW * 1_000).toISOString(),
      scaledUiConfig: { multiplier: 1.25, newMultiplier: 1.5, usdPricePrescaled: 12 },
    });
  });

  it('refuses no mint, and more than 50', () => {
    const { v3 } = opened();
    const many = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`).join();
    expect(() => v3(' , ')).toThrow('ids must hold at least one mint');
    expect(() => v3(many(51))).toThrow('ids may hold at most 50 mints, got 51');
    expect(v3(many(50))).toEqual({});
  });
});

describe('GET /price/v2', () => {
  it('gives prices as texts, in dollars or in units of a token, and null without one', async () => {
    const { services, request, marketData } = opened();
    marketData.set(DOLLAR, 0.5);
    const ask = (query: Record<string, string>) =>
      pricesV2.handle(services, request(query)) as Promise<object>;
    expect(await ask({ ids: `${TOKEN},${UNKNOWN}` })).toEqual({
      data: { [TOKEN]: { id: TOKEN, type: 'derivedPrice', price: '2.5' }, [UNKNOWN]: null },
      timeTaken: 0,
    });
    expect(await ask({ ids: TOKEN, vsToken: DOLLAR })).toMatchObject({ data: { [TOKEN]: { price: '5' } } });
    await expect(ask({ ids: TOKEN, vsToken: UNKNOWN })).rejects.toThrow(
      'vsToken must be a mint that has a price',
    );
  });

  it('gives the price of a token with absurd decimals without an exponent', async () => {
    const { services, request, marketData } = opened();
    marketData.set(TOKEN, 1e250);
    const { data } = (await pricesV2.handle(services, request({ ids: TOKEN }))) as {
      data: Record<string, PriceV2Json>;
    };
    expect(data[TOKEN]?.price).toMatch(/^[0-9]{250,251}$/);
    expect(Number(data[TOKEN]?.price)).toBe(1e250);
  });
});

describe('GET /price/v2 with showExtraInfo', () => {
  it('adds extra information when it is true, for at most ten mints and without vsToken', async () => {
    const { services, request } = opened();
    const ask = (query: Record<string, string>) =>
      pricesV2.handle(services, request(query)) as Promise<object>;
    expect(await ask({ ids: `${TOKEN},${UNKNOWN}`, showExtraInfo: 'true' })).toMatchObject({
      data: { [TOKEN]: { extraInfo: { lastSwappedPrice: { lastJupiterBuyAt: null } } }, [UNKNOWN]: null },
    });
    expect(JSON.stringify(await ask({ ids: TOKEN, showExtraInfo: 'false' }))).not.toContain('extraInfo');
    await expect(ask({ ids: TOKEN, showExtraInfo: 'yes' })).rejects.toThrow(
      'showExtraInfo must be true or false',
    );
    await expect(ask({ ids: TOKEN, showExtraInfo: 'true', vsToken: TOKEN })).rejects.toThrow(
      'vsToken excludes',
    );
    await expect(ask({ ids: many(11), showExtraInfo: 'true' })).rejects.toThrow('at most 10 mints');
    expect(await ask({ ids: many(100) })).toMatchObject({ timeTaken: 0 });
    await expect(ask({ ids: many(101) })).rejects.toThrow('at most 100 mints');
  });

  const many = (count: number) => Array.from({ length: count }, (_, at) => address(at + 100)).join();
});

describe('GET /price/v3/candles', () => {
  it('asks for the last hundred candles unless the request says otherwise', async () => {
    const { services, request, marketData } = opened();
    await candles.handle(services, request({ mint: TOKEN, interval: '5m' }));
    await candles.handle(services, request({ mint: TOKEN, interval: '1d', from: '100', to: '500' }));
    expect(marketData.asked).toEqual([
      { seconds: 300, range: { from: NOW - 30_000, to: NOW } },
      { seconds: 86_400, range: { from: 100, to: 500 } },
    ]);
  });

  it('leaves out the figures of trades where the network does not tell of them', async () => {
    const { services, request, marketData } = opened();
    const price = { open: 2, high: 3, low: 1, close: 2 };
    const trades = { buyVolume: 5, sellVolume: 7, buys: 1, sells: 2 };
    marketData.bars = [{ start: 60, ...price, ...trades, liquidity: 9, slot: 1n }];
    const ask = async () => {
      const answer = await candles.handle(services, request({ mint: TOKEN, interval: '1m' }));
      return (JSON.parse(String(answer)) as { candles: unknown }).candles;
    };
    const known = { time: 60, ...price, liquidity: 9 };
    expect(await ask()).toEqual([{ ...known, volume: 12, buyVolume: 5, sellVolume: 7, trades: 3 }]);
    marketData.isFollowed = false;
    marketData.minBuyVolume = 4;
    expect(await ask()).toMatchObject([{ minBuyVolume: 4, minSellVolume: 0 }]);
    marketData.minBuyVolume = 0;
    expect(await ask()).toEqual([known]);
  });

  it.each([
    [{ mint: 'no', interval: '1m' }, 'mint must be an address'],
    [{ mint: TOKEN, interval: '2m' }, 'interval must be one of 1m, 5m, 15m, 1h, 4h, 1d, got'],
    [{ mint: TOKEN, interval: '1m', from: 'x' }, 'from must be a time in whole Unix seconds'],
    [{ mint: TOKEN, interval: '1h', from: '9', to: '8' }, 'from must not be after to, got 9 and 8'],
    [{ mint: TOKEN, interval: '1h', from: '0' }, 'at most 1000 intervals apart'],
    [{ mint: TOKEN, interval: '1m', from: '0', to: '600' }, 'within the last 48 hours'],
  ])('refuses %j', async (query, text) => {
    const { services, request } = opened();
    await expect(async () => candles.handle(services, request(query as never))).rejects.toThrow(text);
  });
});

describe('GET /price/v3/stream', () => {
  it('sends all prices, then those that changed, the newest only to a client that reads slowly', async () => {
    const { marketData, next } = stream();
    expect(await next()).toEqual({ name: 'prices', data: { [TOKEN]: { usdPrice: 2.5, blockId: 7 } } });
    for (const price of [3, 4, 5]) marketData.set(TOKEN, price);
    expect(await next()).toEqual({ name: 'prices', data: { [TOKEN]: { usdPrice: 5, blockId: 7 } } });
    const waiting = next();
    marketData.set(TOKEN, 5);
    marketData.set(DOLLAR, 1);
    expect(await waiting).toEqual({ name: 'prices', data: { [DOLLAR]: { usdPrice: 1, blockId: 7 } } });
  });

  it('sends each trade once, and says how many a slow client missed', async () => {
    const { marketData, next } = stream();
    await next();
    for (let slot = 1n; slot <= 1_003n; slot++) marketData.trade(slot);
    expect(await next()).toEqual({ name: 'missed', data: { trades: 3 } });
    for (let slot = 4; slot <= 1_003; slot++) {
      expect(await next()).toMatchObject({ name: 'trade', data: { blockId: slot, inputAmount: '5' } });
    }
  });

  it('ends when the client leaves, and watches nothing then', async () => {
    const { marketData, leave, events, next } = stream();
    await next();
    const waiting = events.next();
    expect(marketData.watchers).toBe(1);
    leave.abort();
    expect((await waiting).done).toBe(true);
    expect(marketData.watchers).toBe(0);
  });

  function stream() {
    const { services, request, marketData } = opened();
    const answer = priceStream.handle(services, request({ ids: `${TOKEN},${DOLLAR}` }));
    if (!(answer instanceof EventStream)) throw new Error('no stream');
    const leave = new AbortController();
    const events = answer.events(leave.signal)[Symbol.asyncIterator]();
    const next = async (): Promise<StreamEvent> => (await events.next()).value;
    return { marketData, leave, events, next };
  }
});

const address = (tag: number): Address => toAddress(new Uint8Array(32).fill(tag));
const [TOKEN, SCALED, UNKNOWN, DOLLAR] = [address(1), address(2), address(3), address(4)];
const NOW = 1_800_000_000;

/** Market data that a test changes. */
class TestMarketData implements MarketData {
  version = '0';
  isFollowed = true;
  minBuyVolume = 0;
  seesTrades = () => this.isFollowed;
  poolSeenAt = () => null;
  bars: readonly Bar[] = [];
  readonly known = new Map<Address, TokenPrice>();
  readonly #watchers = new Set<(mint: Address, trade: Trade | null) => void>();
  asked: { readonly seconds: number; readonly range: { readonly from: number; readonly to: number } }[] = [];

  set(mint: Address, usdPrice: number, changes: Partial<TokenPrice> = {}): void {
    this.version += '.';
    this.known.set(mint, {
      mint,
      usdPrice,
      dollarsPerAtom: usdPrice / 1e6,
      decimals: 6,
      scaled: null,
      multiplier: 1,
      slot: 7n,
      priceChange24h: 1.29,
      liquidity: 1_000,
      createdAt: null,
      ...changes,
    });
    for (const watcher of this.#watchers) watcher(mint, null);
  }

  trade(slot: bigint): void {
    const trade: Trade = {
      pool: address(9),
      venue: 'Whirlpool',
      paid: { mint: DOLLAR, amount: 5n },
      received: { mint: TOKEN, amount: 6n },
      dollars: 5,
      trader: address(8),
      signature: 'signature',
      slot,
      time: NOW,
      isRoundTrip: false,
      isSandwich: false,
    };
    for (const watcher of this.#watchers) for (const mint of [DOLLAR, TOKEN]) watcher(mint, trade);
  }

  get watchers(): number {
    return this.#watchers.size;
  }

  watch(_: readonly Address[], onChange: (mint: Address, trade: Trade | null) => void): () => void {
    this.#watchers.add(onChange);
    return () => this.#watchers.delete(onChange);
  }

  price = (mint: Address) => this.known.get(mint) ?? null;
  candles = async (_: Address, seconds: number, range: { from: number; to: number }) => {
    this.asked.push({ seconds, range });
    return this.bars.map((bar) => ({
      ...bar,
      hasAllTrades: this.isFollowed,
      minBuyVolume: this.minBuyVolume,
      minSellVolume: 0,
    }));
  };
  onTrade = () => () => undefined;
  stats = () => null;
  mints = () => [];
}

function opened() {
  const marketData = new TestMarketData();
  marketData.set(TOKEN, 2.5);
  const services: PriceServices = {
    marketData,
    answers: createPriceAnswers(marketData),
    extraInfo: () => ({ swapped: { buy: null, sell: null }, quotes: null, quotedAt: NOW }),
    clock: () => NOW,
    now: () => 0,
  };
  const request = (query: Record<string, string>) =>
    ({ query, params: {}, body: undefined, headers: {}, work: createUnaccountedWork() }) as never;
  const v3 = (ids: string) => JSON.parse(String(prices.handle(services, request({ ids }))));
  return { marketData, services, request, v3 };
}
