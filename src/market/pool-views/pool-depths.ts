import type { ChainClock } from '../../chain/chain.ts';
import type { PoolState } from '../../protocol/venue/venue.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import { computeDepthCurve, type DepthCurve, quoteAlone } from './depth-curve.ts';

/** The curves of a pool in both directions. */
export interface PoolCurves {
  /** Changes whenever the curves do. Two pools, or two runs of Sluice, may have the same number. */
  readonly revision: number;
  /** The input is the first of the pool's mints, and then the second. */
  readonly curves: readonly [DepthCurve, DepthCurve];
}

interface KnownCurves {
  readonly found: PoolCurves;
  slot: bigint;
}

/**
 * The depth of pools, computed when it is asked for. A pool that has not changed is not computed again: what it quotes may
 * still change with the time, so the smallest and the largest amounts are quoted again, once a slot.
 */
export class PoolDepths {
  /** A state is replaced when it changes, and what is known of it is then forgotten. */
  readonly #known = new WeakMap<PoolState, KnownCurves>();
  #revisions = 0;

  /** Returns the curves of a pool at the clock's time. */
  getCurves(handle: PoolHandle, clock: ChainClock): PoolCurves {
    const known = this.#known.get(handle.pool);
    if (known !== undefined && (known.slot === clock.slot || isStillTrue(known.found, handle, clock))) {
      known.slot = clock.slot;
      return known.found;
    }
    const [first, second] = handle.pool.mints;
    const curves = [
      computeDepthCurve(handle, first, clock),
      computeDepthCurve(handle, second, clock),
    ] as const;
    const found = { revision: ++this.#revisions, curves };
    this.#known.set(handle.pool, { found, slot: clock.slot });
    return found;
  }
}

/** Whether the pool quotes the ends of its curves as it did. A fee that is lower or higher shows in the largest amount. */
function isStillTrue({ curves }: PoolCurves, handle: PoolHandle, clock: ChainClock): boolean {
  return curves.every(({ inputMint, points }) => {
    const ends = points.length === 0 ? [] : [points[0], points.at(-1)];
    // A direction that was closed may have opened.
    if (ends.length === 0) return false;
    return ends.every(
      (point) =>
        point !== undefined &&
        quoteAlone(handle, inputMint, point.inAmount, clock)?.outAmount === point.outAmount,
    );
  });
}
