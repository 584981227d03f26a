import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildGenesis } from '../src/sandbox/genesis/build-genesis.ts';
import { overlayAccounts, readStandIns } from '../src/sandbox/genesis/network-accounts.ts';
import type { Chain } from '../src/chain/chain.ts';
import { computeBlockhashSlots, startTestChain } from '../src/testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import { openRpcChain } from '../src/chain/rpc/rpc-chain.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { DEFAULT_SEED } from '../src/protocol/genesis/keys.ts';
import { getProgramAuthority } from '../src/protocol/venue/aggregator-program.ts';
import { TokenLedgers } from '../src/market/aggregator/token-ledgers.ts';
import { LookupTableIndex } from '../src/market/pools/lookup-tables.ts';
import { Pools } from '../src/market/pools/pools.ts';
import { PoolPrices } from '../src/market/prices/pool-prices.ts';
import type { Prices } from '../src/market/prices/prices.ts';
import { joinProgramErrorNames } from '../src/market/program-errors.ts';
import { PROTOCOLS } from '../src/protocols/index.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { toExecuteResponse } from '../src/products/swap/endpoints/execute.ts';
import { toOrderResponse } from '../src/products/swap/endpoints/order.ts';
import { parseOrderRequest } from '../src/products/swap/endpoints/order-parameters.ts';
import { composeTestSwap } from '../src/testing/genesis-market/compose.ts';
import type { ComposedSwap } from '../src/products/swap/order/swap-services.ts';
import { orderSwap } from '../src/products/swap/order/order.ts';
import type { Address } from '../src/solana/address.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../src/solana/messages/transaction.ts';
import { WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { openTestStore, type TestStore } from '../src/testing/store/test-store.ts';
import { BarStore } from '../src/market-data/series/bar-store.ts';
import { LiveMarketData } from '../src/market-data/live-market-data.ts';
import { SLOTS_APART } from '../src/market-data/pool-trades/source-switch.ts';
import type { Trade } from '../src/market-data/trades/trade.ts';
import { TokenAccountMints } from '../src/transactions/token-account-mints.ts';
import { createFailureDescriber } from '../src/transactions/transaction-failure.ts';
import { executeUnrefused } from '../src/testing/genesis-market/swap.ts';
import { RpcProxy } from './rpc-proxy.ts';
import { now } from '../src/testing/waits.ts';

let network: EmbeddedChain;
let proxy: RpcProxy;
let rpc: Chain;
let inside: Observer;
let outside: Observer;
let composed: ComposedSwap;
let wallet: Keypair;
beforeAll(setUp);
afterAll(tearDown);

describe('trades over an outside RPC', () => {
  it('are those of the network itself, with trader, amounts and slot', async () => {
    const signatures = [await swap('1000000000'), await swap('2000000000'), await swap('3000000000')];
    for (const signature of signatures) {
      await vi.waitFor(() => {
        const own = tradesOf(inside, signature);
        expect(own.length).toBeGreaterThan(0);
        expect(tradesOf(outside, signature).map(facts)).toEqual(own.map(facts));
      }, WAIT);
      for (const trade of tradesOf(outside, signature)) {
        expect(trade).toMatchObject({ trader: wallet.address, isSandwich: null });
      }
    }
    expect(await counts(outside)).toEqual(await counts(inside));
  });

  it('does not claim to know the trades from before it followed them', () => {
    const { marketData } = outside;
    const now = Number(rpc.clock().unixTimestamp);
    expect(marketData.seesTrades({ from: now - 3_600, to: now })).toBe(false);
    expect(marketData.stats(SOL, '24h')).toBeNull();
  });

  it('are counted once after a reconnect, and the time in between is told as incomplete', async () => {
    const before = outside.trades.length;
    const now = Number(rpc.clock().unixTimestamp);
    const { opened } = proxy;
    proxy.cut();
    // The connections of accounts and of transactions.
    await vi.waitFor(() => expect(proxy.opened).toBeGreaterThanOrEqual(opened + 2), WAIT);
    await vi.waitFor(() => expect(isFollowed()).toBe(true), WAIT);
    expect(outside.marketData.seesTrades({ from: now - 1, to: now + 1 })).toBe(false);
    const signature = await swap('1500000000');
    await vi.waitFor(() => expect(tradesOf(outside, signature).length).toBeGreaterThan(0), WAIT);
    expect(tradesOf(outside, signature).map(facts)).toEqual(tradesOf(inside, signature).map(facts));
    expect(outside.trades.length).toBe(before + tradesOf(outside, signature).length);
  });

  it('that were made while the node could not be reached are read afterwards, once', async () => {
    // Away from the time before the first report, which stays unknown.
    await pass(120);
    await vi.waitFor(() => {
      const now = Number(rpc.clock().unixTimestamp);
      expect(outside.marketData.seesTrades({ from: now - 30, to: now })).toBe(true);
    }, WAIT);
    const { opened } = proxy;
    await proxy.kill();
    const signature = await swap('1700000000');
    const madeAt = Number(network.clock().unixTimestamp);
    await proxy.restore();
    await vi.waitFor(() => expect(proxy.opened).toBeGreaterThanOrEqual(opened + 2), WAIT);
    await vi.waitFor(() => expect(isFollowed()).toBe(true), WAIT);
    expect(outside.marketData.seesTrades({ from: madeAt, to: madeAt + 1 })).toBe(false);
    await pass(120);
    await vi.waitFor(() => {
      expect(outside.marketData.seesTrades({ from: madeAt, to: madeAt + 1 })).toBe(true);
    }, WAIT);
    expect(tradesOf(outside, signature).map(facts)).toEqual(tradesOf(inside, signature).map(facts));
    expect(await counts(outside)).toEqual(await counts(inside));
  });

  it('of before and during a stop are known after the next start, and counted once', async () => {
    const before = await swap('1300000000');
    await vi.waitFor(() => expect(tradesOf(outside, before).length).toBeGreaterThan(0), WAIT);
    const since = Math.floor(Number(network.clock().unixTimestamp) / 60) * 60;
    // What is complete is written with the next bar.
    await pass(200);
    await swap('1200000000');
    await pass(80);
    const { stored } = outside;
    const bars = new BarStore(stored.store, rpc.genesisHash);
    await vi.waitFor(
      async () => expect((await bars.complete())?.to).toBeGreaterThanOrEqual(since + 60),
      WAIT,
    );
    await close(outside);
    await rpc.close();

    const during = await swap('1400000000');
    const madeAt = Number(network.clock().unixTimestamp);
    rpc = await openRpc();
    outside = await observe(rpc, stored);
    await vi.waitFor(() => expect(isFollowed()).toBe(true), WAIT);
    expect(outside.marketData.seesTrades({ from: since, to: madeAt + 1 })).toBe(false);
    await pass(120);
    await vi.waitFor(() => {
      expect(outside.marketData.seesTrades({ from: since, to: madeAt + 1 })).toBe(true);
    }, WAIT);
    expect(tradesOf(outside, during).map(facts)).toEqual(tradesOf(inside, during).map(facts));
    const ofTheTime = ([start = 0]: readonly number[]) => start >= since;
    expect((await counts(outside)).filter(ofTheTime)).toEqual((await counts(inside)).filter(ofTheTime));
  });

  it('are left out, and their time is incomplete, when the node invents the trader, and read once it tells the truth', async () => {
    const before = outside.trades.length;
    let changed = 0;
    let signature = '';
    proxy.onCall = (method) => {
      if (method !== 'getTransaction') return { kind: 'pass' };
      return {
        kind: 'change',
        change: (text) => {
          const answer = JSON.parse(text);
          if (answer.result === null) return text;
          const wire = Buffer.from(answer.result.transaction[0], 'base64');
          // The last byte belongs to the message, which the signatures cover.
          wire.writeUInt8(wire.readUInt8(wire.length - 1) ^ 1, wire.length - 1);
          answer.result.transaction[0] = wire.toString('base64');
          changed++;
          return JSON.stringify(answer);
        },
      };
    };
    try {
      // The order lands over the embedded network, so only the observer is lied to.
      signature = await swap('1000000000');
      await vi.waitFor(() => expect(changed).toBeGreaterThan(0), WAIT);
      await vi.waitFor(() => {
        const later = Number(rpc.clock().unixTimestamp) + 30;
        expect(outside.marketData.seesTrades({ from: later, to: later + 1 })).toBe(false);
      }, WAIT);
      expect(tradesOf(outside, signature)).toEqual([]);
      expect(outside.trades.length).toBe(before);
    } finally {
      proxy.onCall = () => ({ kind: 'pass' });
    }
    await pass(100);
    await vi.waitFor(
      () => expect(tradesOf(outside, signature).map(facts)).toEqual(tradesOf(inside, signature).map(facts)),
      WAIT,
    );
  });
});

describe('trades over an outside RPC whose transactions are not read', () => {
  it('are told by the changes of pools, without trader, and count for the volume that there was at least', async () => {
    const chain = await openRpc(0);
    const observer = await observe(chain, await openTestStore('sqlite'));
    try {
      // What happened before is no change.
      expect(ofPools(observer)).toEqual([]);
      const signature = await swap('1000000000', POOLS);
      await vi.waitFor(() => expect(tradesOf(inside, signature).length).toBeGreaterThan(0), WAIT);
      const own = tradesOf(inside, signature);
      await vi.waitFor(() => expect(ofPools(observer)).toHaveLength(own.length), WAIT);
      expect(amounts(ofPools(observer))).toEqual(expect.arrayContaining([...amounts(own)]));
      for (const trade of ofPools(observer)) {
        expect(trade).toMatchObject({ trader: null, isRoundTrip: null, isSandwich: null });
      }
      const now = Number(network.clock().unixTimestamp);
      const candles = await observer.marketData.candles(SOL, 60, { from: now - 600, to: now + 60 });
      const sold = candles.reduce((sum, { minSellVolume }) => sum + minSellVolume, 0);
      const paid = own.filter(({ paid: { mint } }) => mint === SOL);
      expect(sold).toBeCloseTo(
        paid.reduce((sum, { dollars }) => sum + (dollars ?? 0), 0),
        -1,
      );
      expect(candles.every(({ hasAllTrades, buys }) => !hasAllTrades && buys === 0)).toBe(true);
      expect(observer.marketData.stats(SOL, '5m')).toBeNull();
    } finally {
      await close(observer);
      await observer.stored.cleanUp();
      await chain.close();
    }
  });

  it('are told once when the connection for transactions is lost in between, and comes back', async () => {
    await vi.waitFor(() => expect(isFollowed()).toBe(true), WAIT);
    const before = await swap('1100000000', POOLS);
    await vi.waitFor(() => expect(tradesOf(outside, before).length).toBeGreaterThan(0), WAIT);
    // The node refuses the logs of programs from now on, and goes on to report accounts.
    proxy.isWithoutLogs = true;
    proxy.cut();
    await vi.waitFor(() => expect(isFollowed()).toBe(false), WAIT);
    await passSlots();
    const known = ofPools(outside).length;
    const lost = await swap('1200000000', POOLS);
    await vi.waitFor(() => expect(tradesOf(inside, lost).length).toBeGreaterThan(0), WAIT);
    const own = amounts(tradesOf(inside, lost));
    await vi.waitFor(
      () => expect(amounts(ofPools(outside).slice(known))).toEqual(expect.arrayContaining([...own])),
      WAIT,
    );
    const madeAt = Number(network.clock().unixTimestamp);
    proxy.isWithoutLogs = false;
    proxy.cut();
    await vi.waitFor(() => expect(isFollowed()).toBe(true), WAIT);
    await passSlots();
    await pass(120);
    await vi.waitFor(() => {
      expect(outside.marketData.seesTrades({ from: madeAt - 5, to: madeAt + 1 })).toBe(true);
    }, WAIT);
    // Its transaction was read afterwards: it counts, and is not told again.
    expect(tradesOf(outside, lost)).toEqual([]);
    expect(await counts(outside)).toEqual(await counts(inside));
    const after = await swap('1300000000', POOLS);
    await vi.waitFor(() => expect(tradesOf(outside, after).length).toBeGreaterThan(0), WAIT);
    expect(ofPools(outside).length).toBe(known + own.length);
  });

  /** Trades that a change of a pool showed. */
  const ofPools = ({ trades }: Observer) => trades.filter(({ signature }) => signature === null);
  const amounts = (trades: readonly Trade[]) =>
    trades.map(({ pool, paid, received }) => ({ pool, paid, received }));
  const POOLS = { dexes: 'Raydium CP' };

  /** Away from the slots in which either source may have told of a trade. */
  async function passSlots(): Promise<void> {
    const later = rpc.slot('processed') + SLOTS_APART + 8n;
    await vi.waitFor(() => expect(rpc.slot('processed')).toBeGreaterThan(later), WAIT);
  }
});

/** The labels that requests may name, as in the service. */
const LABELS = VENUES.map(({ label }) => label);
const SOL = WRAPPED_SOL_MINT;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
const WAIT = { interval: 50 };
const SLOT_MS = 200;
const STEP_SECONDS = 10;

/** What one instance knows of the market. */
interface Observer {
  readonly marketData: LiveMarketData;
  readonly pools: Pools;
  readonly prices: Prices;
  readonly stored: TestStore;
  readonly trades: Trade[];
}

function onDefect(where: string, error: unknown): never {
  throw new Error(`${where}: ${String(error)}`);
}

async function observe(chain: Chain, stored: TestStore): Promise<Observer> {
  const pools = await Pools.open(chain, VENUES);
  const marketData = await LiveMarketData.open({
    chain,
    pools,
    venues: VENUES,
    fillPrograms: {},
    store: stored.store,
    timers: SYSTEM_TIMERS,
    onDefect,
    maxTokens: 1_000,
    maxWalletMinutes: 10_000,
    maxBots: 100,
  });
  const prices = new PoolPrices(pools, (mint) => marketData.dollarsPerAtom(mint));
  const trades: Trade[] = [];
  marketData.onTrade((trade) => trades.push(trade));
  return { marketData, pools, prices, stored, trades };
}

async function close({ marketData, pools }: Observer): Promise<void> {
  await marketData.close();
  pools.close();
}

function openRpc(transactionsPerSecond = 100): Promise<Chain> {
  return openRpcChain({
    url: new URL(proxy.rpcUrl),
    wsUrl: new URL(proxy.wsUrl),
    pollMs: 100,
    staleMs: 30_000,
    sweepMs: 60_000,
    maxSubscriptions: 1_000,
    blockhashSlots: computeBlockhashSlots(SLOT_MS),
    callsPerSecond: 10_000,
    transactionsPerSecond,
    programAccounts: null,
    timers: SYSTEM_TIMERS,
    random: Math.random,
    onNotice: () => {},
  });
}

async function setUp(): Promise<void> {
  const genesis = buildGenesis(DEFAULT_SEED);
  const standIns = await readStandIns(genesis.programs, new URL('../programs/dist/', import.meta.url));
  network = await startTestChain({
    seed: DEFAULT_SEED,
    genesis: () => genesis.accounts,
    overlay: overlayAccounts(standIns, { accounts: [], programs: [] }),
    faucet: genesis.keys.faucet,
    slotMs: SLOT_MS,
  });
  proxy = await RpcProxy.start(network);
  rpc = await openRpc();
  inside = await observe(network, await openTestStore('sqlite'));
  outside = await observe(rpc, await openTestStore('sqlite'));
  await vi.waitFor(() => expect(isFollowed()).toBe(true), WAIT);
  composed = composeTestSwap(
    {
      chain: network,
      pools: inside.pools,
      prices: inside.prices,
      lookupTables: await LookupTableIndex.open(
        network,
        genesis.lookupTables.map(({ address }) => address),
      ),
      tokenAccountMints: new TokenAccountMints(network),
      tokenLedgers: new TokenLedgers(network, now),
      variancePerSlot: () => 0,
      noteSlippage: () => {},
      describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
      pickTipAccount: () => getProgramAuthority(0),
    },
    { venueLabels: {}, timers: SYSTEM_TIMERS, newRequestId: randomUUID, onDefect },
  );
  const [first] = genesis.keys.demoWallets;
  if (first === undefined) throw new Error('the genesis has no demo wallet');
  wallet = first;
}

async function tearDown(): Promise<void> {
  for (const observer of [outside, inside]) {
    if (observer === undefined) continue;
    await close(observer);
    await observer.stored.cleanUp();
  }
  await rpc?.close();
  await proxy?.close();
  await network?.close();
}

/** Lets time pass in steps that the RPC's slots may make: one that goes far ahead is only believed after a while. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += STEP_SECONDS) {
    await network.warp({ seconds: STEP_SECONDS });
    const { unixTimestamp } = network.clock();
    await vi.waitFor(() => expect(rpc.clock().unixTimestamp).toBeGreaterThanOrEqual(unixTimestamp), WAIT);
  }
}

/** Whether trades of a time far ahead would be known: all subscriptions are active. */
function isFollowed(): boolean {
  const later = Number(rpc.clock().unixTimestamp) + 3_600;
  return outside.marketData.seesTrades({ from: later, to: later + 60 });
}

/** Swaps SOL for USDC; unless the test says otherwise, over pools that do not tell of trades by themselves. */
async function swap(
  amount: string,
  fields: Readonly<Record<string, string>> = { excludeDexes: 'Raydium CP,Saber,Meteora DAMM v2' },
): Promise<string> {
  const pair = { inputMint: SOL, outputMint: USDC };
  const request = parseOrderRequest({ taker: wallet.address, ...pair, amount, ...fields }, LABELS);
  const order = toOrderResponse(
    composed.prices,
    await orderSwap(composed, request, {
      requestId: composed.newRequestId(),
      caller: { kind: 'organisation', id: 'test' },
    }),
  );
  const unsigned = parseTransaction(Buffer.from(order.transaction ?? '', 'base64'));
  const signedTransaction = Buffer.from(addSignatures(unsigned, [wallet])).toString('base64');
  const result = toExecuteResponse(
    await executeUnrefused(composed, { signedTransaction, requestId: order.requestId }),
  );
  expect(result.status).toBe('Success');
  return result.signature ?? '';
}

function tradesOf({ trades }: Observer, signature: string): readonly Trade[] {
  return trades.filter((trade) => trade.signature === signature);
}

/** What is known of a trade wherever it is read. Its value depends on the price at the time. */
function facts({ dollars: _, isSandwich: _order, ...trade }: Trade) {
  return trade;
}

/** Buys and sells of SOL over all minutes that the observer has. */
async function counts({ marketData }: Observer): Promise<readonly (readonly number[])[]> {
  const now = Number(network.clock().unixTimestamp);
  const bars = await marketData.candles(SOL, 60, { from: now - 3_600, to: now + 60 });
  return bars.filter(({ buys, sells }) => buys + sells > 0).map((bar) => [bar.start, bar.buys, bar.sells]);
}
