import type { Address } from '../../solana/address.ts';
import type { ProgramInterface } from '../../solana/programs/idl/idl.ts';

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
  /** What the network tells Anchor's clients of the program, in an account. Default: it tells nothing. */
  readonly interface?: ProgramInterface;
  /** How it calls another program, if a public build of either may not fit a stand-in of the other. Default: all builds fit. */
  readonly unlikeCalls?: UnlikeCalls;
}

/** The calls of one program by another, in which public builds and stand-ins differ. */
export interface UnlikeCalls {
  /** The program that is called. */
  readonly callee: Address;
  /** What the builds differ in: a sentence. */
  readonly difference: string;
  /** What fails when the callee alone is such a public build, and what fails when the caller alone is one: by product. */
  readonly failing: { readonly withPublicCallee: string; readonly withPublicCaller: string };
}
