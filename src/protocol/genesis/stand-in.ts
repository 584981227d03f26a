import type { Address } from '../../solana/address.ts';

/** Our own build of a public program, which the embedded network loads at the public program's address. */
export interface StandIn {
  /** The program's name in programs/programs.json; its binary is programs/dist/`name`.so. */
  readonly name: string;
  readonly address: Address;
}

/** A stand-in of a protocol. */
export interface ProtocolProgram extends StandIn {
  /** Whether the network loads the program after the aggregator. Default: before it, as one that it calls. */
  readonly loadsAfterAggregator?: true;
}
