import type { LosingReason, QuoteChannel } from '../engines/maker-bid.ts';

/**
 * An order as the ledger keeps it. A field is null if it is not known: what an instance had noted when it was killed, and
 * what an order had that was given out while the ledger could not take it.
 */
export interface LedgerOrder {
  readonly requestId: string;
  /** Unix milliseconds at which it was given out, or else executed. */
  readonly at: number;
  /** Empty for a caller without a key. */
  readonly organisationId: string | null;
  readonly taker: string | null;
  /** Null also if the taker gets the output. */
  readonly receiver: string | null;
  readonly inputMint: string | null;
  readonly outputMint: string | null;
  readonly swapMode: string | null;
  /** Atoms that were quoted. */
  readonly inAmount: bigint | null;
  readonly outAmount: bigint | null;
  readonly slippageBps: number | null;
  readonly feeMint: string | null;
  readonly feeAmount: bigint | null;
  readonly router: string | null;
  /** The id of the maker that takes part; null also without one. */
  readonly makerId: string | null;
  /** Null until it is executed. */
  readonly execution: LedgerExecution | null;
}

/** The execution of an order, whose result is null while it runs, or if the instance that ran it was killed. */
export interface LedgerExecution {
  /** Unix milliseconds. */
  readonly begunAt: number;
  readonly result: {
    readonly endedAt: number;
    readonly code: number;
    /** A sentence; null if it succeeded. */
    readonly reason: string | null;
    readonly signature: string | null;
    readonly slot: bigint | null;
    /** Atoms that the swap moved; null if it did not succeed, or they could not be read. */
    readonly totalInput: bigint | null;
    readonly totalOutput: bigint | null;
  } | null;
}

/** A maker that was considered for an order. */
export interface LedgerBid {
  readonly requestId: string;
  readonly makerId: string;
  /** Unix milliseconds at which the order was given out. */
  readonly at: number;
  /** Whose order it is, as in `LedgerOrder`. Known of winners only, and so is the taker. */
  readonly organisationId: string | null;
  readonly taker: string | null;
  readonly channel: QuoteChannel | null;
  readonly inputMint: string | null;
  readonly outputMint: string | null;
  /** Atoms that the maker itself quoted by webhook. */
  readonly inAmount: bigint | null;
  readonly outAmount: bigint | null;
  /** Null if it won. */
  readonly lost: LosingReason | null;
  readonly detail: string | null;
  /** Null until the taker executes the order. */
  readonly fill: LedgerFill | null;
}

/** The answer of a maker at last look. */
export type LastLookAnswer = 'signed' | 'accepted' | 'rejected' | 'unanswered';

/** The fill of an order, from the offer to its maker on. */
export interface LedgerFill {
  /** One of `RecordedState`; `offered` until its end. */
  readonly state: string;
  /** Unix milliseconds. */
  readonly offeredAt: number | null;
  readonly answeredAt: number | null;
  readonly answer: LastLookAnswer | null;
  readonly endedAt: number | null;
  /** A sentence; null if it succeeded, or has not ended. */
  readonly failure: string | null;
  readonly signature: string | null;
  /** What the maker's accounts paid and received; null unless it landed, or if it could not be read. */
  readonly paid: LedgerAmount | null;
  readonly received: LedgerAmount | null;
  /** The value of one side; null if no pool prices it. */
  readonly microDollars: bigint | null;
}

/** Returns the milliseconds from the offer to the answer; null without an answer. */
export function computeLastLookMs({
  offeredAt,
  answeredAt,
}: Pick<LedgerFill, 'offeredAt' | 'answeredAt'>): number | null {
  return offeredAt === null || answeredAt === null ? null : Math.max(answeredAt - offeredAt, 0);
}

/** Atoms of a mint. */
export interface LedgerAmount {
  readonly mint: string;
  readonly atoms: bigint;
}

/** @param row - In the order of the columns of `ORDER_TABLE`. */
export function parseLedgerOrder(row: readonly unknown[]): LedgerOrder {
  const [requestId, at, owner, taker, receiver, inputMint, outputMint, swapMode, inAmount, ...rest] = row;
  const [outAmount, slippageBps, feeMint, feeAmount, router, maker, executedAt, ...result] = rest;
  const [endedAt, code, reason, signature, slot, totalInput, totalOutput] = result;
  return {
    requestId: String(requestId),
    at: Number(at),
    organisationId: parseText(owner),
    taker: parseText(taker),
    receiver: parseText(receiver),
    inputMint: parseText(inputMint),
    outputMint: parseText(outputMint),
    swapMode: parseText(swapMode),
    inAmount: parseAtoms(inAmount),
    outAmount: parseAtoms(outAmount),
    slippageBps: parseWhole(slippageBps),
    feeMint: parseText(feeMint),
    feeAmount: parseAtoms(feeAmount),
    router: parseText(router),
    makerId: parseText(maker),
    execution:
      executedAt === null && code === null
        ? null
        : {
            begunAt: Number(executedAt ?? endedAt),
            result:
              code === null
                ? null
                : {
                    endedAt: Number(endedAt),
                    code: Number(code),
                    reason: parseText(reason),
                    signature: parseText(signature),
                    slot: parseAtoms(slot),
                    totalInput: parseAtoms(totalInput),
                    totalOutput: parseAtoms(totalOutput),
                  },
          },
  };
}

/** @param row - In the order of the columns of `BID_TABLE`. */
export function parseLedgerBid(row: readonly unknown[]): LedgerBid {
  const [requestId, maker, at, owner, taker, channel, inputMint, outputMint, inAmount, outAmount, ...rest] =
    row;
  const [lost, detail, offeredAt, answeredAt, answer, paidMint, paid, receivedMint, received, ...end] = rest;
  const [microDollars, endedAt, state, failure, signature] = end;
  return {
    requestId: String(requestId),
    makerId: String(maker),
    at: Number(at),
    organisationId: parseText(owner),
    taker: parseText(taker),
    channel: parseText(channel) as QuoteChannel | null,
    inputMint: parseText(inputMint),
    outputMint: parseText(outputMint),
    inAmount: parseAtoms(inAmount),
    outAmount: parseAtoms(outAmount),
    lost: parseText(lost) as LosingReason | null,
    detail: parseText(detail),
    fill:
      state === null
        ? null
        : {
            state: String(state),
            offeredAt: parseWhole(offeredAt),
            answeredAt: parseWhole(answeredAt),
            answer: parseText(answer) as LastLookAnswer | null,
            endedAt: parseWhole(endedAt),
            failure: parseText(failure),
            signature: parseText(signature),
            paid: parseSide(paidMint, paid),
            received: parseSide(receivedMint, received),
            microDollars: parseAtoms(microDollars),
          },
  };
}

function parseText(value: unknown): string | null {
  return value === null ? null : String(value);
}

/** Whole numbers may be returned as text. */
function parseWhole(value: unknown): number | null {
  return value === null ? null : Number(value);
}

function parseAtoms(value: unknown): bigint | null {
  return value === null ? null : BigInt(String(value));
}

function parseSide(mint: unknown, atoms: unknown): LedgerAmount | null {
  return mint === null || atoms === null ? null : { mint: String(mint), atoms: BigInt(String(atoms)) };
}
