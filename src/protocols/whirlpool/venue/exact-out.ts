import type { Address } from '../../../solana/address.ts';
import { isAToB } from './instructions.ts';
import type { WhirlpoolPool } from './pool.ts';

const known = new WeakMap<
  WhirlpoolPool,
  [WhirlpoolPool | null | undefined, WhirlpoolPool | null | undefined]
>();

/**
 * The aggregator refuses an exact output if one of the tick arrays that its step names was never created. So the step names
 * only those that exist, the last one again in the places of the others, and the swap must end within them.
 *
 * Returns null if the first array does not exist.
 */
export function forExactOut(pool: WhirlpoolPool, inputMint: Address): WhirlpoolPool | null {
  const aToB = isAToB(pool, inputMint);
  let both = known.get(pool);
  if (both === undefined) {
    both = [undefined, undefined];
    known.set(pool, both);
  }
  const side = aToB ? 0 : 1;
  const found = both[side] === undefined ? within(pool, aToB) : both[side];
  both[side] = found;
  return found;
}

function within(pool: WhirlpoolPool, aToB: boolean): WhirlpoolPool | null {
  const arrays = aToB ? pool.down : pool.up;
  const missing = arrays.findIndex(({ missing: is }) => is === true);
  if (missing === 0 || arrays.length === 0) return null;
  if (missing < 0) return pool;
  const existing = arrays.slice(0, missing);
  return aToB ? { ...pool, down: existing } : { ...pool, up: existing };
}
