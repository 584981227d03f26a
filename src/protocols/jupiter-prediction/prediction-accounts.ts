import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  readOptionalPredictionText,
  readPredictionText,
  writeOptionalPredictionText,
  writePredictionText,
} from './prediction-text.ts';

// The accounts of positions, orders and results. Contracts are micro-contracts, sums and prices micro USD, times Unix
// seconds. Accounts of market ids of 32 bytes have fields at fixed offsets, by which they are found and guarded.

/** The length of a position, in bytes. */
export const PREDICTION_POSITION_SIZE = 204;
/** The length of an order, in bytes. */
export const PREDICTION_ORDER_SIZE = 397;
/** The length of a result, in bytes. */
export const PREDICTION_RESULT_SIZE = 95;

/** The first bytes of each kind of account. */
export const PREDICTION_ACCOUNT_TAGS = {
  position: Uint8Array.of(170, 188, 143, 228, 122, 64, 247, 208),
  order: Uint8Array.of(134, 173, 223, 185, 77, 86, 28, 51),
  result: Uint8Array.of(228, 116, 192, 234, 125, 54, 69, 142),
} as const;

/** The offset of the owner in a position and in an order. */
export const PREDICTION_OWNER_AT = 8;
/** The offset of the number of contracts that a position holds. */
export const PREDICTION_POSITION_CONTRACTS_AT = 94;
/** The offset of the number of contracts of an order that are filled. */
export const PREDICTION_ORDER_FILLED_AT = 143;

/** Where the stand-in keeps what an order's fills came to: after the longest texts that it accepts. */
const ORDER_TAIL = PREDICTION_ORDER_SIZE - 16;

/** The contracts of one wallet on one side of a market. */
export interface PredictionPositionAccount {
  readonly owner: Address;
  readonly marketIdHash: string;
  readonly isYes: boolean;
  readonly isClaimed: boolean;
  readonly claimed: bigint;
  /** When it began to hold the contracts that it holds now. */
  readonly openedAt: bigint;
  readonly contracts: bigint;
  /** The cost of the contracts held now, without fees. */
  readonly totalCost: bigint;
  readonly openOrders: number;
  /** The fees that were paid for the contracts held now. */
  readonly feesPaid: bigint;
  readonly realizedPnl: bigint;
  readonly updatedAt: bigint;
  readonly bump: number;
  readonly unitVersion: number;
  readonly payer: Address;
}

/** The statuses of an order by their numbers. */
export const PREDICTION_ORDER_STATUSES = [
  'pending',
  'filled',
  'failed',
  'partially-filled',
  'cancelled',
] as const;

/** The status of an order. */
export type PredictionOrderStatus = (typeof PREDICTION_ORDER_STATUSES)[number];

/** An order until it is closed. */
export interface PredictionOrderAccount {
  readonly owner: Address;
  readonly position: Address;
  readonly status: PredictionOrderStatus;
  readonly marketIdHash: string;
  readonly isYes: boolean;
  readonly isBuy: boolean;
  readonly createdAt: bigint;
  readonly contracts: bigint;
  /** The highest price of a purchase, the lowest of a sale. */
  readonly limitPrice: bigint;
  /** 0 before the first fill. */
  readonly filledAt: bigint;
  readonly filledContracts: bigint;
  /** The average of all fills, rounded down. */
  readonly averagePrice: bigint;
  /** The id that the last fill gave it; null before. */
  readonly orderId: string | null;
  readonly externalOrderId: string;
  readonly bump: number;
  readonly isLimit: boolean;
  readonly payer: Address;
  /** The system program's address if there is none. */
  readonly integrator: Address;
  readonly integratorFeeBps: number;
  readonly unitVersion: number;
  /** What the fills have cost, or brought before fees. Only the stand-in keeps it. */
  readonly filledCost: bigint;
  /** The fees of the fills. Only the stand-in keeps them. */
  readonly filledFees: bigint;
}

/** How a market ended: 0 no, 1 yes, 2 split, 3 refund. */
export type PredictionOutcome = 0 | 1 | 2 | 3;

/** The result of a market. It is final, and its account is never closed. */
export interface PredictionResultAccount {
  readonly marketIdHash: string;
  readonly outcome: PredictionOutcome;
  /** The first second in which claims are permitted. */
  readonly settlementTime: bigint;
  readonly claimsEnabled: boolean;
  readonly createdAt: bigint;
  readonly bump: number;
}

/**
 * Decodes a position. Returns null for an account of another kind.
 *
 * @throws LayoutInvalid when the fields are cut short.
 */
export function decodePredictionPosition(data: Uint8Array): PredictionPositionAccount | null {
  if (!startsWith(data, PREDICTION_ACCOUNT_TAGS.position)) return null;
  const from = new ByteReader(data, 'prediction position', 8);
  return {
    owner: from.address(),
    marketIdHash: readPredictionText(from),
    isYes: from.bool(),
    isClaimed: from.bool(),
    claimed: from.u64(),
    openedAt: from.i64(),
    contracts: from.u64(),
    totalCost: from.u64(),
    openOrders: from.u32(),
    feesPaid: from.u64(),
    realizedPnl: from.i64(),
    updatedAt: from.i64(),
    bump: from.u8(),
    unitVersion: from.u8(),
    payer: from.address(),
  };
}

/** Encodes a position. */
export function encodePredictionPosition(position: PredictionPositionAccount): Uint8Array {
  const to = new ByteWriter(PREDICTION_POSITION_SIZE)
    .bytes(PREDICTION_ACCOUNT_TAGS.position)
    .address(position.owner);
  writePredictionText(to, position.marketIdHash)
    .bool(position.isYes)
    .bool(position.isClaimed)
    .u64(position.claimed)
    .i64(position.openedAt)
    .u64(position.contracts)
    .u64(position.totalCost)
    .u32(position.openOrders)
    .u64(position.feesPaid)
    .i64(position.realizedPnl)
    .i64(position.updatedAt)
    .u8(position.bump)
    .u8(position.unitVersion)
    .address(position.payer);
  return to.zeros(PREDICTION_POSITION_SIZE - to.length).finish();
}

/**
 * Decodes an order. Returns null for an account of another kind.
 *
 * @throws LayoutInvalid when the fields are cut short, or for a status or type that is not known.
 */
export function decodePredictionOrder(data: Uint8Array): PredictionOrderAccount | null {
  if (!startsWith(data, PREDICTION_ACCOUNT_TAGS.order)) return null;
  const from = new ByteReader(data, 'prediction order', 8);
  const tail = new ByteReader(data, 'prediction order', ORDER_TAIL);
  return {
    owner: from.address(),
    position: from.address(),
    status: PREDICTION_ORDER_STATUSES[from.u8()] ?? from.fail('unknown status'),
    marketIdHash: readPredictionText(from),
    isYes: from.bool(),
    isBuy: from.bool(),
    createdAt: from.i64(),
    contracts: from.u64(),
    limitPrice: from.u64(),
    filledAt: from.i64(),
    filledContracts: from.u64(),
    averagePrice: from.u64(),
    orderId: readOptionalPredictionText(from),
    externalOrderId: readPredictionText(from),
    bump: from.u8(),
    isLimit: from.bool(),
    payer: from.address(),
    integrator: from.address(),
    integratorFeeBps: from.u16(),
    unitVersion: from.u8(),
    filledCost: tail.u64(),
    filledFees: tail.u64(),
  };
}

/** Encodes an order. */
export function encodePredictionOrder(order: PredictionOrderAccount): Uint8Array {
  const to = new ByteWriter(PREDICTION_ORDER_SIZE)
    .bytes(PREDICTION_ACCOUNT_TAGS.order)
    .address(order.owner)
    .address(order.position)
    .u8(PREDICTION_ORDER_STATUSES.indexOf(order.status));
  writePredictionText(to, order.marketIdHash)
    .bool(order.isYes)
    .bool(order.isBuy)
    .i64(order.createdAt)
    .u64(order.contracts)
    .u64(order.limitPrice)
    .i64(order.filledAt)
    .u64(order.filledContracts)
    .u64(order.averagePrice);
  writeOptionalPredictionText(to, order.orderId);
  writePredictionText(to, order.externalOrderId)
    .u8(order.bump)
    .bool(order.isLimit)
    .address(order.payer)
    .address(order.integrator)
    .u16(order.integratorFeeBps)
    .u8(order.unitVersion);
  return to
    .zeros(ORDER_TAIL - to.length)
    .u64(order.filledCost)
    .u64(order.filledFees)
    .finish();
}

/**
 * Decodes the result of a market. Returns null for an account of another kind.
 *
 * @throws LayoutInvalid when the fields are cut short, or for an outcome that is not known.
 */
export function decodePredictionResult(data: Uint8Array): PredictionResultAccount | null {
  if (!startsWith(data, PREDICTION_ACCOUNT_TAGS.result)) return null;
  const from = new ByteReader(data, 'prediction result', 8);
  return {
    marketIdHash: readPredictionText(from),
    outcome: readOutcome(from),
    settlementTime: from.i64(),
    claimsEnabled: from.bool(),
    createdAt: from.i64(),
    bump: from.u8(),
  };
}

/** Encodes the result of a market. */
export function encodePredictionResult(result: PredictionResultAccount): Uint8Array {
  const to = new ByteWriter(PREDICTION_RESULT_SIZE).bytes(PREDICTION_ACCOUNT_TAGS.result);
  writePredictionText(to, result.marketIdHash)
    .u8(result.outcome)
    .i64(result.settlementTime)
    .bool(result.claimsEnabled)
    .i64(result.createdAt)
    .u8(result.bump);
  return to.zeros(PREDICTION_RESULT_SIZE - to.length).finish();
}

function readOutcome(from: ByteReader): PredictionOutcome {
  const outcome = from.u8();
  return outcome === 0 || outcome === 1 || outcome === 2 || outcome === 3
    ? outcome
    : from.fail('unknown outcome');
}

function startsWith(data: Uint8Array, tag: Uint8Array): boolean {
  return data.length >= tag.length && tag.every((byte, index) => data[index] === byte);
}
