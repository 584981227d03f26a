import { type Timers, wait } from '../../common/ports/timers.ts';
import { craftForecastPurchase } from '../../forecasts/crafting/craft-forecast-purchase.ts';
import type { ForecastCraftDependencies } from '../../forecasts/crafting/forecast-dependencies.ts';
import { toForecastMarketId } from '../../forecasts/events/forecast-ids.ts';
import type { ForecastRounds, ForecastSide } from '../../forecasts/forecast.ts';
import { isForecastMarket } from '../../forecasts/forecast-market.ts';
import type { PredictionCraftDependencies } from '../../predictions/crafting/craft-dependencies.ts';
import { craftPurchase } from '../../predictions/crafting/craft-purchase.ts';
import { craftSale, DEFAULT_SALE_SLIPPAGE_BPS } from '../../predictions/crafting/craft-sale.ts';
import type { HalfSignedTransaction } from '../../predictions/crafting/paying/order-transaction.ts';
import {
  derivePredictionPosition,
  JUPUSD_MINT,
} from '../../protocols/jupiter-prediction/prediction-program.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import {
  addSignatures,
  getTransactionSignature,
  parseTransaction,
} from '../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { isTokenAccount, readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { submitAndConfirm } from '../../transactions/submit/submit-and-confirm.ts';
import { PREDICTION_TRADER_USDC } from './wallets.ts';

/** What the demo's wallets trade with. */
export interface DemoTradesOptions {
  /** The wallets of the genesis, in its order. */
  readonly traders: readonly Keypair[];
  readonly crafting: PredictionCraftDependencies;
  /** Null where no forecasts are served. */
  readonly forecasts: (ForecastCraftDependencies & { readonly rounds: ForecastRounds }) | null;
  readonly timers: Timers;
  /** Called when a trade could not be made. The trades after it on markets of the same kind are not made either. */
  readonly onDefect: (error: unknown) => void;
}

/** What forecasts are bought with. */
const { mint: USDC_MINT } = getGenesisToken('USDC');

/** An order on a market of the demo. Amounts are micro USD and micro-contracts. */
type DemoOrder = {
  /** The place of the wallet among the traders. */
  readonly trader: number;
  readonly marketId: string;
  readonly isYes: boolean;
} & ({ readonly deposit: bigint } | { readonly sold: bigint });

/** The second order raises the price of what the first one has bought, so that the third one sells it with a profit. */
const PLANNED_ORDERS: readonly DemoOrder[] = [
  { trader: 0, marketId: 'DEMO-1010-3', isYes: true, deposit: 20_000_000n },
  { trader: 1, marketId: 'DEMO-1010-3', isYes: true, deposit: 150_000_000n },
  { trader: 0, marketId: 'DEMO-1010-3', isYes: true, sold: 100_000_000n },
  { trader: 2, marketId: 'DEMO-1004-1', isYes: true, deposit: 30_000_000n },
  { trader: 1, marketId: 'DEMO-1001-2', isYes: true, deposit: 60_000_000n },
  { trader: 2, marketId: 'DEMO-1002-1', isYes: false, deposit: 25_000_000n },
];

/** What is bought of the first forecast that is seen, so that one of the wallets is right and the other one is not. */
const PLANNED_FORECASTS: readonly { readonly trader: number; readonly side: ForecastSide }[] = [
  { trader: 1, side: 'down' },
  { trader: 2, side: 'up' },
];
const FORECAST_DEPOSIT = 20_000_000n;

/** Forecasts of at most five minutes are bought, if they are traded for so many seconds yet. */
const [LONGEST_ROUND, LEAST_SECONDS] = [300, 60];
const POLL_MS = 250;
/** How long a market may take to be traded, and an order to be filled. */
const FILL_MS = 60_000;
const ROUND_MS = 900_000;

/**
 * Has the wallets of the demo trade, once for each network: what their accounts show to be done is left out. They are traders like any
 * others, so that the keeper and the records treat what they do like anything else.
 *
 * @param signal - Ends the trading before the next step.
 * @returns when all trades are made, or cannot be made
 */
export async function makeDemoTrades(options: DemoTradesOptions, signal: AbortSignal): Promise<void> {
  const steps = { ...options, signal };
  const report = (error: unknown) => {
    if (!signal.aborted) options.onDefect(error);
  };
  if (!(await hasTraders(options).catch(report))) return;
  await Promise.all([makeOrders(steps).catch(report), buyForecasts(steps).catch(report)]);
}

interface DemoSteps extends DemoTradesOptions {
  readonly signal: AbortSignal;
}

/** Whether the wallets have SOL. A network that was founded before they existed has none of them. */
async function hasTraders({ crafting, traders }: DemoTradesOptions): Promise<boolean> {
  const wallets = await crafting.chain.getAccounts(traders.map(({ address }) => address));
  return wallets.every(({ account }) => account !== null);
}

async function makeOrders(steps: DemoSteps): Promise<void> {
  for (const order of PLANNED_ORDERS) await makeOrder(steps, order);
}

/** Makes an order and waits until it is filled, unless it has been made or its market is over. */
async function makeOrder(steps: DemoSteps, planned: DemoOrder): Promise<void> {
  const { crafting } = steps;
  const { accounts, chain, events, exchange } = crafting;
  const trader = getTrader(steps, planned.trader);
  const { marketId, isYes } = planned;
  const market = events.findMarket(marketId);
  if (market === null || market.status !== 'open') return;
  if (Number(chain.clock().unixTimestamp) >= market.closeAt) return;
  const owner = trader.address;
  const { address: position } = derivePredictionPosition(market.marketIdHash, owner, isYes);
  const before = accounts.findPosition(position);
  const isMade = 'sold' in planned ? before?.realizedPnl !== 0n : before !== null;
  if (isMade) return;
  await waitUntil(steps, FILL_MS, () => exchange.getPrices(marketId) !== null);
  const { transaction } = await ('sold' in planned
    ? craftSale(crafting, {
        owner,
        position,
        contracts: planned.sold,
        minPrice: null,
        slippageBps: DEFAULT_SALE_SLIPPAGE_BPS,
      })
    : craftPurchase(crafting, {
        owner,
        marketId,
        isYes,
        depositAmount: planned.deposit,
        depositMint: JUPUSD_MINT,
        maxPrice: null,
      }));
  await land(steps, trader, transaction);
  await waitUntil(steps, FILL_MS, () => {
    const after = accounts.findPosition(position);
    return after !== null && after.openOrders === 0 && after.contracts !== (before?.contracts ?? 0n);
  });
}

/** Buys both sides of the first forecast that is traded. */
async function buyForecasts(steps: DemoSteps): Promise<void> {
  const { forecasts } = steps;
  if (forecasts === null) return;
  for (const { trader: place, side } of PLANNED_FORECASTS) {
    const trader = getTrader(steps, place);
    if ((await readDollars(steps, trader)) !== PREDICTION_TRADER_USDC) continue;
    const marketId = await waitForForecast(steps, forecasts, side);
    const { transaction } = await craftForecastPurchase(forecasts, {
      owner: trader.address,
      marketId,
      depositAmount: FORECAST_DEPOSIT,
      depositMint: USDC_MINT,
    });
    await land(steps, trader, transaction);
  }
}

/** Reads what a wallet has of USDC, which no longer is what it began with once it has bought a forecast. */
async function readDollars({ crafting }: DemoSteps, { address }: Keypair): Promise<bigint> {
  const tokens = deriveAssociatedTokenAddress(address, USDC_MINT, TOKEN_PROGRAM);
  const [update] = await crafting.chain.getAccounts([tokens]);
  const account = update?.account ?? null;
  return account !== null && isTokenAccount(account.data) ? readTokenAccountAmount(account.data) : 0n;
}

/** Waits until a side of a short round is traded, and returns its market. */
async function waitForForecast(
  steps: DemoSteps,
  forecasts: NonNullable<DemoTradesOptions['forecasts']>,
  side: ForecastSide,
): Promise<string> {
  let found: string | null = null;
  await waitUntil(steps, ROUND_MS, () => {
    found = findForecast(forecasts, side);
    return found !== null;
  });
  if (found === null) throw new Error('no forecast is traded');
  return found;
}

function findForecast(
  { chain, events, quotes, rounds }: NonNullable<DemoTradesOptions['forecasts']>,
  side: ForecastSide,
): string | null {
  const now = Number(chain.clock().unixTimestamp);
  for (const { address, seconds, closeAt } of rounds.list()) {
    if (seconds > LONGEST_ROUND || closeAt - now < LEAST_SECONDS) continue;
    const market = events.findMarket(toForecastMarketId(address, side));
    if (market === null || !isForecastMarket(market)) continue;
    if (quotes.getPrices(market.forecast) !== null) return market.marketId;
  }
  return null;
}

function getTrader({ traders }: DemoTradesOptions, place: number): Keypair {
  const trader = traders[place];
  if (trader === undefined) throw new Error(`the genesis has no trader ${place}`);
  return trader;
}

/** Signs a transaction as its owner, and lands it. */
async function land(
  { crafting: { chain }, timers, signal }: DemoSteps,
  trader: Keypair,
  { wire: half, lastValidBlockHeight }: HalfSignedTransaction,
): Promise<void> {
  signal.throwIfAborted();
  const wire = addSignatures(parseTransaction(half), [trader]);
  const signature = getTransactionSignature(parseTransaction(wire));
  const outcome = await submitAndConfirm(chain, timers, { wire, signature, lastValidBlockHeight });
  if (outcome.kind === 'landed' && outcome.status.error === null) return;
  throw new Error(`the trade ${signature} of ${trader.address} has not succeeded: ${outcome.kind}`);
}

/** Waits until something is so. Throws when that takes too long, or the trading is ended. */
async function waitUntil(
  { timers, signal }: DemoSteps,
  milliseconds: number,
  isSo: () => boolean,
): Promise<void> {
  const end = timers.now() + milliseconds;
  while (!isSo()) {
    if (timers.now() > end) throw new Error(`nothing has changed for ${milliseconds} ms`);
    await wait(POLL_MS, timers);
    signal.throwIfAborted();
  }
}
