import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { Unusable } from '../venue.ts';

/** What is wrong with a pool, on its way to the `Unusable` that its venue's `decode` returns. */
export class PoolUnusable extends Error {}

/** What `decode` makes of a pool, or why the pool cannot be used: it throws `PoolUnusable`, or `LayoutInvalid`. */
export function usableOr<State>(decode: () => State): State | Unusable {
  try {
    return decode();
  } catch (error) {
    if (error instanceof PoolUnusable || error instanceof LayoutInvalid) return { unusable: error.message };
    throw error;
  }
}
