import { SOL_MINT, USDC_MINT } from '../../../../base/mints.ts';
import type { PoolRow, PoolToken } from './pool-shape.ts';
import { findPoolTokens } from './pool-shape.ts';

const USDT_MINT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB';

/** A pool as a reader looks at it: prices are in the quote token for one of the base token. */
export interface OrientedPool {
  readonly base: PoolToken;
  readonly quote: PoolToken;
  /** Whether the base token is the pool's second one. */
  readonly isTurned: boolean;
}

/**
 * Decides in which of its tokens the prices of a pool are shown: in dollars, or else in SOL, or else in the second one.
 *
 * @param isFlipped - Whether the reader wants the other one.
 * @returns null for a pool that cannot be read
 */
export function orientPool(row: Pick<PoolRow, 'pair'>, isFlipped = false): OrientedPool | null {
  const tokens = findPoolTokens(row);
  if (tokens === null) return null;
  const [first, second] = tokens;
  const isTurned = rankMoney(first.mint) > rankMoney(second.mint) !== isFlipped;
  return isTurned ? { base: second, quote: first, isTurned } : { base: first, quote: second, isTurned };
}

/** Returns a price of the pool's first token in its second one as one of the base token in the quote token. */
export function orientPrice(
  price: number | null,
  { isTurned }: Pick<OrientedPool, 'isTurned'>,
): number | null {
  const turned = price === null || !isTurned ? price : 1 / price;
  return turned !== null && Number.isFinite(turned) && turned > 0 ? turned : null;
}

function rankMoney(mint: string): number {
  if (mint === USDC_MINT || mint === USDT_MINT) return 2;
  return mint === SOL_MINT ? 1 : 0;
}
