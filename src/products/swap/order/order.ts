import { type PlatformFee, referralFee } from '../fees.ts';
import { requireAvailable } from '../../../chain/chain.ts';
import { dollarsPerAtom } from '../../../market/prices/prices.ts';
import type { MakerTrades } from '../../../rfq/index.ts';
import type { Address } from '../../../solana/address.ts';
import { associatedTokenAddress } from '../../../solana/pda.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { BuildParts } from '../build/build-parts.ts';
import { compete, type Winner } from '../engines/compete.ts';
import {
  type BuiltOrder,
  type Engine,
  type EngineQuote,
  totalOf,
  type Unbuildable,
} from '../engines/engine.ts';
import { SwapRefused, SwapWouldFail } from '../errors.ts';
import type { ExecuteResponse } from '../execution/execute-schema.ts';
import type { OrderRequest } from '../engines/order-request.ts';
import type { OrderStore, StoredOrder } from '../execution/stored-order.ts';
import type { Sponsor } from '../../../transactions/sponsor/sponsor.ts';
import type { Timers } from '../../../common/ports/timers.ts';

export interface OrderParts extends BuildParts {
  /** In the order in which they win when they pay the same. */
  readonly engines: readonly Engine[];
  /** Milliseconds that engines have to quote. */
  readonly quoteDeadlineMs: number;
  readonly orders: OrderStore<ExecuteResponse>;
  /** Pays for takers without SOL; null where nobody does. */
  readonly sponsor: Sponsor | null;
  /** Told what becomes of makers' books; null where there are no makers. */
  readonly trades: MakerTrades | null;
  readonly timers: Timers;
  readonly newRequestId: () => string;
  /** Labels of the venues that routes may use, by the program. */
  readonly venueLabels: Readonly<Record<string, string>>;
  /** Told of a defect that does not keep the request from being answered. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** What an order is answered with. */
export interface SwapOrder {
  /** What `/execute` names the order by. */
  readonly requestId: string;
  readonly request: OrderRequest;
  /** The engine that won, and its quote. */
  readonly engine: Engine;
  readonly quote: EngineQuote;
  /** What the taker pays and gets in US dollars; null where no pool prices the token. */
  readonly dollars: { readonly in: number | null; readonly out: number | null };
  /** Null without a taker. */
  readonly built: BuiltOrder | Unbuildable | null;
  /** Milliseconds that quoting and building have taken. */
  readonly totalMs: number;
}

/**
 * The best quote of all engines, and for a taker the transaction to sign, which is kept for `/execute`.
 * @throws SwapRefused when no engine quotes, or the request contradicts the chain.
 * @throws ChainUnavailable while the chain is out of date
 */
export async function orderSwap(
  parts: OrderParts,
  order: OrderRequest,
  requestId: string,
): Promise<SwapOrder> {
  requireAvailable(parts.chain);
  checkPayer(parts, order);
  const startedAt = parts.timers.now();
  const fee = await referralFee(parts, order);
  const { winner, built } = await bestThatRuns(parts, order, fee);
  const dollars = dollarsOf(parts, order, winner.quote.outAmount);
  if (order.taker !== null && built !== null && built.unbuildable === undefined) {
    await parts.orders.put(storedOrder(parts, order, order.taker, requestId, winner, built));
    parts.trades?.ordered(winner.quote.makerIds, built.coSigner?.makerId ?? null);
  }
  const { engine, quote } = winner;
  const totalMs = parts.timers.now() - startedAt;
  return { requestId, request: order, engine, quote, dollars, built, totalMs };
}

function dollarsOf({ pools }: BuildParts, order: OrderRequest, outAmount: bigint): SwapOrder['dollars'] {
  const paid = dollarsPerAtom(pools, order.inputMint);
  const got = dollarsPerAtom(pools, order.outputMint);
  return {
    in: paid === null ? null : paid * Number(order.amount),
    out: got === null ? null : got * Number(outAmount),
  };
}

/** The sponsor pays by its own decision, never because a request names its address. */
function checkPayer({ sponsor }: OrderParts, { payer }: OrderRequest): void {
  if (sponsor === null || payer !== sponsor.keypair.address) return;
  throw new SwapRefused(
    `payer must be a wallet of your own that signs, but ${payer} is the sponsor's; leave payer out to be sponsored`,
  );
}

/** So many quotes are tried whose transactions turn out not to run. */
const ATTEMPTS = 4;

interface Tried {
  readonly winner: Winner;
  /** Null without a taker. */
  readonly built: BuiltOrder | Unbuildable | null;
}

/** The best quote with its transaction; when simulation refuses that, the best one without the pools that are why. */
async function bestThatRuns(parts: OrderParts, order: OrderRequest, fee: PlatformFee | null): Promise<Tried> {
  const engines = eligibleEngines(parts.engines, order);
  const avoid = new Set<Address>();
  let failure: SwapWouldFail | null = null;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const request = { order, fee, avoid };
    const winner = await compete(engines, request, contest(parts)).catch((error: unknown) => {
      // There is nothing left besides what would fail.
      throw error instanceof SwapRefused ? (failure ?? error) : error;
    });
    if (order.taker === null) return { winner, built: null };
    try {
      return { winner, built: await winner.engine.build(request, winner.quote) };
    } catch (error) {
      if (!(error instanceof SwapWouldFail)) throw error;
      failure = error;
      for (const pool of failingPools(parts, winner, error.program)) avoid.add(pool);
    }
  }
  throw failure ?? new Error('no quote was tried');
}

/** The pools of the program that refused, or all of the route where it is none of theirs. */
function failingPools(
  { venueLabels }: OrderParts,
  { quote: { route } }: Winner,
  program: Address | null,
): readonly Address[] {
  const label = program === null ? undefined : venueLabels[program];
  const failing = route.legs.filter(({ market }) => market.venue.label === label);
  return (failing.length > 0 ? failing : route.legs).map(({ market }) => market.pool.address);
}

function contest({ quoteDeadlineMs, timers, onDefect }: OrderParts) {
  return {
    deadlineMs: quoteDeadlineMs,
    timers,
    onDefect: (router: string, error: unknown) => onDefect(`engine ${router}`, error),
  };
}

function eligibleEngines(engines: readonly Engine[], { excludedRouters, payer }: OrderRequest) {
  const left = engines.filter(({ router }) => !excludedRouters.has(router));
  if (left.length === 0) {
    const names = engines.map(({ router }) => router).join(', ');
    throw new SwapRefused(`excludeRouters leaves no router; those that quote here are: ${names}`);
  }
  if (payer === null) return left;
  const taking = left.filter(({ takesPayer }) => takesPayer);
  if (taking.length > 0) return taking;
  throw new SwapRefused(
    `payer is given, and no router that is not excluded takes one: ${[...excludedRouters].join(', ')}`,
  );
}

function storedOrder(
  { pools }: BuildParts,
  order: OrderRequest,
  taker: Address,
  requestId: string,
  { engine, quote: { sponsorship } }: Winner,
  { messageBytes, lastValidBlockHeight, coSigner, costs }: BuiltOrder,
): StoredOrder {
  const { inputMint, outputMint, receiver, payer, tipLamports } = order;
  return {
    requestId,
    router: engine.router,
    messageBytes,
    lastValidBlockHeight,
    inputMint,
    outputMint,
    taker,
    receiver,
    payer: costs.payer,
    tipLamports,
    ...(payer === null ? {} : { payerLamports: totalOf(costs) }),
    ...(sponsorship === null ? {} : { sponsorship }),
    ...(coSigner === null ? {} : { coSigner, ...spendingOf(pools, order, taker) }),
  };
}

/** An order through a maker takes its input from the taker's wallet where it is SOL, and from its token account otherwise. */
function spendingOf(
  pools: BuildParts['pools'],
  { inputMint, amount }: OrderRequest,
  taker: Address,
): Pick<StoredOrder, 'spends'> {
  if (inputMint === WRAPPED_SOL_MINT) return { spends: { account: taker, isNative: true, amount } };
  const tokenProgram = pools.account(inputMint)?.owner;
  if (tokenProgram === undefined) return {};
  const account = associatedTokenAddress(taker, inputMint, tokenProgram);
  return { spends: { account, isNative: false, amount } };
}
