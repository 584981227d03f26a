import type { Address } from '../../solana/address.ts';
import type { ByteReader } from '../../solana/codec/byte-reader.ts';
import { PREDICTION_ORDER_STATUSES, type PredictionOrderStatus } from './prediction-accounts.ts';
import { readOptionalPredictionText, readPredictionText } from './prediction-text.ts';

// The events of orders. Contracts are micro-contracts, sums and prices micro USD, times Unix seconds.

/** What the events of an order say of it. */
interface PredictionOrderEventFields {
  readonly order: Address;
  readonly marketIdHash: string;
  readonly owner: Address;
  /** The id at the venue; null before the first fill. */
  readonly orderId: string | null;
  readonly externalOrderId: string;
  readonly isYes: boolean;
  readonly isBuy: boolean;
  /** What was asked for. */
  readonly contracts: bigint;
  /** The highest price of a purchase, the lowest of a sale. */
  readonly limitPrice: bigint;
  readonly timestamp: bigint;
}

/** An order was created, and its deposit moved into it. */
export interface PredictionOrderCreated extends PredictionOrderEventFields {
  readonly kind: 'order-created';
  readonly depositAmount: bigint;
  readonly isLimit: boolean;
  readonly integrator: Address;
  readonly integratorFeeBps: number;
}

/** A fill. Its figures are those of the fill alone. */
export interface PredictionOrderFilled extends PredictionOrderEventFields {
  readonly kind: 'order-filled';
  /** Of the order after the fill. */
  readonly status: PredictionOrderStatus;
  readonly filledContracts: bigint;
  /** Rounded down. */
  readonly averagePrice: bigint;
  /** What the contracts cost: on a sale, when they were bought. */
  readonly totalCost: bigint;
  /** What a sale brings, before and after fees; 0 on a purchase. */
  readonly grossProceeds: bigint;
  readonly netProceeds: bigint;
  /** What moved into the order on a sale; what is left in it after a purchase. */
  readonly transferAmount: bigint;
  /** The fees without the integrator's. */
  readonly fee: bigint;
  readonly integratorFee: bigint;
  readonly integrator: Address;
  /** 0 on a purchase. */
  readonly realizedPnl: bigint;
  readonly updatedBy: Address;
}

/** An order ended without any fill. */
export interface PredictionOrderFailed extends PredictionOrderEventFields {
  readonly kind: 'order-failed';
  readonly status: PredictionOrderStatus;
  readonly filledContracts: bigint;
  readonly averagePrice: bigint;
  readonly updatedBy: Address;
  /** What goes back to the owner. */
  readonly transferAmount: bigint;
}

/** The owner ended an order. */
export interface PredictionOrderCanceled extends PredictionOrderEventFields {
  readonly kind: 'order-canceled';
  readonly status: PredictionOrderStatus;
  readonly filledContracts: bigint;
  readonly averagePrice: bigint;
  readonly transferAmount: bigint;
  readonly canceledBy: Address;
}

/** The account of an order was closed. */
export interface PredictionOrderClosed extends PredictionOrderEventFields {
  readonly kind: 'order-closed';
  readonly status: PredictionOrderStatus;
  readonly transferAmount: bigint;
  readonly closedBy: Address;
}

/** An event of an order. */
export type PredictionOrderEvent =
  | PredictionOrderCreated
  | PredictionOrderFilled
  | PredictionOrderFailed
  | PredictionOrderCanceled
  | PredictionOrderClosed;

/** What reads the fields of an order's event, by its discriminator in hex. */
export const PREDICTION_ORDER_EVENT_READERS: ReadonlyMap<string, (from: ByteReader) => PredictionOrderEvent> =
  new Map<string, (from: ByteReader) => PredictionOrderEvent>([
    ['e001e53ffe3cbe9f', readCreated],
    ['787c6d42f974ae1e', readFilled],
    ['3cb39d00a48326ec', readFailed],
    ['d29330f7cc76ff79', readCanceled],
    ['ed4d657b482b957b', readClosed],
  ]);

function readStatus(from: ByteReader): PredictionOrderStatus {
  return PREDICTION_ORDER_STATUSES[from.u8()] ?? from.fail('unknown status');
}

function readCreated(from: ByteReader): PredictionOrderCreated {
  return {
    kind: 'order-created',
    order: from.address(),
    marketIdHash: readPredictionText(from),
    owner: from.address(),
    orderId: readOptionalPredictionText(from),
    externalOrderId: readPredictionText(from),
    isYes: from.bool(),
    isBuy: from.bool(),
    contracts: from.u64(),
    limitPrice: from.u64(),
    depositAmount: from.u64(),
    isLimit: from.bool(),
    integrator: from.address(),
    integratorFeeBps: from.u16(),
    timestamp: from.i64(),
  };
}

/** Reads the fields with which all events of an order but its creation begin. */
function readHead(from: ByteReader) {
  return {
    order: from.address(),
    marketIdHash: readPredictionText(from),
    owner: from.address(),
    externalOrderId: readPredictionText(from),
    orderId: readOptionalPredictionText(from),
    status: readStatus(from),
    isBuy: from.bool(),
    isYes: from.bool(),
    contracts: from.u64(),
  };
}

function readFilled(from: ByteReader): PredictionOrderFilled {
  return {
    kind: 'order-filled',
    ...readHead(from),
    filledContracts: from.u64(),
    limitPrice: from.u64(),
    averagePrice: from.u64(),
    totalCost: from.u64(),
    grossProceeds: from.u64(),
    netProceeds: from.u64(),
    transferAmount: from.u64(),
    fee: from.u64(),
    integratorFee: from.u64(),
    integrator: from.address(),
    realizedPnl: from.i64(),
    updatedBy: from.address(),
    timestamp: from.i64(),
  };
}

function readFailed(from: ByteReader): PredictionOrderFailed {
  return {
    kind: 'order-failed',
    ...readHead(from),
    filledContracts: from.u64(),
    limitPrice: from.u64(),
    averagePrice: from.u64(),
    updatedBy: from.address(),
    timestamp: from.i64(),
    transferAmount: from.u64(),
  };
}

function readCanceled(from: ByteReader): PredictionOrderCanceled {
  return {
    kind: 'order-canceled',
    ...readHead(from),
    filledContracts: from.u64(),
    limitPrice: from.u64(),
    averagePrice: from.u64(),
    transferAmount: from.u64(),
    canceledBy: from.address(),
    timestamp: from.i64(),
  };
}

function readClosed(from: ByteReader): PredictionOrderClosed {
  return {
    kind: 'order-closed',
    ...readHead(from),
    limitPrice: from.u64(),
    transferAmount: from.u64(),
    closedBy: from.address(),
    timestamp: from.i64(),
  };
}
