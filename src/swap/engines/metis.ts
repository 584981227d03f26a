import { priceImpact } from '../../market/price-impact.ts';
import type { Route } from '../../market/router/index.ts';
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
import type { Engine, EngineQuote, EngineRefusal, EngineRequest } from './engine.ts';

/** The on-chain router: routes over the pools, executed by the aggregator program. */
export function metisEngine(parts: BuildParts): Engine {
  let builds = 0;
  return {
    router: 'metis',
    swapType: 'aggregator',
    takesPayer: true,
    quote: async (request) => quote(parts, request, () => builds++),
  };
}

function quote(
  parts: BuildParts,
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

function bestQuote(parts: BuildParts, { order, fee }: EngineRequest, nextSerial: () => number): EngineQuote {
  const slippageOf = (route: Route): Bps => order.slippageBps ?? slippageFor(parts, route);
  const terms = termsOf(order, fee);
  const { route, assembly } = bestFit(parts, terms, fee, slippageOf);
  return {
    outAmount: assembly.quotedOut,
    threshold: assembly.threshold,
    slippageBps: assembly.slippageBps,
    priceImpact: priceImpact(route, parts.chain.clock()),
    routePlan: routePlanJson(route),
    feeAmount: fee === null ? null : fee.amountOf(fee.side === 'input' ? order.amount : route.outAmount),
    build: () => buildOrderTransaction(parts, { order, terms, assembly, serial: nextSerial() }),
  };
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
