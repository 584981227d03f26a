import type { Address } from '../solana/address.ts';

/** A program of ours that the embedded network loads at a public program's address. */
export interface StandIn {
  /** The program's name in programs/programs.json; its binary is programs/dist/`name`.so. */
  readonly name: string;
  readonly address: Address;
}
