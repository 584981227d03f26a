import type { ChainClock } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { BEYOND_RESERVES, isCharged, mayPayMoreForMore } from '../estimate-received.ts';
import type { PoolHandle } from '../pools/liquidity.ts';
import type { Edge } from './candidate-edges.ts';
import { Ranking } from './ranking.ts';

/** The most pools that one hop may use in parallel. */
export const MAX_POOLS_PER_HOP = 6;
/** How many of them are chosen by what they pay for the amount. The others are the deepest, which a split may need. */
const CHOSEN_BY_AMOUNT = 4;

/** An edge with more pools than one hop may use. Which of them matter depends on the amount, and changes with every swap. */
export class CrowdedEdge implements Edge {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly isCharged: boolean;
  dearInParts: boolean;
  readonly #all: readonly PoolHandle[];
  #handles: readonly PoolHandle[] = [];

  /** Has no pools before `choose` is called. */
  constructor(all: readonly PoolHandle[], inputMint: Address, outputMint: Address) {
    this.inputMint = inputMint;
    this.outputMint = outputMint;
    this.isCharged = all.some(isCharged);
    this.dearInParts = all.some(mayPayMoreForMore);
    this.#all = all;
  }

  get handles(): readonly PoolHandle[] {
    return this.#handles;
  }

  /**
   * Chooses the pools that pay most for the amount, then the deepest. Depth alone would let whoever fills six pools that charge
   * nearly everything keep out all others.
   *
   * @param amount - About what arrives at the edge, in atoms of the input mint.
   */
  choose(amount: number, clock: ChainClock): void {
    const { inputMint } = this;
    const handles: PoolHandle[] = [];
    const byAmount = new Ranking<PoolHandle>(CHOSEN_BY_AMOUNT);
    const byDepth = new Ranking<PoolHandle>(MAX_POOLS_PER_HOP);
    for (const handle of this.#all) {
      const { venue, pool } = handle;
      // An offer in lots is never deep: it takes part for its price.
      if (venue.wholeLots === true) {
        handles.push(handle);
        continue;
      }
      const paid = venue.estimate(pool, inputMint, amount, clock);
      if (paid > byAmount.least) byAmount.insert(handle, paid);
      const depth = venue.estimate(pool, inputMint, BEYOND_RESERVES, clock);
      if (depth > byDepth.least) byDepth.insert(handle, depth);
    }
    for (const handle of byAmount.items) handles.push(handle);
    for (const handle of byDepth.items) if (!handles.includes(handle)) handles.push(handle);
    handles.length = Math.min(handles.length, MAX_POOLS_PER_HOP);
    this.#handles = handles;
  }
}
