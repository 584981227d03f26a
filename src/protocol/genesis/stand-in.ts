import type { Address } from '../../solana/address.ts';

/** Our own build of a public program, which the embedded network loads at the public program's address. */
export interface StandIn {
  /** The program's name in programs/programs.json; its binary is programs/dist/`name`.so. */
  readonly name: string;
  readonly address: Address;
}

/** A stand-in of a protocol. */
export interface ProtocolProgram extends StandIn {
  /** Whether no route runs the program. The network loads such programs after all others. Default: routes run it. */
  readonly isOutsideRoutes?: true;
}
