import { createHash } from 'node:crypto';
import { type Address, toAddress } from '../../solana/address.ts';

/** A collection of collectibles with a known floor price. */
export interface DemoCollection {
  readonly id: Address;
  readonly name: string;
  readonly floorLamports: bigint;
}

/** The address of the collection's mint. It is a hash, so there is no private key for it. */
const GATES = toAddress(createHash('sha256').update('sluice demo collection').digest());

/** The collections of the embedded network, whose floor prices its portfolios show. */
export const COLLECTIONS: readonly DemoCollection[] = [
  { id: GATES, name: 'Sluice Gates', floorLamports: 2_500_000_000n },
];
