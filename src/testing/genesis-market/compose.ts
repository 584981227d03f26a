import { createSwapEngines, type SwapEngineOptions } from '../../app/swap-engines.ts';
import { composeSwap, type SwapOptions } from '../../products/swap/compose-swap.ts';
import type { ComposedSwap } from '../../products/swap/order/swap-services.ts';
import type { SwapMarket } from '../../swaps/build/swap-market.ts';

/** Composes the swap product with the engines of the application. */
export function composeTestSwap(
  market: SwapMarket,
  options: Omit<SwapOptions, 'engines'> & SwapEngineOptions,
): ComposedSwap {
  return composeSwap(market, { ...options, engines: createSwapEngines(market, options) });
}
