import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualTimers } from '../testing/timers.ts';
import type { TimeRange } from '../chain/reported-transactions.ts';
import { DOLLARS } from '../market/prices/prices.ts';
import type { Address } from '../solana/address.ts';
import { TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT as SOL } from '../solana/program-addresses.ts';
import { ExtensionType } from '../solana/programs/token/extensions.ts';
import { encodeMint } from '../solana/programs/token/mint.ts';
import { openTestStore } from '../testing/store/test-store.ts';
import { LiveMarketData } from './live-market-data.ts';
import { numbered, PricedTestMarket } from '../testing/market-data/priced-market.ts';
import { openForEach } from '../testing/opened.ts';

let market: PricedTestMarket;
let marketData: LiveMarketData;
let timers: ManualTimers;
let unixTimestamp: bigint;
/** Whether transactions are reported now. */
let isFollowing: boolean;
/** Returns whether no transaction of a time is missing. */
let isComplete: (range: TimeRange) => boolean;
const stored = openForEach(() => openTestStore('sqlite'), 'cleanUp');
beforeEach(setUp);
afterEach(tearDown);

describe('statistics of a window', () => {
  beforeEach(setUpEach);

  it('have a change of the volume if the window before is known too', () => {
    expect(marketData.stats(SOL, '5m')).toMatchObject({ numBuys: 1, volumeChange: expect.closeTo(0, 6) });
  });

  it('have none if transactions of the window before are missing', () => {
    isComplete = ({ from }) => from > START + 300;
    expect(marketData.stats(SOL, '5m')).toMatchObject({ numBuys: 1, volumeChange: null });
  });

  it('are none if transactions of the window are missing', () => {
    isComplete = ({ to }) => to < START + 600;
    expect(marketData.stats(SOL, '5m')).toBeNull();
  });

  const START = 1_800_000_000;

  function setUpEach(): void {
    for (const passed of [0n, 300n, 600n]) {
      unixTimestamp = BigInt(START) + passed;
      marketData.addTrade({
        pool: SOL_POOL,
        venue: 'test',
        paid: { mint: USDC, amount: 1_000_000_000n },
        received: { mint: SOL, amount: 10_000_000_000n },
        trader: numbered(9),
        signature: null,
        slot: 1n,
        time: Number(unixTimestamp),
        isRoundTrip: false,
        isSandwich: null,
      });
    }
    unixTimestamp += 60n;
  }
});

describe('a token whose issuer has chosen a multiplier that no price survives', () => {
  it('has no price', async () => {
    const scaled = new DataView(new ArrayBuffer(56));
    for (const offset of [32, 48]) scaled.setFloat64(offset, Number.MIN_VALUE, true);
    const extensions = [{ type: ExtensionType.SCALED_UI_AMOUNT, data: new Uint8Array(scaled.buffer) }];
    const plain = { mintAuthority: null, supply: 0n, decimals: 6, freezeAuthority: null };
    const data = encodeMint({ ...plain, extensions });
    const { account } = market.pools;
    Object.assign(market.pools, {
      account: (mint: Address) =>
        mint === TOKEN
          ? { lamports: 1n, owner: TOKEN_2022_PROGRAM, executable: false, data, rentEpoch: 0n }
          : account(mint),
    });
    expect(marketData.price(TOKEN)).toBeNull();
    setSolPrice(110);
    timers.advance(TICK_MS);
    const now = Number(unixTimestamp);
    const candles = await marketData.candles(TOKEN, 60, { from: now - 60, to: now });
    expect(candles.filter(({ high }) => high === Number.POSITIVE_INFINITY || high === 0)).toEqual([]);
  });
});

describe('a token that is priced by another one, of which only the price changes', () => {
  it('has the new price at once, and a candle with it', async () => {
    expect(marketData.price(TOKEN)?.usdPrice).toBeCloseTo(2, 6);
    setSolPrice(110);
    expect(marketData.price(TOKEN)?.usdPrice).toBeCloseTo(2.2, 6);
    const now = Number(unixTimestamp);
    const [candle] = await marketData.candles(TOKEN, 60, { from: now - 60, to: now });
    expect(candle?.open).toBeCloseTo(2, 6);
    expect(candle?.close).toBeCloseTo(2.2, 6);
  });

  it('has a change of 24 hours that belongs to its price', () => {
    expect(marketData.price(TOKEN)?.priceChange24h).toBeNull();
    unixTimestamp += 90_000n;
    setSolPrice(110);
    expect(marketData.price(TOKEN)).toMatchObject({
      usdPrice: expect.closeTo(2.2, 6),
      priceChange24h: expect.closeTo(10, 6),
    });
    // Further away, too: SOL has moved, and nobody asked in between.
    setSolPrice(120);
    expect(marketData.price(TOKEN)?.priceChange24h).toBeCloseTo(20, 6);
  });

  it('has the same price without its figures', () => {
    setSolPrice(110);
    const { usdPrice, dollarsPerAtom, decimals } = marketData.price(TOKEN) ?? {};
    expect(marketData.plainPrice(TOKEN)).toEqual({ usdPrice, dollarsPerAtom, decimals });
    expect(marketData.plainPrice(numbered(99))).toBeNull();
  });

  it('is announced to those who watch it, once for each change', () => {
    const told: (number | undefined)[] = [];
    const stop = marketData.watch([TOKEN], () => told.push(marketData.price(TOKEN)?.usdPrice));
    timers.advance(TICK_MS);
    expect(told).toEqual([]);
    for (const dollars of [110, 120]) {
      setSolPrice(dollars);
      timers.advance(TICK_MS);
      timers.advance(TICK_MS);
    }
    expect(told).toEqual([expect.closeTo(2.2, 6), expect.closeTo(2.4, 6)]);
    stop();
    setSolPrice(130);
    timers.advance(TICK_MS);
    expect(told).toHaveLength(2);
  });
});

const [USDC] = DOLLARS as [(typeof DOLLARS)[number]];
const [TOKEN, SOL_POOL, TOKEN_POOL] = [numbered(1), numbered(2), numbered(3)];
/** Longer than the pause between two looks at prices. */
const TICK_MS = 1_000;

async function setUp(): Promise<void> {
  isComplete = () => true;
  isFollowing = true;
  market = new PricedTestMarket();
  timers = new ManualTimers();
  unixTimestamp = 1_800_000_000n;
  market.pool(SOL_POOL, [SOL, USDC], [100_000, 10_000_000]);
  market.pool(TOKEN_POOL, [TOKEN, SOL], [1_000_000, 20_000]);
  marketData = await LiveMarketData.open({
    chain: {
      genesisHash: 'a network',
      slot: () => 1n,
      clock: () => ({ slot: 1n, unixTimestamp }) as never,
      getAccounts: async () => [],
      reported: {
        watch: () => () => undefined,
        isFollowing: () => isFollowing,
        isComplete: (range) => isComplete(range),
        resume: () => undefined,
        lastPassedOn: () => null,
      },
    },
    store: stored.store,
    pools: market.pools,
    venues: [],
    fillPrograms: {},
    timers,
    onDefect: (where, error) => {
      throw new Error(`${where}: ${String(error)}`);
    },
    maxTokens: 100,
    maxWalletMinutes: 1_000,
    maxBots: 10,
  });
}

async function tearDown(): Promise<void> {
  await marketData.close();
}

/** Moves the price of SOL by changing its pool against USDC alone. */
function setSolPrice(dollars: number): void {
  market.pool(SOL_POOL, [SOL, USDC], [100_000, 100_000 * dollars]);
}
