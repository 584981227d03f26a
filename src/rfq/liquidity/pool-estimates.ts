import { estimateReceived } from '../../market/estimate-received.ts';
import type { Liquidity } from '../../market/pools/liquidity.ts';
import type { Address } from '../../solana/address.ts';
import type { LiquidityRequest } from '../../swaps/extra-liquidity.ts';

/** A request with the pools that compete with the books. */
export interface EstimateRequest extends LiquidityRequest {
  readonly pools: Liquidity;
  readonly avoid: ReadonlySet<Address>;
}

/** Estimates what the pools pay: the best pool of the pair, or a path over one of the most connected mints. */
export function estimatePoolPayout(
  search: EstimateRequest,
  from: Address,
  to: Address,
  amount: number,
): number {
  if (amount <= 0) return 0;
  const direct = estimateBestPool(search, from, to, amount);
  if (direct > 0) return direct;
  let most = 0;
  for (const hub of search.pools.hubs()) {
    const there = hub === from || hub === to ? 0 : estimateBestPool(search, from, hub, amount);
    if (there > 0) most = Math.max(most, estimateBestPool(search, hub, to, there));
  }
  return most;
}

/** Estimates what the best pool of the pair pays. */
export function estimateBestPool(
  { pools, allows, avoid, clock }: EstimateRequest,
  from: Address,
  to: Address,
  amount: number,
): number {
  let most = 0;
  for (const handle of pools.between(from, to)) {
    if (allows?.(handle.venue.label) === false || avoid.has(handle.pool.address)) continue;
    most = Math.max(most, estimateReceived(handle, from, amount, clock));
  }
  return most;
}
