import type { Address } from '../../solana/address.ts';
import type { ByteReader } from '../../solana/codec/byte-reader.ts';
import { readPredictionText } from './prediction-text.ts';

// The events of positions. Contracts are micro-contracts, sums micro USD, times Unix seconds.

/** A position after a fill. */
export interface PredictionPositionUpdated {
  readonly kind: 'position-updated';
  readonly position: Address;
  readonly owner: Address;
  readonly isYes: boolean;
  readonly contracts: bigint;
  readonly totalCost: bigint;
  readonly realizedPnl: bigint;
  readonly timestamp: bigint;
}

/** The account of a position was closed. */
export interface PredictionPositionClosed {
  readonly kind: 'position-closed';
  readonly position: Address;
  readonly marketIdHash: string;
  readonly owner: Address;
  readonly isYes: boolean;
  readonly closedBy: Address;
  readonly timestamp: bigint;
}

/** The end of a position in a market with a result. */
interface PredictionSettlementFields {
  readonly marketIdHash: string;
  readonly position: Address;
  readonly owner: Address;
  readonly isYes: boolean;
  readonly contractsSettled: bigint;
  readonly payout: bigint;
  readonly transferAmount: bigint;
  readonly fee: bigint;
  /** What the end itself has brought or cost, with the fees of the contracts. */
  readonly realizedPnl: bigint;
  readonly updatedBy: Address;
  readonly timestamp: bigint;
  /** Of the position up to its end. */
  readonly overallFeesPaid: bigint;
  readonly overallRealizedPnl: bigint;
  readonly overallTotalCost: bigint;
  /** 0 no, 1 yes, 2 split, 3 refund. */
  readonly outcome: number;
}

/** A position was on the losing side. */
export interface PredictionPositionLost extends PredictionSettlementFields {
  readonly kind: 'position-lost';
}

/** A position was paid out: a win, a split or a refund. */
export interface PredictionPayoutClaimed extends PredictionSettlementFields {
  readonly kind: 'payout-claimed';
  /** 0 for a refund. */
  readonly payoutPerContract: bigint;
}

/** An event of a position. */
export type PredictionPositionEvent =
  | PredictionPositionUpdated
  | PredictionPositionClosed
  | PredictionPositionLost
  | PredictionPayoutClaimed;

/** What reads the fields of a position's event, by its discriminator in hex. */
export const PREDICTION_POSITION_EVENT_READERS: ReadonlyMap<
  string,
  (from: ByteReader) => PredictionPositionEvent
> = new Map<string, (from: ByteReader) => PredictionPositionEvent>([
  ['d0d436bcf647eb58', readPositionUpdated],
  ['9da3e3e40d618a79', readPositionClosed],
  ['8b2ab454c2ed583a', readPositionLost],
  ['c8276970743f3a95', readPayoutClaimed],
]);

function readPositionUpdated(from: ByteReader): PredictionPositionUpdated {
  return {
    kind: 'position-updated',
    position: from.address(),
    owner: from.address(),
    isYes: from.bool(),
    contracts: from.u64(),
    totalCost: from.u64(),
    realizedPnl: from.i64(),
    timestamp: from.i64(),
  };
}

function readPositionClosed(from: ByteReader): PredictionPositionClosed {
  return {
    kind: 'position-closed',
    position: from.address(),
    marketIdHash: readPredictionText(from),
    owner: from.address(),
    isYes: from.bool(),
    closedBy: from.address(),
    timestamp: from.i64(),
  };
}

function readSettlement(from: ByteReader): PredictionSettlementFields {
  return {
    marketIdHash: readPredictionText(from),
    position: from.address(),
    owner: from.address(),
    isYes: from.bool(),
    contractsSettled: from.u64(),
    payout: from.u64(),
    transferAmount: from.u64(),
    fee: from.u64(),
    realizedPnl: from.i64(),
    updatedBy: from.address(),
    timestamp: from.i64(),
    overallFeesPaid: from.u64(),
    overallRealizedPnl: from.i64(),
    overallTotalCost: from.u64(),
    outcome: from.u8(),
  };
}

function readPositionLost(from: ByteReader): PredictionPositionLost {
  return { kind: 'position-lost', ...readSettlement(from) };
}

function readPayoutClaimed(from: ByteReader): PredictionPayoutClaimed {
  return { kind: 'payout-claimed', ...readSettlement(from), payoutPerContract: from.u64() };
}
