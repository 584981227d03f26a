import { type Side, Swap } from '../../market/aggregator/swap.ts';
import type { RouteStep } from '../../market/venue.ts';
import type { Address } from '../../solana/address.ts';
import {
  namedReadonly,
  namedWritable,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import { SYSVAR_INSTRUCTIONS } from '../../solana/program-addresses.ts';
import { encodeFillParams, type FillParams } from './fill-program.ts';

export const RFQ_FILL_PROGRAM = 'fd3nMFYTQjX1yr5ER8u7tPdHJB7qt8RpDpNtLQX2Br5' as Address;

/** Who trades, and with which token accounts. */
export interface FillParties {
  /** Signature 0 of the transaction. */
  readonly taker: Address;
  /** Signature 1 of the transaction. */
  readonly maker: Address;
  readonly takerBase: Address;
  readonly takerQuote: Address;
  readonly makerBase: Address;
  readonly makerQuote: Address;
}

export interface FillPair {
  readonly baseMint: Address;
  readonly quoteMint: Address;
  readonly baseTokenProgram: Address;
  readonly quoteTokenProgram: Address;
}

/**
 * A fill as a step of an aggregator route. Its input is the route's at run time, so the params hold no amount.
 * Makers' tools find the accounts by the order and roles here: a writable signer, then a signer, the sysvar last. They
 * read the message without its lookup tables, so what tells them which program takes from which of their accounts is
 * named in it.
 */
export function fillStep(side: Side, params: FillParams, parties: FillParties, pair: FillPair): RouteStep {
  return {
    swap: Swap.jupiterRfqV2(side, encodeFillParams(params)),
    accounts: [
      namedReadonly(RFQ_FILL_PROGRAM),
      writableSigner(parties.taker),
      readonlySigner(parties.maker),
      writable(parties.takerBase),
      writable(parties.takerQuote),
      namedWritable(parties.makerBase),
      namedWritable(parties.makerQuote),
      readonly(pair.baseMint),
      readonly(pair.quoteMint),
      readonly(pair.baseTokenProgram),
      readonly(pair.quoteTokenProgram),
      readonly(SYSVAR_INSTRUCTIONS),
    ],
  };
}
