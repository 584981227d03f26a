import type { RecentBlockhash } from '../../chain/chain.ts';
import type { RoutePlanStep } from '../../market/aggregator/route-plan.ts';
import type { PoolHandle } from '../../market/pools/liquidity.ts';
import type { Leg } from '../../market/router/index.ts';
import type { Quote, RouteStep, Trading } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { setDistinctUnitLimit } from '../../solana/programs/compute-budget.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { signTransaction } from '../../solana/messages/transaction.ts';
import { bps } from '../../solana/units.ts';
import { assemble, type MintReader, ROUTE_V2, type SwapForm } from '../../swaps/build/assembly.ts';
import { createSwapTerms } from '../../swaps/build/swap-terms.ts';
import { type BookState, JUPITER_RFQ_V2 } from '../liquidity/book-venue.ts';
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
export function buildCheckTransaction(source: SwapSource, departure: Deviation = {}): Uint8Array {
  const { offer, taker, blockhash, serial } = source;
  const { inputMint, outputMint } = offer;
  const quote =
    departure.stepData === undefined ? offer.quote : { ...offer.quote, stepData: departure.stepData };
  const amount = departure.inAmount ?? quote.inAmount;
  // The taker holds wrapped SOL like any other token.
  const wrapAndUnwrapSol = false;
  const terms = createSwapTerms({ inputMint, outputMint, amount, taker: taker.address, wrapAndUnwrapSol });
  const { setup, swap } = assemble({ pools: mintsOf(offer), lookupTables: null }, terms, {
    route: { legs: [legOf(offer, quote, departure)], inAmount: amount, outAmount: quote.outAmount },
    fee: null,
    slippageBps: bps(0),
    form: formOf(departure),
  });
  const messageBytes = compileMessage({
    feePayer: taker.address,
    blockhash: blockhash.bytes,
    instructions: [
      setDistinctUnitLimit(UNIT_LIMIT, serial),
      ...setup,
      swap,
      ...(departure.extraInstructions ?? []),
    ],
  });
  return signTransaction(messageBytes, [taker]);
}

/** The maker's book names the token programs of its mints. */
function mintsOf(offer: FillOffer): MintReader {
  return { account: (mint) => ({ owner: getOfferToken(offer, mint).tokenProgram, data: new Uint8Array(0) }) };
}

function legOf({ pool, inputMint, outputMint }: FillOffer, quote: Quote, { step: change }: Deviation): Leg {
  const venue: Trading<BookState> =
    change === undefined
      ? JUPITER_RFQ_V2
      : { ...JUPITER_RFQ_V2, routeStep: (...swap) => change(JUPITER_RFQ_V2.routeStep(...swap)) };
  const handle: PoolHandle = { venue, pool };
  return { handle, inputMint, outputMint, bps: 10_000, inputIndex: 0, outputIndex: 1, quote };
}

function formOf({ swap: replace }: Deviation): SwapForm {
  if (replace === undefined) return ROUTE_V2;
  return {
    ...ROUTE_V2,
    instruction: ({ steps, terms }) => replace((steps[0] as RoutePlanStep).step, terms.amount),
  };
}

/** Returns the token account that a fill uses. */
export function deriveHoldingAddress(owner: Address, { mint, tokenProgram }: BookToken): Address {
  return deriveAssociatedTokenAddress(owner, mint, tokenProgram);
}

export function getOfferToken({ pool: { book } }: FillOffer, mint: Address): BookToken {
  return mint === book.base.mint ? book.base : book.quote;
}
