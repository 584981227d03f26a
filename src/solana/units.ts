declare const unit: unique symbol;

/** Hundredths of a percent, 0 to 10,000. */
export type Bps = number & { readonly [unit]: 'bps' };

/** The largest amount that a token account, and an on-chain u64 argument, can hold. */
export const U64_MAX = (1n << 64n) - 1n;

/** The order of two amounts, for sorting the smaller first. */
export function compareAmounts(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function bps(value: number): Bps {
  if (!Number.isInteger(value) || value < 0 || value > 10_000) {
    throw new RangeError(`basis points must be a whole number from 0 to 10000, got ${value}`);
  }
  return value as Bps;
}
