import { AggregatorSide } from '../../protocol/venue/aggregator-step.ts';
import type { RouteStep } from '../../protocol/venue/venue.ts';
import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { type Instruction, readonly, writable } from '../../solana/messages/instruction.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { approve } from '../../solana/programs/token/instructions.ts';
import { getBookOffer } from '../liquidity/book-venue.ts';
import {
  decodeFillParams,
  encodeFillParams,
  type FillParams,
  type FillLevel,
} from '../../protocols/rfq-fill/fill-program.ts';
import { RFQ_FILL_PROGRAM } from '../../protocols/rfq-fill/fill-step.ts';
import type { FillOffer } from './fill-offer.ts';
import type { Situation } from './trials/report.ts';
import { type Deviation, deriveHoldingAddress, getOfferToken } from './swap-transaction.ts';

export interface UnacceptableSwapOptions {
  readonly offer: FillOffer;
  readonly taker: Address;
  /** A wallet that is not part of the swap. */
  readonly stranger: Address;
  /** Unix seconds that have passed by every clock. */
  readonly passed: bigint;
}

/** A swap that no maker may sign, and what is wrong with it. */
export interface UnacceptableSwap {
  readonly situation: Situation;
  readonly what: string;
  readonly departure: Deviation;
}

/** The discriminator of `fill_exact_in`. */
const FILL_EXACT_IN = Uint8Array.of(222, 208, 6, 209, 154, 163, 54, 94);
/** The indices of the maker's token accounts in the accounts of the step. */
const [MAKER_BASE, MAKER_QUOTE] = [5, 6];
const LONG_AGO_SECONDS = 60n;

export function createUnacceptableSwaps(source: UnacceptableSwapOptions): readonly UnacceptableSwap[] {
  const { offer, taker, stranger, passed } = source;
  const { makerAddress } = offer.pool.book;
  const { side } = getBookOffer(offer.pool, offer.inputMint);
  const params = decodeFillParams(offer.quote.stepData ?? new Uint8Array(0));
  const paying = getOfferToken(offer, offer.outputMint);
  const account = deriveHoldingAddress(makerAddress, paying);
  const expireAt = passed - LONG_AGO_SECONDS;
  return [
    {
      situation: 'refuses a better price',
      what: 'a fill that pays the taker a tenth more than was streamed',
      departure: { stepData: encodeFillParams(dearer(side, params)) },
    },
    {
      situation: 'refuses expired terms',
      what: `a fill that expired at ${expireAt}`,
      departure: { stepData: encodeFillParams({ ...params, expireAt }) },
    },
    {
      situation: 'refuses more than was quoted',
      what: 'a fill of twice what all levels hold, at the price of the best',
      departure: oversized(offer, params),
    },
    {
      situation: 'refuses an instruction that takes from its address',
      what: `a swap with a transfer of 1 lamport from ${makerAddress}`,
      departure: { extraInstructions: [transferLamports(makerAddress, taker, 1n)] },
    },
    {
      situation: 'refuses an instruction that takes from its token account',
      what: `a swap that lets the taker spend from ${account}`,
      departure: {
        extraInstructions: [
          approve(paying.tokenProgram, {
            account,
            delegate: taker,
            owner: makerAddress,
            amount: offer.quote.outAmount,
          }),
        ],
      },
    },
    {
      situation: 'refuses a fill outside the aggregator',
      what: 'a fill that the transaction calls by itself',
      departure: { swap: (step, inAmount) => bareFill(side, step, inAmount, params) },
    },
    {
      situation: 'refuses other token accounts in its place',
      what: `a fill from the token accounts of ${stranger} with the maker as their authority`,
      departure: { step: (step) => replaceMakerAccounts(stranger, offer, step) },
    },
  ];
}

/** Raises what the maker pays by a tenth: quote per lot to a seller, base per lot to a buyer. */
function dearer(side: AggregatorSide, params: FillParams): FillParams {
  const more = (value: bigint) => (value * 11n) / 10n + 1n;
  if (side === AggregatorSide.BID) return { ...params, lotSizeBase: more(params.lotSizeBase) };
  const levels = params.levels.map(({ pxTicks, qtyLots }) => ({ pxTicks: more(pxTicks), qtyLots }));
  return { ...params, levels };
}

function oversized({ pool, inputMint }: FillOffer, params: FillParams): Deviation {
  const { side, levels } = getBookOffer(pool, inputMint);
  const held = levels.reduce((sum, { volume }) => sum + volume, 0n);
  const qtyLots = (2n * held) / params.lotSizeBase + 1n;
  const [best] = params.levels;
  const level: FillLevel = { pxTicks: best?.pxTicks ?? 1n, qtyLots };
  const each = side === AggregatorSide.ASK ? params.lotSizeBase : level.pxTicks * params.tickSizeQpb;
  return { inAmount: each * qtyLots, stepData: encodeFillParams({ ...params, levels: [level] }) };
}

function bareFill(
  side: AggregatorSide,
  { accounts }: RouteStep,
  inAmount: bigint,
  params: FillParams,
): Instruction {
  const fill = encodeFillParams(params);
  const head = FILL_EXACT_IN.length + 1 + 8;
  const data = new ByteWriter(head + fill.length).bytes(FILL_EXACT_IN).u8(side).u64(inAmount).bytes(fill);
  return { programAddress: RFQ_FILL_PROGRAM, accounts: accounts.slice(1), data: data.finish() };
}

function replaceMakerAccounts(stranger: Address, { pool: { book } }: FillOffer, step: RouteStep): RouteStep {
  const accounts = step.accounts.map((meta, index) => {
    if (index === MAKER_BASE) return writable(deriveHoldingAddress(stranger, book.base));
    return index === MAKER_QUOTE ? writable(deriveHoldingAddress(stranger, book.quote)) : meta;
  });
  // The maker's own accounts are listed too, where the aggregator ignores them.
  const own = [
    readonly(deriveHoldingAddress(book.makerAddress, book.base)),
    readonly(deriveHoldingAddress(book.makerAddress, book.quote)),
  ];
  return { ...step, accounts: [...accounts, ...own] };
}
