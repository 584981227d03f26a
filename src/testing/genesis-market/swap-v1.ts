import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import { toQuoteResponse } from '../../products/swap/endpoints/v1/quote-response.ts';
import type {
  QuoteResponse,
  SwapBody,
  SwapInstructionsResponse,
  SwapResponse,
} from '../../products/swap/endpoints/v1/schema.ts';
import { parseSwapRequest } from '../../products/swap/endpoints/v1/swap-request.ts';
import {
  toSwapInstructionsResponse,
  toSwapResponse,
} from '../../products/swap/endpoints/v1/swap-response.ts';
import type { Query } from '../../products/parameters/parameter.ts';
import { type QuoteDependencies, quoteSwap } from '../../swaps/quoted-swaps/quote.ts';
import { parseQuoteRequest } from '../../products/swap/endpoints/v1/quote-parameters.ts';
import { buildSwapInstructions, buildSwapTransaction } from '../../swaps/quoted-swaps/swap.ts';

/** The answer of `GET /swap/v1/quote`. */
export function quoteV1(swap: QuoteDependencies, query: Query, labels: readonly string[]): QuoteResponse {
  return toQuoteResponse(quoteSwap(swap, parseQuoteRequest(query, labels)));
}

/** The answer of `POST /swap/v1/swap`. */
export async function swapV1(market: SwapMarket, body: SwapBody): Promise<SwapResponse> {
  return toSwapResponse(await buildSwapTransaction(market, parseSwapRequest(body)));
}

/** The answer of `POST /swap/v1/swap-instructions`. */
export async function buildSwapInstructionsV1(
  market: SwapMarket,
  body: SwapBody,
): Promise<SwapInstructionsResponse> {
  return toSwapInstructionsResponse(await buildSwapInstructions(market, parseSwapRequest(body)));
}
