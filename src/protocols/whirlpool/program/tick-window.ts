import type { Address } from '../../../solana/address.ts';
import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import { deriveTickArrayAddress } from './addresses.ts';
import { SWAP_TICK_ARRAYS, TICK_ARRAY_SIZE } from './program.ts';
import { isTickArrayStart, computeTickArrayStart } from './tick-array.ts';

/** The start ticks of the arrays that a swap may walk through, in order. */
export interface TickWindow {
  /** For a falling price: the array of the current tick, and the two below. */
  readonly down: readonly number[];
  /** For a rising price: the array of the first tick above the current one, and the two above. */
  readonly up: readonly number[];
}

export function computeTickWindow(tick: number, tickSpacing: number): TickWindow {
  const span = TICK_ARRAY_SIZE * tickSpacing;
  const current = computeTickArrayStart(tick, tickSpacing);
  const above = tick + tickSpacing >= current + span ? current + span : current;
  return { down: starts(current, -span, tickSpacing), up: starts(above, span, tickSpacing) };
}

function starts(first: number, step: number, tickSpacing: number): number[] {
  return Array.from({ length: SWAP_TICK_ARRAYS }, (_, i) => first + i * step).filter((start) =>
    isTickArrayStart(start, tickSpacing),
  );
}

/** Cached by pool, because deriving an address takes far longer than everything else in an update of a pool. */
const addressesOfPools = new BoundedCache<Address, Map<number, Address>>(1 << 16);
/** A window has at most six arrays. Twice as many let a price move back and forth between two windows. */
const KEPT_PER_POOL = 12;

/** Returns the addresses of the pool's arrays with these start ticks. */
export function deriveTickArrayAddresses(pool: Address, arrayStarts: readonly number[]): Address[] {
  let known = addressesOfPools.get(pool);
  if (known === undefined) {
    known = new Map();
    addressesOfPools.set(pool, known);
  }
  return arrayStarts.map((start) => lookUp(known, pool, start));
}

function lookUp(known: Map<number, Address>, pool: Address, start: number): Address {
  const found = known.get(start);
  if (found !== undefined) return found;
  if (known.size >= KEPT_PER_POOL) known.clear();
  const address = deriveTickArrayAddress(pool, start);
  known.set(start, address);
  return address;
}
