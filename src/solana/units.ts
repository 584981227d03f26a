declare const unit: unique symbol;

/** Native coin atoms: 1 SOL is 10^9 lamports. */
export type Lamports = bigint & { readonly [unit]: 'lamports' };

/** Hundredths of a percent, 0 to 10,000. */
export type Bps = number & { readonly [unit]: 'bps' };

/** The largest amount that a token account, and an on-chain u64 argument, can hold. */
export const U64_MAX = (1n << 64n) - 1n;

/** The order of two amounts, for sorting the smaller first. */
export function compareAmounts(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function lamports(value: bigint): Lamports {
  if (value < 0n || value > U64_MAX) throw new RangeError(`lamports must be 0 to ${U64_MAX}, got ${value}`);
  return value as Lamports;
}

export function bps(value: number): Bps {
  if (!Number.isInteger(value) || value < 0 || value > 10_000) {
    throw new RangeError(`basis points must be a whole number from 0 to 10000, got ${value}`);
  }
  return value as Bps;
}
