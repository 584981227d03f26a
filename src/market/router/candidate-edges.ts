import type { Address } from '../../solana/address.ts';
import { isCharged, mayPayMoreForMore } from '../estimate-received.ts';
import type { Liquidity, PoolHandle } from '../pools/liquidity.ts';
import { CrowdedEdge, MAX_POOLS_PER_HOP } from './crowded-edge.ts';

/** One hop of a path: two mints and the pools that may trade them. */
export interface Edge {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly handles: readonly PoolHandle[];
  /** Whether transfers of one of the mints can cost a fee. */
  readonly isCharged: boolean;
  /** Whether a small amount may get a worse price than a large one over any of the pools. */
  readonly dearInParts: boolean;
}

/** Whether a pool may take the mint. */
type MayTrade = (handle: PoolHandle, inputMint: Address) => boolean;

/** Creates each edge once. */
export class Edges {
  readonly #pools: Liquidity;
  /** Null: every pool may take part. */
  readonly #allows: MayTrade | null;
  readonly #made = new Map<Address, Map<Address, Edge | null>>();

  constructor(pools: Liquidity, allows: MayTrade | null) {
    this.#pools = pools;
    this.#allows = allows;
  }

  /** Returns null if no allowed pool trades the two mints. */
  between(inputMint: Address, outputMint: Address): Edge | null {
    let outputs = this.#made.get(inputMint);
    if (outputs === undefined) {
      outputs = new Map();
      this.#made.set(inputMint, outputs);
    }
    let edge = outputs.get(outputMint);
    if (edge === undefined) {
      edge = edgeOver(
        this.#allowed(this.#pools.between(inputMint, outputMint), inputMint),
        inputMint,
        outputMint,
      );
      outputs.set(outputMint, edge);
    }
    return edge;
  }

  /** Returns the list itself if all pools are allowed. */
  #allowed(handles: readonly PoolHandle[], inputMint: Address): readonly PoolHandle[] {
    const allows = this.#allows;
    if (allows === null || handles.every((handle) => allows(handle, inputMint))) return handles;
    return handles.filter((handle) => allows(handle, inputMint));
  }
}

function edgeOver(handles: readonly PoolHandle[], inputMint: Address, outputMint: Address): Edge | null {
  if (handles.length === 0) return null;
  if (handles.length > MAX_POOLS_PER_HOP) return new CrowdedEdge(handles, inputMint, outputMint);
  return {
    inputMint,
    outputMint,
    handles,
    isCharged: handles.some(isCharged),
    dearInParts: handles.some(mayPayMoreForMore),
  };
}
