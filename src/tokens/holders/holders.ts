import type { Address } from '../../solana/address.ts';
import type { Holders } from '../facts/token.ts';

/** What the embedded network's index says about the owners of a mint. */
export interface OwnersOfMint {
  /** Owners with a balance. */
  readonly owners: number;
  /** The balances of the ten largest in atoms. */
  readonly largest: readonly bigint[];
  /** What one owner has, in atoms; null if none was asked for. */
  readonly ofOwner: bigint | null;
}

/** What only a network with an index of all accounts and transactions knows of mints. */
export interface HolderIndex {
  /** @param owner - A wallet whose balance is returned as well; null for none. */
  readonly ownersOf: (mint: Address, owner: Address | null) => Promise<OwnersOfMint>;
  /** Finds the wallet that created a mint; null if that is not known, or not confirmed yet. */
  readonly creatorOf: (mint: Address) => Promise<Address | null>;
}

/** Millionths of the supply, so that the percentage has four decimals. */
const PARTS = 1_000_000n;

/** @param supply - In atoms; 0 for wrapped SOL, whose mint does not count it. */
export function computeHolders({ owners, largest, ofOwner }: OwnersOfMint, supply: bigint): Holders {
  const computePercentage = (balance: bigint) =>
    supply === 0n ? null : Math.min(Number((balance * PARTS) / supply) / 10_000, 100);
  return {
    count: owners,
    topPercentage: computePercentage(largest.reduce((sum, balance) => sum + balance, 0n)),
    creatorPercentage: ofOwner === null ? null : computePercentage(ofOwner),
  };
}
