import { randomUUID } from 'node:crypto';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { toOrderResponse } from '../src/products/swap/endpoints/order.ts';
import { parseOrderRequest } from '../src/products/swap/endpoints/order-parameters.ts';
import { composeTestSwap } from '../src/testing/genesis-market/compose.ts';
import type { ComposedSwap } from '../src/products/swap/order/swap-services.ts';
import { orderSwap } from '../src/products/swap/order/order.ts';
import { price as priceProduct } from '../src/products/price/index.ts';
import { type Address, toAddress } from '../src/solana/address.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../src/solana/messages/transaction.ts';
import { WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { PoolPrices } from '../src/market/prices/pool-prices.ts';
import { openTestStore } from '../src/testing/store/test-store.ts';
import type { UnvaluedTrade } from '../src/market-data/feed/trade-feed.ts';
import { LiveMarketData } from '../src/market-data/live-market-data.ts';
import { TradeStats } from '../src/market-data/stats/trade-stats.ts';
import { executeUnrefused } from '../src/testing/genesis-market/swap.ts';
import { USDC } from '../src/testing/genesis-market/makers.ts';
import { openKeyedGateway } from './keyed-gateway.ts';
import { latencyRow } from './latency.ts';
import { type EmbeddedMarket, openEmbeddedMarket } from './market/embedded-market.ts';
import { marketDataCostRow } from './market/market-data-cost.ts';
import { openPlainLoad } from './plain-load.ts';
import type { Row } from './row.ts';

export const title = 'Prices and trades';

const IDS = 50;
const CONNECTIONS = 16;
const ROUNDS = 8;
const REQUESTS = 4_000;
const MIN_SHARE = 0.5;
const TRADES = 200_000;
const TRADERS = 5_000;
const MIN_TRADES_PER_SECOND = 20_000;
const TOKENS = 500_000;
const MAX_BYTES = 1.5e9;
const SWAPS = 120;
const SLOT_MS = 100;
const MAX_SEEN_MS = 500;
/** The values that `sluice start` uses. */
const BOUNDS = { maxTokens: TOKENS, maxWalletMinutes: 4_000_000, maxBots: 200_000 };

export async function run(): Promise<readonly Row[]> {
  const stored = await openTestStore('sqlite');
  const unpriced = await openEmbeddedMarket(SLOT_MS);
  const { pools } = unpriced.market;
  const marketData = await LiveMarketData.open({
    chain: unpriced.chain,
    pools,
    venues: VENUES,
    fillPrograms: {},
    store: stored.store,
    timers: SYSTEM_TIMERS,
    onDefect: (where, error) => {
      throw new Error(`${where}: ${String(error)}`);
    },
    ...BOUNDS,
  });
  const prices = new PoolPrices(pools, (mint) => marketData.dollarsPerAtom(mint));
  const market = { ...unpriced, market: { ...unpriced.market, prices } };
  const unfollowed = await openEmbeddedMarket(SLOT_MS);
  try {
    return [
      await shareRow(market, marketData),
      await seenRow(market, marketData),
      await marketDataCostRow(market, unfollowed),
      takenRow(market, marketData),
      memoryRow(),
    ];
  } finally {
    await marketData.close();
    await Promise.all([market.close(), unfollowed.close()]);
    await stored.cleanUp();
  }
}

/**
 * Alternates requests for 50 prices and for a stored body of the same bytes on one gateway. The network runs in the
 * meantime, so answers are computed again in each slot.
 */
async function shareRow({ chain, market }: EmbeddedMarket, marketData: LiveMarketData): Promise<Row> {
  const running = await priceProduct.open({ market: { chain, pools: market.pools }, marketData });
  const traded = new Set([...market.pools.all()].flatMap(({ pool }) => pool.mints));
  const mints = [...traded].filter((mint) => marketData.price(mint) !== null).slice(0, IDS);
  let body = Buffer.alloc(0);
  const gateway = await openKeyedGateway([running], (app) => {
    app.get('/stored', (_, reply) => reply.header('content-type', 'application/json').send(body));
  });
  try {
    const url = `${gateway.url}/price/v3?ids=${mints.join(',')}`;
    const headers = { 'x-api-key': gateway.key };
    body = Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
    const to = { key: gateway.key, connections: CONNECTIONS };
    const loads = {
      // Prices change, so only the end of each answer is compared.
      prices: await openPlainLoad({ ...to, url, body: { endsWith: '}}' } }),
      stored: await openPlainLoad({ ...to, url: `${gateway.url}/stored`, body: { endsWith: '}}' } }),
    };
    const best = { prices: 0, stored: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      for (const which of ['prices', 'stored'] as const) {
        const begin = performance.now();
        await loads[which].send(REQUESTS);
        best[which] = Math.max(best[which], REQUESTS / (performance.now() - begin));
      }
    }
    for (const load of Object.values(loads)) load.close();
    const share = best.prices / best.stored;
    return {
      what: `\`/price/v3\` with ${mints.length} ids, ${CONNECTIONS} connections, answers per second`,
      measured: `${share.toFixed(2)} of ${Math.round(best.stored * 1_000)}`,
      against: `a stored body of the same ${(body.length / 1_000).toFixed(1)} kB`,
      atLeast: String(MIN_SHARE),
      ok: share >= MIN_SHARE,
    };
  } finally {
    await gateway.close();
    await running.close();
  }
}

/**
 * Measures the time from handing a signed swap to the network, with slots of 100 ms, until its trade is in prices and
 * statistics.
 */
async function seenRow(market: EmbeddedMarket, marketData: LiveMarketData): Promise<Row> {
  const composed = composeTestSwap(market.market, {
    venueLabels: {},
    timers: SYSTEM_TIMERS,
    newRequestId: randomUUID,
    onDefect: (where, error) => {
      throw new Error(`${where}: ${String(error)}`);
    },
  });
  const [wallet] = market.genesis.keys.demoWallets;
  if (wallet === undefined) throw new Error('the genesis has no demo wallet');
  const times: number[] = [];
  for (let done = 0; done < SWAPS; done++) times.push(await timeToSee(composed, marketData, wallet, done));
  times.sort((one, other) => one - other);
  return latencyRow(
    `a swap is sent until its trade is in prices and statistics, slots of ${SLOT_MS} ms`,
    times,
    MAX_SEEN_MS,
    MAX_SEEN_MS,
  );
}

async function timeToSee(
  composed: ComposedSwap,
  marketData: LiveMarketData,
  wallet: Keypair,
  index: number,
): Promise<number> {
  const mints = { inputMint: WRAPPED_SOL_MINT, outputMint: USDC.mint };
  const query = { taker: wallet.address, ...mints, amount: String(10_000_000 + index) };
  const request = parseOrderRequest(query, []);
  const { transaction, requestId } = toOrderResponse(
    composed.prices,
    await orderSwap(composed, request, {
      requestId: randomUUID(),
      caller: { kind: 'organisation', id: 'bench' },
    }),
  );
  const signed = addSignatures(parseTransaction(Buffer.from(transaction ?? '', 'base64')), [wallet]);
  let seenAt = 0;
  const stop = marketData.onTrade(({ trader }) => {
    if (trader === wallet.address && seenAt === 0) seenAt = performance.now();
  });
  const begin = performance.now();
  await executeUnrefused(composed, { signedTransaction: Buffer.from(signed).toString('base64'), requestId });
  stop();
  if (seenAt === 0) throw new Error('a swap was confirmed and not seen');
  return seenAt - begin;
}

/** Trades of all tokens of the genesis by many wallets, each valued, considered as a price, and counted. */
function takenRow({ market }: EmbeddedMarket, marketData: LiveMarketData): Row {
  const handles = [...market.pools.all()];
  const traders = Array.from({ length: TRADERS }, (_, index) => numbered(1, index));
  const time = Number(market.chain.clock().unixTimestamp);
  const tradeAt = (index: number): UnvaluedTrade => {
    const { pool, venue } = handles[index % handles.length] ?? {};
    const [one, other] = pool?.mints ?? [];
    if (pool === undefined || one === undefined || other === undefined) throw new Error('there is no pool');
    const [paid, received] = index % 2 === 0 ? [one, other] : [other, one];
    return {
      pool: pool.address,
      venue: venue?.label ?? '',
      paid: { mint: paid, amount: 1_000_000n + BigInt(index % 1_000) },
      received: { mint: received, amount: 1_000_000n },
      trader: traders[index % TRADERS] ?? null,
      signature: null,
      slot: market.chain.slot('processed'),
      time,
      isRoundTrip: false,
      isSandwich: false,
    };
  };
  const trades = Array.from({ length: TRADES }, (_, index) => tradeAt(index));
  const begin = performance.now();
  for (const trade of trades) marketData.addTrade(trade);
  for (const mint of marketData.mints()) {
    marketData.price(mint);
    marketData.stats(mint, '24h');
  }
  const perSecond = (TRADES / (performance.now() - begin)) * 1_000;
  return {
    what: 'trades taken in per second, all figures current',
    measured: Math.round(perSecond).toLocaleString('en'),
    atLeast: MIN_TRADES_PER_SECOND.toLocaleString('en'),
    ok: perSecond >= MIN_TRADES_PER_SECOND,
  };
}

/** Every token has a price in each of two minutes and was bought and sold; older bars are in the store. */
function memoryRow(): Row {
  const start = 1_790_000_040;
  let now = start;
  const before = process.memoryUsage().heapUsed;
  const stats = new TradeStats({ ...BOUNDS, now: () => now });
  const dollar = numbered(2, 0);
  const trader = numbered(3, 0);
  for (let minute = 0; minute < 2; minute++) {
    now = start + 60 * minute;
    for (let index = 0; index < TOKENS - 1; index++) {
      const mint = numbered(4, index);
      stats.setPrice(mint, 1, 1_000, { slot: 1n, time: now });
      const [paid, received] = minute === 0 ? [dollar, mint] : [mint, dollar];
      stats.add({
        pool: mint,
        venue: 'bench',
        paid: { mint: paid, amount: 1n },
        received: { mint: received, amount: 1n },
        dollars: 1,
        trader,
        signature: null,
        slot: 1n,
        time: now,
        isRoundTrip: false,
        isSandwich: false,
      });
    }
  }
  const bytes = process.memoryUsage().heapUsed - before;
  if ([...stats.mints()].length < TOKENS) throw new Error('tokens were forgotten');
  return {
    what: `memory for ${TOKENS.toLocaleString('en')} tokens with bars of two minutes and trades`,
    measured: `${(bytes / 1e9).toFixed(2)} GB`,
    atLeast: `at most ${MAX_BYTES / 1e9} GB`,
    ok: bytes <= MAX_BYTES,
  };
}

function numbered(kind: number, index: number): Address {
  const bytes = new Uint8Array(32).fill(kind);
  new DataView(bytes.buffer).setUint32(0, index);
  return toAddress(bytes);
}
