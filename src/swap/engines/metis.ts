import { priceImpact } from '../../market/price-impact.ts';
import type { Liquidity } from '../../market/pools.ts';
import type { Route } from '../../market/router/index.ts';
import { type BookLiquidity, fillTermsOf, JUPITER_RFQ_V2 } from '../../rfq/index.ts';
import { MAX_ACCOUNTS } from '../../solana/message-accounts.ts';
import { WRAPPED_SOL_MINT } from '../../solana/programs.ts';
import type { Bps } from '../../solana/units.ts';
import { bestFit } from '../best-fit.ts';
import type { BuildParts } from '../build-parts.ts';
import { SwapRefused } from '../errors.ts';
import { NOBODY } from '../nobody.ts';
import type { OrderRequest } from '../order-request.ts';
import { buildOrderTransaction } from '../order-transaction.ts';
import { routePlanJson } from '../route-plan-json.ts';
import { slippageFor } from '../slippage.ts';
import type { Destination, SwapTerms } from '../swap-terms.ts';
import { allowsVenue } from '../venue-choice.ts';
import type { Engine, EngineQuote, EngineRefusal, EngineRequest } from './engine.ts';

export interface MetisParts extends BuildParts {
  /** What makers stream; null where there are no makers. */
  readonly books: BookLiquidity | null;
}

/** The on-chain router: routes over the pools and the makers' books, executed by the aggregator program. */
export function metisEngine(parts: MetisParts): Engine {
  let builds = 0;
  return {
    router: 'metis',
    swapType: 'aggregator',
    takesPayer: true,
    quote: async (request) => quote(parts, request, () => builds++),
  };
}

function quote(
  parts: MetisParts,
  request: EngineRequest,
  nextSerial: () => number,
): EngineQuote | EngineRefusal {
  try {
    return bestQuote(parts, request, nextSerial);
  } catch (error) {
    if (error instanceof SwapRefused) return { refused: error.message };
    throw error;
  }
}

function bestQuote(parts: MetisParts, { order, fee }: EngineRequest, nextSerial: () => number): EngineQuote {
  const slippageOf = (route: Route): Bps => order.slippageBps ?? slippageFor(parts, route);
  const terms = termsOf(order, fee);
  const { route, assembly } = bestFit(parts, terms, fee, slippageOf, liquidityFor(parts, order));
  const coSigner = fillTermsOf(route);
  return {
    outAmount: assembly.quotedOut,
    threshold: assembly.threshold,
    slippageBps: assembly.slippageBps,
    priceImpact: priceImpact(route, parts.chain.clock()),
    routePlan: routePlanJson(route),
    feeAmount: fee === null ? null : fee.amountOf(fee.side === 'input' ? order.amount : route.outAmount),
    build: () => buildOrderTransaction(parts, { order, terms, assembly, coSigner, serial: nextSerial() }),
  };
}

/**
 * All pools, and the pools with one book each for the books that promise most. A fill pays the taker's own account and
 * has the taker pay for the transaction, so books take no part for another receiver or payer.
 */
function liquidityFor({ pools, books }: MetisParts, order: OrderRequest): readonly Liquidity[] {
  const eligible = order.payer === null && order.receiver === null;
  if (books === null || !eligible || !allowsVenue(order.venues, JUPITER_RFQ_V2.label)) return [pools];
  return [pools, ...books.beside(pools, order)];
}

function termsOf(order: OrderRequest, fee: EngineRequest['fee']): SwapTerms {
  const taker = order.taker ?? NOBODY;
  return {
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    amount: order.amount,
    taker,
    payer: order.payer ?? taker,
    fast: false,
    venues: order.venues,
    maxAccounts: MAX_ACCOUNTS,
    platformFee: fee === null ? undefined : { bps: fee.bps, account: fee.account },
    wrapAndUnwrapSol: true,
    destination: destinationOf(order),
    tipAmount: order.tipLamports,
    returnsRent: true,
  };
}

function destinationOf({ receiver, outputMint }: OrderRequest): Destination {
  if (receiver === null) return { kind: 'taker' };
  return { kind: outputMint === WRAPPED_SOL_MINT ? 'native' : 'wallet', address: receiver };
}
