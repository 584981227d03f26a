import { createHash } from 'node:crypto';
import { type Address, addressFromBytes } from '../solana/address.ts';

/** A collection of collectibles whose floor price is known. */
export interface DemoCollection {
  readonly id: Address;
  readonly name: string;
  readonly floorLamports: bigint;
}

/** Replaces the address of the collection's mint that a fresh key would give. Nobody has a key for it. */
const GATES = addressFromBytes(createHash('sha256').update('sluice demo collection').digest());

/** No market of collectibles is followed, so these are the only floor prices there are. */
export const COLLECTIONS: readonly DemoCollection[] = [
  { id: GATES, name: 'Sluice Gates', floorLamports: 2_500_000_000n },
];

/** @returns Null for a collection whose floor price is not known. */
export function demoCollectionById(id: Address): DemoCollection | null {
  return COLLECTIONS.find((collection) => collection.id === id) ?? null;
}
