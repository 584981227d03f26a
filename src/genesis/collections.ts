import { createHash } from 'node:crypto';
import { type Address, addressFromBytes } from '../solana/address.ts';

/** A collection of collectibles with a known floor price. */
export interface DemoCollection {
  readonly id: Address;
  readonly name: string;
  readonly floorLamports: bigint;
}

/** The address of the collection's mint. It is a hash, so there is no private key for it. */
const GATES = addressFromBytes(createHash('sha256').update('sluice demo collection').digest());

/** The only floor prices that are known, because Sluice does not follow any market of collectibles. */
export const COLLECTIONS: readonly DemoCollection[] = [
  { id: GATES, name: 'Sluice Gates', floorLamports: 2_500_000_000n },
];

/** Returns a collection, or null when its floor price is not known. */
export function demoCollectionById(id: Address): DemoCollection | null {
  return COLLECTIONS.find((collection) => collection.id === id) ?? null;
}
