import type { LosingReason, QuoteChannel } from '../engines/maker-bid.ts';
import type { PayingParty } from '../orders/stored-order.ts';
import { BID_TABLE, nameLedgerCells, ORDER_TABLE, type ReadCells } from './ledger-columns.ts';

/**
 * An order as the ledger keeps it. A field is null if it is not known, because an instance was killed before it wrote what it
 * had noted, or because the ledger had no room for the order when it was given out.
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
  /** Who pays the network, and with which wallet. Null of orders of older versions. */
  readonly paidBy: PayingParty | null;
  readonly payer: string | null;
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
  const cells = nameLedgerCells(ORDER_TABLE, row);
  return {
    requestId: String(cells.request_id),
    at: Number(cells.at),
    organisationId: parseText(cells.owner),
    taker: parseText(cells.taker),
    receiver: parseText(cells.receiver),
    inputMint: parseText(cells.input_mint),
    outputMint: parseText(cells.output_mint),
    swapMode: parseText(cells.swap_mode),
    inAmount: parseAtoms(cells.in_amount),
    outAmount: parseAtoms(cells.out_amount),
    slippageBps: parseWhole(cells.slippage_bps),
    feeMint: parseText(cells.fee_mint),
    feeAmount: parseAtoms(cells.fee_amount),
    router: parseText(cells.router),
    makerId: parseText(cells.maker),
    paidBy: parseText(cells.paid_by) as PayingParty | null,
    payer: parseText(cells.payer),
    execution: parseExecution(cells),
  };
}

function parseExecution(cells: ReadCells<typeof ORDER_TABLE>): LedgerExecution | null {
  if (cells.executed_at === null && cells.code === null) return null;
  const begunAt = Number(cells.executed_at ?? cells.ended_at);
  if (cells.code === null) return { begunAt, result: null };
  return {
    begunAt,
    result: {
      endedAt: Number(cells.ended_at),
      code: Number(cells.code),
      reason: parseText(cells.reason),
      signature: parseText(cells.signature),
      slot: parseAtoms(cells.slot),
      totalInput: parseAtoms(cells.total_input),
      totalOutput: parseAtoms(cells.total_output),
    },
  };
}

/** @param row - In the order of the columns of `BID_TABLE`. */
export function parseLedgerBid(row: readonly unknown[]): LedgerBid {
  const cells = nameLedgerCells(BID_TABLE, row);
  return {
    requestId: String(cells.request_id),
    makerId: String(cells.maker),
    at: Number(cells.at),
    organisationId: parseText(cells.owner),
    taker: parseText(cells.taker),
    channel: parseText(cells.channel) as QuoteChannel | null,
    inputMint: parseText(cells.input_mint),
    outputMint: parseText(cells.output_mint),
    inAmount: parseAtoms(cells.in_amount),
    outAmount: parseAtoms(cells.out_amount),
    lost: parseText(cells.lost) as LosingReason | null,
    detail: parseText(cells.detail),
    fill: parseFill(cells),
  };
}

function parseFill(cells: ReadCells<typeof BID_TABLE>): LedgerFill | null {
  if (cells.state === null) return null;
  return {
    state: String(cells.state),
    offeredAt: parseWhole(cells.offered_at),
    answeredAt: parseWhole(cells.answered_at),
    answer: parseText(cells.answer) as LastLookAnswer | null,
    endedAt: parseWhole(cells.ended_at),
    failure: parseText(cells.failure),
    signature: parseText(cells.signature),
    paid: parseSide(cells.paid_mint, cells.paid),
    received: parseSide(cells.received_mint, cells.received),
    microDollars: parseAtoms(cells.micro_dollars),
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
