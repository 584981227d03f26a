import type { PredictionEventType, PredictionHistoryEvent } from '../lists/prediction-lists.ts';
import type { predictionHistory } from './history-tables.ts';

type HistoryRow = typeof predictionHistory.$inferSelect;

/** Returns the columns of an event, without its network. */
export function toHistoryColumns(event: PredictionHistoryEvent): Omit<HistoryRow, 'network'> {
  const { id, timestamp, slot, isBuy, isYes, transferred, realizedPnl, realizedPnlBeforeFees } = event;
  return {
    number: id,
    eventType: event.eventType,
    signature: event.signature,
    slot: Number(slot),
    at: timestamp,
    order: event.order,
    position: event.position,
    marketIdHash: event.marketIdHash,
    owner: event.owner,
    keeper: event.keeper,
    externalOrderId: event.externalOrderId,
    orderId: event.orderId,
    isBuy: isBuy ? 1 : 0,
    isYes: isYes ? 1 : 0,
    contracts: String(event.contracts),
    filledContracts: String(event.filledContracts),
    settledContracts: String(event.settledContracts),
    limitPrice: String(event.limitPrice),
    averageFillPrice: String(event.averageFillPrice),
    deposit: String(event.deposit),
    totalCost: String(event.totalCost),
    fee: String(event.fee),
    integratorFee: String(event.integratorFee),
    grossProceeds: String(event.grossProceeds),
    netProceeds: String(event.netProceeds),
    transferred: toText(transferred),
    realizedPnl: toText(realizedPnl),
    realizedPnlBeforeFees: toText(realizedPnlBeforeFees),
    payout: String(event.payout),
    rawStatus: event.rawStatus,
  };
}

/** Reads an event from its row. */
export function readHistoryRow(row: HistoryRow): PredictionHistoryEvent {
  return {
    id: row.number,
    eventType: row.eventType as PredictionEventType,
    signature: row.signature,
    slot: BigInt(row.slot),
    timestamp: row.at,
    order: row.order,
    position: row.position,
    marketIdHash: row.marketIdHash,
    owner: row.owner,
    keeper: row.keeper,
    externalOrderId: row.externalOrderId,
    orderId: row.orderId,
    isBuy: row.isBuy === 1,
    isYes: row.isYes === 1,
    contracts: BigInt(row.contracts),
    filledContracts: BigInt(row.filledContracts),
    settledContracts: BigInt(row.settledContracts),
    limitPrice: BigInt(row.limitPrice),
    averageFillPrice: BigInt(row.averageFillPrice),
    deposit: BigInt(row.deposit),
    totalCost: BigInt(row.totalCost),
    fee: BigInt(row.fee),
    integratorFee: BigInt(row.integratorFee),
    grossProceeds: BigInt(row.grossProceeds),
    netProceeds: BigInt(row.netProceeds),
    transferred: readAmount(row.transferred),
    realizedPnl: readAmount(row.realizedPnl),
    realizedPnlBeforeFees: readAmount(row.realizedPnlBeforeFees),
    payout: BigInt(row.payout),
    rawStatus: row.rawStatus,
  };
}

function toText(amount: bigint | null): string | null {
  return amount === null ? null : String(amount);
}

function readAmount(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}
