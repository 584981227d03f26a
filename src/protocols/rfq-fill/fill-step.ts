import { type AggregatorSide, Swap } from '../../protocol/venue/aggregator-step.ts';
import type { RouteStep } from '../../protocol/venue/venue.ts';
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

/** The wallets of a fill and their token accounts. */
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
 * Builds the step of an aggregator route that executes a fill. Its input is known only at run time, so the parameters
 * contain no amount. Makers' tools find the accounts by this order and these roles: a writable signer, then a signer,
 * and the sysvar last. They read the message without its lookup tables, so the accounts that show which program takes
 * from which of their accounts are static.
 * @param side - The side of the fill: for a bid the taker pays quote, for an ask base.
 */
export function createFillStep(
  side: AggregatorSide,
  params: FillParams,
  parties: FillParties,
  pair: FillPair,
): RouteStep {
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
