import { type Chain, requireAvailable } from '../../../chain/chain.ts';
import type { LandedTransaction } from '../../../chain/landed-transactions.ts';
import { computeMintDisplay, type MintFacts, decodeMintFacts } from '../../../market/mint-facts.ts';
import { toDisplayedAmount } from '../../../solana/programs/token/display-amount.ts';
import type { Address } from '../../../solana/address.ts';
import type { MarketData } from '../../../market-data/market-data.ts';
import type { TradedAmount, TradeKind } from '../../../market-data/trades/trade.ts';
import { type WalletSwap, findWalletSwap } from './wallet-swap.ts';

export interface TradeHistoryDependencies {
  readonly chain: Pick<Chain, 'signaturesOf' | 'transaction' | 'getAccounts' | 'clock' | 'unhealthy'>;
  readonly marketData: Pick<MarketData, 'candles'>;
  /** The programs that swap. */
  readonly programs: ReadonlySet<Address>;
}

export interface TradesRequest {
  readonly wallet: Address;
  /** Only swaps of this token; null: all. */
  readonly mint: Address | null;
  /** Unix seconds, both included; null: without a bound. */
  readonly from: number | null;
  readonly to: number | null;
  /** The signature before which the list goes on; null: the newest. */
  readonly before: string | null;
  /** How many swaps at most. */
  readonly limit: number;
}

/** One side of a swap. */
export interface TradeSide {
  readonly kind: TradeKind;
  readonly mint: Address;
  /** Whole tokens, as wallets display them now. */
  readonly amount: number;
  /** US dollars per whole token at that time; null if it is not known. */
  readonly price: number | null;
  /** US dollars; null if it is not known. */
  readonly dollars: number | null;
}

export interface WalletTrade {
  readonly signature: string;
  /** Unix seconds; null when the node has forgotten it. */
  readonly time: number | null;
  readonly sides: readonly [sold: TradeSide, bought: TradeSide];
}

export interface TradesPage {
  /** Newest first. */
  readonly trades: readonly WalletTrade[];
  /** The signature with which the next page is asked for; null after the last page. */
  readonly next: string | null;
}

/** Transactions that one request reads. A page may have fewer swaps than were asked for, and others may follow. */
const MAX_READ = 100;
const READ_AT_ONCE = 20;
const HOUR = 3_600;
const MINUTES_KEPT = 47 * HOUR;

/**
 * Reads the swaps of a wallet from its own transactions, so the history reaches as far back as that of the network.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function readTrades(
  dependencies: TradeHistoryDependencies,
  request: TradesRequest,
): Promise<TradesPage> {
  const { chain, programs } = dependencies;
  requireAvailable(chain);
  const { wallet, mint, from, to, before, limit } = request;
  const listed = await chain.signaturesOf(wallet, {
    limit: MAX_READ,
    ...(before === null ? {} : { before }),
  });
  const found: { readonly transaction: LandedTransaction; readonly swap: WalletSwap }[] = [];
  const next = listed.length < MAX_READ ? null : (listed.at(-1)?.signature ?? null);
  for (let at = 0; at < listed.length; at += READ_AT_ONCE) {
    const signatures = listed.slice(at, at + READ_AT_ONCE).map(({ signature }) => signature);
    for (const transaction of await Promise.all(signatures.map((each) => chain.transaction(each)))) {
      if (transaction === null) continue;
      const time = getBlockTime(transaction);
      if (time !== null && from !== null && time < from) return readTradesPage(dependencies, found, null);
      if (time !== null && to !== null && time > to) continue;
      const swap = findWalletSwap(transaction, wallet, programs);
      if (swap === null || !(mint === null || swap.paid.mint === mint || swap.received.mint === mint))
        continue;
      found.push({ transaction, swap });
      const isLast = next === null && transaction.signature === listed.at(-1)?.signature;
      if (found.length === limit)
        return readTradesPage(dependencies, found, isLast ? null : transaction.signature);
    }
  }
  return readTradesPage(dependencies, found, next);
}

async function readTradesPage(
  dependencies: TradeHistoryDependencies,
  found: readonly { readonly transaction: LandedTransaction; readonly swap: WalletSwap }[],
  next: string | null,
): Promise<TradesPage> {
  const mints = [...new Set(found.flatMap(({ swap }) => [swap.paid.mint, swap.received.mint]))];
  const read = mints.length === 0 ? [] : await dependencies.chain.getAccounts(mints);
  const facts = new Map(
    read.map(({ address, account }) => [address, account === null ? null : decodeMintFacts(account)]),
  );
  const trades: WalletTrade[] = [];
  for (const { transaction, swap } of found) {
    const [paid, received] = [facts.get(swap.paid.mint) ?? null, facts.get(swap.received.mint) ?? null];
    // The amounts of a token whose mint was closed since cannot be stated any more.
    if (paid === null || received === null) continue;
    const time = getBlockTime(transaction);
    const sold = await computeTradeSide(dependencies, 'sell', swap.paid, paid, time);
    const bought = await computeTradeSide(dependencies, 'buy', swap.received, received, time);
    trades.push({
      signature: transaction.signature,
      time,
      sides: [valueLikeOther(sold, bought), valueLikeOther(bought, sold)],
    });
  }
  return { trades, next };
}

async function computeTradeSide(
  { chain, marketData }: TradeHistoryDependencies,
  kind: TradeKind,
  { mint, amount }: TradedAmount,
  facts: MintFacts,
  time: number | null,
): Promise<TradeSide> {
  const now = Number(chain.clock().unixTimestamp);
  const whole = toDisplayedAmount(amount, computeMintDisplay(facts, now));
  const price = time === null ? null : await priceAt(marketData, mint, time, now);
  return { kind, mint, amount: whole, price, dollars: price === null ? null : price * whole };
}

/** The price at the end of the minute, or of the hour where minutes are not kept any more, or the last one before. */
async function priceAt(
  marketData: Pick<MarketData, 'candles'>,
  mint: Address,
  time: number,
  now: number,
): Promise<number | null> {
  const seconds = now - time < MINUTES_KEPT ? 60 : HOUR;
  const bars = await marketData.candles(mint, seconds, { from: time - 24 * seconds, to: time });
  return bars.at(-1)?.close ?? null;
}

/** What was paid and what was received are worth the same, so one price is enough. */
function valueLikeOther(side: TradeSide, other: TradeSide): TradeSide {
  if (side.dollars !== null || other.dollars === null || side.amount === 0) return side;
  return { ...side, dollars: other.dollars, price: other.dollars / side.amount };
}

function getBlockTime({ blockTime }: LandedTransaction): number | null {
  return blockTime === null ? null : Number(blockTime);
}
