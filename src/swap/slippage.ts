import { type Bps, bps } from '../solana/units.ts';

/** What a swap may lose while its transaction lands: every swap may see some other trade go first. */
const FLOOR_BPS = 20;
/** Each pool after the first is one more that others can move. */
const PER_FURTHER_POOL_BPS = 5;
const CEILING_BPS = 300;

export interface SlippageGrounds {
  /** Share of the price that the swap's own size costs, as a decimal; 0.01 is one percent. */
  readonly priceImpact: number;
  readonly pools: number;
}

/**
 * The slippage for a swap whose author did not choose one: a floor, something for each further pool, and the swap's own
 * price impact, since another trade of half its size in the same direction, landing first, costs it as much.
 * Never above 3 %, because what is allowed to be lost can be taken.
 */
export function automaticSlippage({ priceImpact, pools }: SlippageGrounds): Bps {
  const depth = Math.ceil(Math.max(0, priceImpact) * 10_000);
  const wanted = FLOOR_BPS + PER_FURTHER_POOL_BPS * Math.max(0, pools - 1) + depth;
  return bps(Math.min(CEILING_BPS, wanted));
}
