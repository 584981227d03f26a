import type { RecentBlockhash } from '../../chain/chain.ts';
import { routeV2 } from '../../market/aggregator/route-v2.ts';
import type { RouteStep } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { createAssociatedTokenIdempotent } from '../../solana/programs/associated-token.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { setComputeUnitLimit } from '../../solana/programs/compute-budget.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { associatedTokenAddress } from '../../solana/pda.ts';
import { signTransaction } from '../../solana/messages/transaction.ts';
import { JUPITER_RFQ_V2 } from '../liquidity/book-venue.ts';
import type { BookToken } from '../books/live-book.ts';
import type { FillOffer } from './fill-offer.ts';

/** How a swap differs from that of an order. */
export interface Deviation {
  /** Replaces the taker's input amount. */
  readonly inAmount?: bigint;
  /** Replaces the parameters of the fill. */
  readonly stepData?: Uint8Array;
  readonly step?: (step: RouteStep) => RouteStep;
  /** Replaces the instruction of the route. */
  readonly swap?: (step: RouteStep, inAmount: bigint) => Instruction;
  /** Instructions after the swap. */
  readonly extraInstructions?: readonly Instruction[];
}

export interface SwapSource {
  readonly offer: FillOffer;
  readonly taker: Keypair;
  readonly blockhash: RecentBlockhash;
  /** Makes the messages of otherwise equal swaps different. */
  readonly serial: number;
}

/** Enough for a route of one fill, and the creation of an account. */
const UNIT_LIMIT = 300_000;

/** Builds the transaction, with the taker's signature at index 0 and zeros in place of the maker's. */
export function swapTransaction(source: SwapSource, departure: Deviation = {}): Uint8Array {
  const { offer, taker, blockhash, serial } = source;
  const { pool, inputMint, outputMint } = offer;
  const [input, output] = [tokenOf(offer, inputMint), tokenOf(offer, outputMint)];
  const accounts = {
    source: holding(taker.address, input),
    destination: holding(taker.address, output),
  };
  const quote =
    departure.stepData === undefined ? offer.quote : { ...offer.quote, stepData: departure.stepData };
  const inAmount = departure.inAmount ?? quote.inAmount;
  const made = JUPITER_RFQ_V2.routeStep(pool, inputMint, { authority: taker.address, ...accounts }, quote);
  const step = departure.step?.(made) ?? made;
  const swap =
    departure.swap?.(step, inAmount) ??
    routeV2(
      {
        inAmount,
        quotedOutAmount: quote.outAmount,
        slippageBps: 0,
        steps: [{ step, bps: 10_000, inputIndex: 0, outputIndex: 1 }],
      },
      {
        userTransferAuthority: taker.address,
        userSourceTokenAccount: accounts.source,
        userDestinationTokenAccount: accounts.destination,
        sourceMint: inputMint,
        destinationMint: outputMint,
        sourceTokenProgram: input.tokenProgram,
        destinationTokenProgram: output.tokenProgram,
      },
    );
  const { mint, tokenProgram } = output;
  const create = { payer: taker.address, owner: taker.address, mint, tokenProgram };
  const messageBytes = compileMessage({
    feePayer: taker.address,
    blockhash: blockhash.bytes,
    instructions: [
      setComputeUnitLimit(UNIT_LIMIT + serial),
      createAssociatedTokenIdempotent(create),
      swap,
      ...(departure.extraInstructions ?? []),
    ],
  });
  return signTransaction(messageBytes, [taker]);
}

/** @returns the token account that a fill uses */
export function holding(owner: Address, { mint, tokenProgram }: BookToken): Address {
  return associatedTokenAddress(owner, mint, tokenProgram);
}

export function tokenOf({ pool: { book } }: FillOffer, mint: Address): BookToken {
  return mint === book.base.mint ? book.base : book.quote;
}
