import {
  parseSeparateQuoteRequest,
  toSeparateQuoteResponse,
} from '../../products/swap/endpoints/quote-and-swap/quote.ts';
import {
  parseSeparateSwapRequest,
  type SeparateSwapBody,
} from '../../products/swap/endpoints/quote-and-swap/swap-body.ts';
import {
  type SeparateSwapInstructions,
  type SeparateSwapResponse,
  toSeparateSwapInstructions,
  toSeparateSwapResponse,
} from '../../products/swap/endpoints/quote-and-swap/swap.ts';
import type { QuoteResponse } from '../../products/swap/endpoints/v1/quote.ts';
import type { Query } from '../../products/parameters/parameter.ts';
import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import { type QuoteDependencies, quoteSwap } from '../../swaps/quoted-swaps/quote.ts';
import { buildSwapInstructions, buildSwapTransaction } from '../../swaps/quoted-swaps/swap.ts';
import { throwPublicRefusal } from './public-refusal.ts';

/** The answer of `GET /swap/v2/quote`. */
export function quoteV2(swap: QuoteDependencies, query: Query, labels: readonly string[]): QuoteResponse {
  try {
    return toSeparateQuoteResponse(quoteSwap(swap, parseSeparateQuoteRequest(query, labels)));
  } catch (error) {
    return throwPublicRefusal(error);
  }
}

/** The answer of `POST /swap/v2/swap`. */
export async function swapV2(market: SwapMarket, body: SeparateSwapBody): Promise<SeparateSwapResponse> {
  const request = parseSeparateSwapRequest(body);
  return toSeparateSwapResponse(await buildSwapTransaction(market, request).catch(throwPublicRefusal));
}

/** The answer of `POST /swap/v2/swap-instructions`. */
export async function buildSwapInstructionsV2(
  market: SwapMarket,
  body: SeparateSwapBody,
): Promise<SeparateSwapInstructions> {
  const request = parseSeparateSwapRequest(body);
  return toSeparateSwapInstructions(await buildSwapInstructions(market, request).catch(throwPublicRefusal));
}
