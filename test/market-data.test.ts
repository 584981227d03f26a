import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildGenesis } from '../src/sandbox/genesis/build-genesis.ts';
import { overlayAccounts, readStandIns } from '../src/sandbox/genesis/network-accounts.ts';
import { startTestChain } from '../src/testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../src/chain/embedded/network.ts';
import { SYSTEM_TIMERS } from '../src/common/ports/timers.ts';
import { DEFAULT_SEED } from '../src/protocol/genesis/keys.ts';
import { getProgramAuthority } from '../src/protocol/venue/aggregator-program.ts';
import { TokenLedgers } from '../src/market/aggregator/token-ledgers.ts';
import { LookupTableIndex } from '../src/market/pools/lookup-tables.ts';
import { Pools } from '../src/market/pools/pools.ts';
import { PoolPrices } from '../src/market/prices/pool-prices.ts';
import { joinProgramErrorNames } from '../src/market/program-errors.ts';
import { PROTOCOLS } from '../src/protocols/index.ts';
import { VENUES } from '../src/protocols/venues.ts';
import { toExecuteResponse } from '../src/products/swap/endpoints/execute.ts';
import { toOrderResponse } from '../src/products/swap/endpoints/order.ts';
import { parseOrderRequest } from '../src/products/swap/endpoints/order-parameters.ts';
import { composeTestSwap } from '../src/testing/genesis-market/compose.ts';
import type { ComposedSwap } from '../src/products/swap/order/swap-services.ts';
import { orderSwap } from '../src/products/swap/order/order.ts';
import type { Query } from '../src/products/parameters/parameter.ts';
import type { Address } from '../src/solana/address.ts';
import type { Keypair } from '../src/solana/keypair.ts';
import { addSignatures, parseTransaction } from '../src/solana/messages/transaction.ts';
import { WRAPPED_SOL_MINT } from '../src/solana/program-addresses.ts';
import { openTestStore, type TestStore } from '../src/testing/store/test-store.ts';
import { LiveMarketData } from '../src/market-data/live-market-data.ts';
import type { Trade } from '../src/market-data/trades/trade.ts';
import { TokenAccountMints } from '../src/transactions/token-account-mints.ts';
import { createFailureDescriber } from '../src/transactions/transaction-failure.ts';
import { executeUnrefused } from '../src/testing/genesis-market/swap.ts';
import { now } from '../src/testing/waits.ts';

let chain: EmbeddedChain;
let pools: Pools;
let marketData: LiveMarketData;
let stored: TestStore;
let composed: ComposedSwap;
let wallets: readonly Keypair[];
beforeAll(setUp);
afterAll(tearDown);

describe('market data over the embedded network', () => {
  it('has the prices of the genesis before anything was traded', () => {
    expect(marketData.price(SOL)).toMatchObject({
      usdPrice: expect.closeTo(200, 6),
      decimals: 9,
      priceChange24h: null,
      createdAt: null,
    });
    expect(marketData.price(USDC)).toMatchObject({ usdPrice: 1, decimals: 6 });
    expect(marketData.price(walletAt(0).address)).toBeNull();
  });

  it('counts what pools hold as liquidity, and not what venues could issue', () => {
    const liquidity = marketData.price(SOL)?.liquidity ?? 0;
    expect(liquidity).toBeGreaterThan(1e6);
    expect(liquidity).toBeLessThan(1e9);
  });

  it('sees each pool of a route as a trade of the taker, with what was paid and received', async () => {
    const { result } = await swap(walletAt(0), { inputMint: SOL, outputMint: BONK, amount: '50000000000' });
    await vi.waitFor(() => expect(tradesOf(result.signature).length).toBeGreaterThan(0));
    const seen = tradesOf(result.signature);
    const total = (of: (trade: Trade) => bigint) => seen.reduce((sum, trade) => sum + of(trade), 0n);
    const [paid, received] = [
      total(({ paid }) => (paid.mint === SOL ? paid.amount : 0n)),
      total(({ received }) => (received.mint === BONK ? received.amount : 0n)),
    ];
    expect(paid).toBe(50_000_000_000n);
    expect(String(received)).toBe(result.totalOutputAmount);
    for (const trade of seen) {
      expect(trade).toMatchObject({
        trader: walletAt(0).address,
        isRoundTrip: false,
        isSandwich: false,
        slot: BigInt(result.slot ?? 0),
      });
    }
    const stats = marketData.stats(BONK, '5m');
    expect(stats?.buyVolume).toBeGreaterThan(9_000);
    expect(stats).toMatchObject({ sellVolume: 0, numTraders: 1, numNetBuyers: 1 });
  });

  it('agrees, after an hour of swaps, with what is computed from the transactions themselves', async () => {
    // What other tests traded is before the window.
    await chain.warp({ seconds: 7_200 });
    const signatures: string[] = [];
    for (let round = 0; round < 12; round++) {
      const wallet = walletAt(round % 2);
      const sells = round % 3 !== 0;
      const query = sells
        ? { inputMint: SOL, outputMint: USDC, amount: String(1_000_000_000 + round * 7_000_000) }
        : { inputMint: USDC, outputMint: SOL, amount: String(150_000_000 + round * 1_000_000) };
      const { result } = await swap(wallet, { ...query, dexes: 'Raydium CP,Whirlpool' });
      signatures.push(result.signature ?? '');
      await chain.warp({ seconds: 300 });
    }
    await vi.waitFor(() => expect(tradesOf(signatures.at(-1)).length).toBeGreaterThan(0));
    const own = await Promise.all(signatures.map((signature) => computedFrom(signature)));
    const seen = trades.filter(({ signature }) => signatures.includes(signature ?? ''));
    expect(seen.length).toBe(own.flat().length);

    const stats = marketData.stats(SOL, '1h');
    const now = Number(chain.clock().unixTimestamp);
    const inside = own.flat().filter(({ time }) => time >= (Math.floor(now / 60) - 60) * 60);
    expect(inside.length).toBeGreaterThan(9);
    const volume = (kind: 'buy' | 'sell') =>
      inside.filter((each) => each.kind === kind).reduce((sum, each) => sum + each.dollars, 0);
    expect(stats?.buyVolume).toBeCloseTo(volume('buy'), 6);
    expect(stats?.sellVolume).toBeCloseTo(volume('sell'), 6);
    expect(stats).toMatchObject({
      numBuys: inside.filter(({ kind }) => kind === 'buy').length,
      numSells: inside.filter(({ kind }) => kind === 'sell').length,
      numTraders: new Set(inside.map(({ trader }) => trader)).size,
    });
    const last = own.at(-1)?.at(-1);
    expect(marketData.price(SOL)?.usdPrice).toBeCloseTo(last?.price ?? 0, 9);

    const candles = await marketData.candles(SOL, 60, { from: now - 3_600, to: now });
    for (const [minute, each] of groupBy(inside, ({ time }) => Math.floor(time / 60) * 60)) {
      const prices = each.map(({ price }) => price);
      const candle = candles.find(({ start }) => start === minute);
      expect(candle?.open).toBeCloseTo(prices[0] ?? 0, 9);
      expect(candle?.high).toBeCloseTo(Math.max(...prices), 9);
      expect(candle?.low).toBeCloseTo(Math.min(...prices), 9);
      expect(candle?.close).toBeCloseTo(prices.at(-1) ?? 0, 9);
      expect((candle?.buys ?? 0) + (candle?.sells ?? 0)).toBe(each.length);
    }
    const startClose = own
      .flat()
      .filter(({ time }) => time < (Math.floor(now / 60) - 60) * 60)
      .at(-1)?.price;
    if (startClose !== undefined && last !== undefined) {
      expect(stats?.priceChange).toBeCloseTo((last.price / startClose - 1) * 100, 6);
    }
  });
});

/** The labels that requests may name, as in the service. */
const LABELS = VENUES.map(({ label }) => label);
const SOL = WRAPPED_SOL_MINT;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

const BONK = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263' as Address;

const trades: Trade[] = [];

async function setUp(): Promise<void> {
  const genesis = buildGenesis(DEFAULT_SEED);
  const standIns = await readStandIns(genesis.programs, new URL('../programs/dist/', import.meta.url));
  chain = await startTestChain({
    seed: DEFAULT_SEED,
    genesis: () => genesis.accounts,
    overlay: overlayAccounts(standIns, { accounts: [], programs: [] }),
    faucet: genesis.keys.faucet,
    slotMs: 100,
  });
  stored = await openTestStore('sqlite');
  pools = await Pools.open(chain, VENUES);
  marketData = await LiveMarketData.open({
    chain,
    pools,
    venues: VENUES,
    fillPrograms: {},
    store: stored.store,
    timers: SYSTEM_TIMERS,
    onDefect: (where, error) => {
      throw new Error(`${where}: ${String(error)}`);
    },
    maxTokens: 1_000,
    maxWalletMinutes: 10_000,
    maxBots: 100,
  });
  marketData.onTrade((trade) => trades.push(trade));
  composed = composeTestSwap(
    {
      chain,
      pools,
      prices: new PoolPrices(pools, (mint) => marketData.dollarsPerAtom(mint)),
      lookupTables: await LookupTableIndex.open(
        chain,
        genesis.lookupTables.map(({ address }) => address),
      ),
      tokenAccountMints: new TokenAccountMints(chain),
      tokenLedgers: new TokenLedgers(chain, now),
      variancePerSlot: () => 0,
      noteSlippage: () => {},
      describeFailure: createFailureDescriber(joinProgramErrorNames(PROTOCOLS)),
      pickTipAccount: () => getProgramAuthority(0),
    },
    {
      venueLabels: {},
      timers: SYSTEM_TIMERS,
      newRequestId: randomUUID,
      onDefect: (where, error) => {
        throw new Error(`${where}: ${String(error)}`);
      },
    },
  );
  wallets = genesis.keys.demoWallets;
}

async function tearDown(): Promise<void> {
  await marketData?.close();
  pools?.close();
  await chain?.close();
  await stored?.cleanUp();
}

async function swap(wallet: Keypair, query: Query) {
  const request = parseOrderRequest({ taker: wallet.address, ...query }, LABELS);
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
  return { order, result };
}

function walletAt(index: number): Keypair {
  const wallet = wallets[index];
  if (wallet === undefined) throw new Error(`the genesis has no demo wallet ${index}`);
  return wallet;
}

function tradesOf(signature: string | undefined): readonly Trade[] {
  return trades.filter((trade) => trade.signature === signature);
}

interface Computed {
  readonly kind: 'buy' | 'sell';
  readonly dollars: number;
  /** US dollars for one SOL. */
  readonly price: number;
  readonly time: number;
  readonly trader: string;
}

/** What a transaction traded, from the balances of the pools' accounts before and after it. */
async function computedFrom(signature: string): Promise<readonly Computed[]> {
  const landed = await vi.waitUntil(() => chain.transaction(signature));
  if (landed === null) throw new Error(`no transaction ${signature}`);
  const before = new Map(landed.preTokenBalances.map((each) => [each.account, each.amount]));
  const after = new Map(landed.postTokenBalances.map((each) => [each.account, each]));
  const [time] = trades.filter((trade) => trade.signature === signature).map((trade) => trade.time);
  return [...pools.all()].flatMap(({ pool }) => {
    const { vaults } = pool as unknown as { readonly vaults?: readonly Address[] };
    const [sol, dollars] = [SOL, USDC].map((mint) => {
      const vault = vaults?.map((each) => after.get(each)).find((each) => each?.mint === mint);
      return vault === undefined ? null : Number(vault.amount - (before.get(vault.account) ?? 0n));
    });
    if (sol === null || sol === undefined || dollars === null || dollars === undefined || sol === 0)
      return [];
    return [
      {
        kind: sol > 0 ? ('sell' as const) : ('buy' as const),
        dollars: Math.abs(dollars) / 1e6,
        price: Math.abs(dollars) / 1e6 / (Math.abs(sol) / 1e9),
        time: time ?? 0,
        trader: landed.accounts[0] ?? '',
      },
    ];
  });
}

function groupBy<T>(list: readonly T[], key: (each: T) => number): ReadonlyMap<number, readonly T[]> {
  const groups = new Map<number, T[]>();
  for (const each of list) groups.set(key(each), [...(groups.get(key(each)) ?? []), each]);
  return groups;
}
