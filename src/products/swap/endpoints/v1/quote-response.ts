import type { Leg } from '../../../../market/router/index.ts';
import type { SwapQuote } from '../../../../swaps/quoted-swaps/quote.ts';
import { toSwapInfoWithFeeJson } from '../json/route-plan-json.ts';
import type { QuoteResponse } from './schema.ts';

/** Maps a quote to the body of `GET /swap/v1/quote`. */
export function toQuoteResponse(quote: SwapQuote): QuoteResponse {
  const { platformFee } = quote;
  return {
    inputMint: quote.inputMint,
    inAmount: quote.inAmount.toString(),
    outputMint: quote.outputMint,
    outAmount: quote.outAmount.toString(),
    otherAmountThreshold: quote.otherAmount.toString(),
    instructionVersion: quote.version,
    swapMode: quote.swapMode,
    slippageBps: quote.slippageBps,
    platformFee:
      platformFee === null ? null : { amount: platformFee.amount.toString(), feeBps: platformFee.bps },
    priceImpactPct: quote.priceImpact,
    routePlan: quote.route.legs.map(routePlanStep),
    mostReliableAmmsQuoteReport: {
      info: Object.fromEntries(quote.singlePools.map(({ pool, outAmount }) => [pool, outAmount.toString()])),
    },
    contextSlot: Number(quote.slot),
    timeTaken: quote.totalMs / 1_000,
  };
}

function routePlanStep(leg: Leg): QuoteResponse['routePlan'][number] {
  const { bps } = leg;
  return {
    swapInfo: toSwapInfoWithFeeJson(leg),
    percent: bps % 100 === 0 ? bps / 100 : null,
    bps,
  };
}
