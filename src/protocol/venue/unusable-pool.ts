import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { Unusable } from './venue.ts';

/** Thrown within a venue's `decode`, which turns it into `Unusable`. */
export class PoolUnusable extends Error {}

/** Returns the result of `decode`, or why the pool cannot be used if it throws `PoolUnusable` or `LayoutInvalid`. */
export function decodeOrUnusable<State>(decode: () => State): State | Unusable {
  try {
    return decode();
  } catch (error) {
    if (error instanceof PoolUnusable || error instanceof LayoutInvalid) return { unusable: error.message };
    throw error;
  }
}
