import type { AccountView } from '../../chain/accounts.ts';
import { findTokenByMint } from '../../solana/known-tokens.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { PoolPrices } from '../../market/prices/pool-prices.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import type { Address } from '../../solana/address.ts';
import {
  evaluate,
  type EvaluationRequest,
  type Portfolio,
} from '../../products/portfolio/evaluation/evaluate.ts';
import { COLLECTIONS } from '../../sandbox/demo/collections.ts';
import { createPricing } from '../../products/portfolio/pricing.ts';

/** Evaluates a wallet with the prices of these pools. A defect in a fetcher is thrown. */
export function evaluateForTest(
  view: AccountView,
  pools: Pools,
  owner: Address,
  fetchers: readonly PositionFetcher[],
  options: Partial<EvaluationRequest> = {},
): Promise<Portfolio> {
  const request = { owner, fetchers, platforms: null, hideSpam: false, ...options };
  return evaluate(view, request, {
    ...createPricing(pools, new PoolPrices(pools), COLLECTIONS),
    listed: findTokenByMint,
    timers: SYSTEM_TIMERS,
    deadlineMs: 60_000,
    onDefect: (_, error) => {
      throw error;
    },
  });
}
