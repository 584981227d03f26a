import type { SwapMarket } from '../../src/products/swap/build/swap-market.ts';
import { toQuoteResponse } from '../../src/products/swap/endpoints/v1/quote-response.ts';
import type {
  QuoteResponse,
  SwapBody,
  SwapInstructionsResponse,
  SwapResponse,
} from '../../src/products/swap/endpoints/v1/schema.ts';
import { parseSwapRequest } from '../../src/products/swap/endpoints/v1/swap-request.ts';
import {
  toSwapInstructionsResponse,
  toSwapResponse,
} from '../../src/products/swap/endpoints/v1/swap-response.ts';
import type { Query } from '../../src/products/swap/query.ts';
import { type QuoteDependencies, quoteSwap } from '../../src/products/swap/v1/quote.ts';
import { parseQuoteRequest } from '../../src/products/swap/v1/quote-request.ts';
import { swapInstructions, swapTransaction } from '../../src/products/swap/v1/swap.ts';

/** The answer of `GET /swap/v1/quote`. */
export function quoteV1(swap: QuoteDependencies, query: Query, labels: readonly string[]): QuoteResponse {
  return toQuoteResponse(quoteSwap(swap, parseQuoteRequest(query, labels)));
}

/** The answer of `POST /swap/v1/swap`. */
export async function swapV1(market: SwapMarket, body: SwapBody): Promise<SwapResponse> {
  return toSwapResponse(await swapTransaction(market, parseSwapRequest(body)));
}

/** The answer of `POST /swap/v1/swap-instructions`. */
export async function swapInstructionsV1(
  market: SwapMarket,
  body: SwapBody,
): Promise<SwapInstructionsResponse> {
  return toSwapInstructionsResponse(await swapInstructions(market, parseSwapRequest(body)));
}
