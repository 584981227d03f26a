import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import {
  toQuoteResponse,
  type QuoteResponse,
  parseQuoteRequest,
} from '../../products/swap/endpoints/v1/quote.ts';
import { type SwapBody, parseSwapRequest } from '../../products/swap/endpoints/v1/swap-request.ts';
import {
  type SwapInstructionsResponse,
  type SwapResponse,
  toSwapInstructionsResponse,
  toSwapResponse,
} from '../../products/swap/endpoints/v1/swap.ts';
import type { Query } from '../../products/parameters/parameter.ts';
import { type QuoteDependencies, quoteSwap } from '../../swaps/quoted-swaps/quote.ts';
import { buildSwapInstructions, buildSwapTransaction } from '../../swaps/quoted-swaps/swap.ts';
import { throwPublicRefusal } from './public-refusal.ts';

/** The answer of `GET /swap/v1/quote`. */
export function quoteV1(swap: QuoteDependencies, query: Query, labels: readonly string[]): QuoteResponse {
  try {
    return toQuoteResponse(quoteSwap(swap, parseQuoteRequest(query, labels)));
  } catch (error) {
    return throwPublicRefusal(error);
  }
}

/** The answer of `POST /swap/v1/swap`. */
export async function swapV1(market: SwapMarket, body: SwapBody): Promise<SwapResponse> {
  const request = parseSwapRequest(body);
  return toSwapResponse(await buildSwapTransaction(market, request).catch(throwPublicRefusal));
}

/** The answer of `POST /swap/v1/swap-instructions`. */
export async function buildSwapInstructionsV1(
  market: SwapMarket,
  body: SwapBody,
): Promise<SwapInstructionsResponse> {
  const request = parseSwapRequest(body);
  return toSwapInstructionsResponse(await buildSwapInstructions(market, request).catch(throwPublicRefusal));
}
