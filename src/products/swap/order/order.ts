import type { Party } from '../../../common/party.ts';
import type { PlatformFee } from '../../../swaps/fees/platform-fee.ts';
import { findReferralFee } from '../../../swaps/fees/referral-fee.ts';
import { findHouseFee, type House } from '../../../swaps/fees/house-fee.ts';
import { type Chain, requireAvailable } from '../../../chain/chain.ts';
import type { MakerTrades } from '../../../rfq/index.ts';
import { prepareTransaction } from '../../../transactions/prepared/store.ts';
import type { Address } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import type { TokenAccountMints } from '../../../transactions/token-account-mints.ts';
import { compete, type Winner } from '../../../swaps/engines/compete.ts';
import type {
  BuiltOrder,
  Engine,
  EngineQuote,
  EngineRequest,
  Unbuildable,
} from '../../../swaps/engines/engine.ts';
import { findFailingPools } from '../../../swaps/engines/failing-pools.ts';
import { createUnquoted, SwapRefused } from '../../../swaps/refusals.ts';
import type { OrderLedger } from '../../../swaps/ledger/order-ledger.ts';
import type { ExecutionResult } from '../../../swaps/orders/execution-result.ts';
import type { MakerBid } from '../../../swaps/engines/maker-bid.ts';
import type { OrderRequest } from '../../../swaps/engines/order-request.ts';
import {
  getMakerId,
  getPayingParty,
  type OrderStore,
  type StoredOrder,
} from '../../../swaps/orders/stored-order.ts';
import type { Sponsor } from '../../../transactions/sponsor/sponsor.ts';
import type { Timers } from '../../../common/ports/timers.ts';

export interface OrderDependencies {
  readonly chain: Pick<Chain, 'unhealthy' | 'clock'>;
  readonly pools: Pools;
  readonly tokenAccountMints: TokenAccountMints;
  /** Among engines that pay the same, the first in this order wins. */
  readonly engines: readonly Engine[];
  /** Milliseconds that engines have to quote. */
  readonly quoteDeadlineMs: number;
  readonly orders: OrderStore<ExecutionResult>;
  /** Pays for takers without SOL; null without a sponsor. */
  readonly sponsor: Sponsor | null;
  /** Takes fees of orders without a referrer; null without house fees. */
  readonly house: House | null;
  /** Statistics of the makers' order books; null without makers. */
  readonly trades: MakerTrades | null;
  /** Keeps what was ordered; null or absent without it. */
  readonly ledger?: Pick<OrderLedger, 'ordered'> | null;
  readonly timers: Timers;
  readonly newRequestId: () => string;
  /** Labels of the venues that routes may use, by program. */
  readonly venueLabels: Readonly<Record<string, string>>;
  /** Called when something failed that the client need not know about; the request is still answered. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The order that a request is answered with. */
export interface SwapOrder {
  /** The id by which `/execute` names the order. */
  readonly requestId: string;
  readonly request: OrderRequest;
  /** The engine that won, and its quote. */
  readonly engine: Engine;
  readonly quote: EngineQuote;
  /** Null without a taker. */
  readonly built: BuiltOrder | Unbuildable | null;
  /** Whether a fee goes to the referrer; false without a referral, or when the referrer has no account for the fee. */
  readonly isReferralPaid: boolean;
  /** Milliseconds that quoting and building took. */
  readonly totalMs: number;
}

/**
 * Finds the best quote of all engines. For a taker, it also builds the transaction to sign, and stores the order for
 * `/execute`.
 * @param caller - Who sends the request.
 * @throws SwapRefused when no engine quotes, or the request contradicts the chain.
 * @throws ChainUnavailable while the chain is out of date
 *
 * @example
 * ```ts
 * import type { OrderRequest } from '../../../swaps/engines/order-request.ts';
 * import { type OrderDependencies, orderSwap } from './order.ts';
 *
 * // The id under which an order that was requested can be executed.
 * async function orderForAcme(dependencies: OrderDependencies, request: OrderRequest): Promise<string> {
 *   const caller = { requestId: 'c0ffee', caller: { kind: 'organisation', id: 'acme' } as const };
 *   return (await orderSwap(dependencies, request, caller)).requestId;
 * }
 * ```
 */
export async function orderSwap(
  dependencies: OrderDependencies,
  order: OrderRequest,
  { requestId, caller }: { readonly requestId: string; readonly caller: Party },
): Promise<SwapOrder> {
  requireAvailable(dependencies.chain);
  checkPayer(dependencies, order);
  const startedAt = dependencies.timers.now();
  // A referrer without a token account for the fee gets none, and the house takes its own fee.
  const { house } = dependencies;
  const referred =
    order.referral === null ? null : await findReferralFee(dependencies, order, order.referral);
  const fee = referred ?? (house === null ? null : await findHouseFee(dependencies, house, order));
  const bids = new Map<string, MakerBid>();
  const asked = { order, requestId, caller, noteBid: (bid: MakerBid) => bids.set(bid.makerId, bid) };
  const { winner, built } = await buildBestQuote(dependencies, asked, fee);
  if (order.taker !== null && built !== null && built.unbuildable === undefined) {
    const stored = createStoredOrder(dependencies, order, order.taker, requestId, winner, built);
    await dependencies.orders.put(stored);
    const { engine, quote } = winner;
    const makerId = getMakerId(stored);
    dependencies.trades?.ordered(listConsideredMakers(quote, bids), makerId);
    dependencies.ledger?.ordered({
      requestId,
      caller,
      request: order,
      router: engine.router,
      payment: { payer: stored.payer, by: getPayingParty(stored) },
      quote,
      makerId,
      bids: bids.values(),
    });
  }
  const { engine, quote } = winner;
  const totalMs = dependencies.timers.now() - startedAt;
  return { requestId, request: order, engine, quote, built, isReferralPaid: referred !== null, totalMs };
}

/** The makers with a book for the order, and those that quoted it by webhook. */
function listConsideredMakers(quote: EngineQuote, bids: ReadonlyMap<string, MakerBid>): readonly string[] {
  const asked = [...bids.values()].filter(({ channel, quoted }) => channel === 'webhook' && quoted !== null);
  return [...new Set([...quote.makerIds, ...asked.map(({ makerId }) => makerId)])];
}

/** The sponsor pays by its own decision, never because a request names its address. */
function checkPayer({ sponsor }: OrderDependencies, { payer }: OrderRequest): void {
  if (sponsor === null || payer !== sponsor.keypair.address) return;
  throw new SwapRefused({ kind: 'payer-is-sponsor', payer });
}

/** How many quotes are tried when simulation shows that their transactions would fail. */
const MAX_ATTEMPTS = 4;

interface TriedWinner {
  readonly winner: Winner;
  /** Null without a taker. */
  readonly built: BuiltOrder | Unbuildable | null;
}

/**
 * Builds the best quote. If simulation shows that its transaction would fail, it removes the failing pools and tries
 * the next best quote, up to four in total.
 */
async function buildBestQuote(
  dependencies: OrderDependencies,
  asked: Pick<EngineRequest, 'order' | 'requestId' | 'caller' | 'noteBid'>,
  fee: PlatformFee | null,
): Promise<TriedWinner> {
  const { order } = asked;
  const engines = findEligibleEngines(dependencies.engines, order).map(askOnce);
  const avoid = new Set<Address>();
  let failure: SwapRefused | null = null;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const request = { ...asked, fee, isOnlyEngine: engines.length === 1, avoid };
    const winner = await compete(engines, request, createContest(dependencies)).catch((error: unknown) => {
      // Every remaining route would fail.
      throw error instanceof SwapRefused ? (failure ?? error) : error;
    });
    if (order.taker === null) return { winner, built: null };
    try {
      return { winner, built: await winner.quote.build() };
    } catch (error) {
      if (!(error instanceof SwapRefused && error.reason.kind === 'failing')) throw error;
      failure = error;
      const { settlement } = winner.quote;
      if (settlement.kind === 'maker') continue;
      const failing = findFailingPools(dependencies.venueLabels, settlement.route, error.reason);
      for (const pool of failing) avoid.add(pool);
    }
  }
  throw failure ?? new Error('no quote was tried');
}

/** An order must not ask makers again because a pool fails: the owner of a pool could multiply their questions. */
function askOnce(engine: Engine): Engine {
  if (!engine.asksOthers) return engine;
  let answer: ReturnType<Engine['quote']> | null = null;
  return { ...engine, quote: (request, signal, offer) => (answer ??= engine.quote(request, signal, offer)) };
}

function createContest({ quoteDeadlineMs, timers, onDefect }: OrderDependencies) {
  return {
    deadlineMs: quoteDeadlineMs,
    timers,
    onDefect: (router: string, error: unknown) => onDefect(`engine ${router}`, error),
  };
}

function findEligibleEngines(engines: readonly Engine[], { excludedRouters, payer }: OrderRequest) {
  const left = engines.filter(({ router }) => !excludedRouters.has(router));
  if (left.length === 0) {
    throw createUnquoted({ kind: 'no-router-left', routers: engines.map(({ router }) => router) });
  }
  if (payer === null) return left;
  const taking = left.filter(({ takesPayer }) => takesPayer);
  if (taking.length > 0) return taking;
  throw createUnquoted({ kind: 'no-router-takes-payer', excluded: [...excludedRouters] });
}

function createStoredOrder(
  { pools }: { readonly pools: Pools },
  order: OrderRequest,
  taker: Address,
  requestId: string,
  { engine, quote: { sponsorship, inAmount = order.amount, settlement } }: Winner,
  built: BuiltOrder,
): StoredOrder {
  const { inputMint, outputMint, receiver, tipLamports } = order;
  const { coSigner } = built;
  const isMakers = settlement.kind === 'maker' || coSigner !== null;
  return {
    ...prepareTransaction(built, { requestId, taker, sponsorship }),
    router: engine.router,
    inputMint,
    outputMint,
    receiver,
    tipLamports,
    ...(settlement.kind === 'maker' ? { webhookFill: settlement.fill } : {}),
    ...(coSigner === null ? {} : { coSigner }),
    ...(isMakers ? findSpending(pools, order.inputMint, inAmount, taker) : {}),
  };
}

/**
 * An order with a maker takes its input from the taker's wallet if it is SOL, and otherwise from its token account.
 */
function findSpending(
  pools: Pools,
  inputMint: Address,
  amount: bigint,
  taker: Address,
): Pick<StoredOrder, 'spends'> {
  if (inputMint === WRAPPED_SOL_MINT) return { spends: { account: taker, isNative: true, amount } };
  const tokenProgram = pools.account(inputMint)?.owner;
  if (tokenProgram === undefined) return {};
  const account = deriveAssociatedTokenAddress(taker, inputMint, tokenProgram);
  return { spends: { account, isNative: false, amount } };
}
