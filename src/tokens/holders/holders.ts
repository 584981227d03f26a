import type { Holders } from '../token.ts';

/** What the embedded network's index says about the owners of a mint. */
export interface OwnersOfMint {
  /** Owners with a balance. */
  readonly owners: number;
  /** The balances of the ten largest in atoms. */
  readonly largest: readonly bigint[];
}

/** Millionths of the supply, so that the percentage has four decimals. */
const PARTS = 1_000_000n;

/** @param supply in atoms; 0 for wrapped SOL, whose mint does not count it */
export function holdersOf({ owners, largest }: OwnersOfMint, supply: bigint): Holders {
  const top = largest.reduce((sum, balance) => sum + balance, 0n);
  const topPercentage = supply === 0n ? null : Math.min(Number((top * PARTS) / supply) / 10_000, 100);
  return { count: owners, topPercentage };
}
