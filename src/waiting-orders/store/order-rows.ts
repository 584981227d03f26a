import type { Address } from '../../solana/address.ts';
import { bps } from '../../solana/units.ts';
import type {
  OrderState,
  OrderTransaction,
  TriggerCondition,
  WaitingOrder,
  WaitReason,
} from '../waiting-order.ts';
import type { OrderCraft } from './order-craft.ts';
import type { craftedTransactions, orderTransactions, waitingOrders } from './order-tables.ts';

type OrderRow = typeof waitingOrders.$inferSelect;
type TransactionRow = typeof orderTransactions.$inferSelect;
type CraftRow = typeof craftedTransactions.$inferSelect;

/** Returns the row of an order. */
export function toOrderRow(network: string, order: WaitingOrder): OrderRow {
  return {
    ...toChangedColumns(order),
    id: order.id,
    network,
    depositRequestId: order.depositRequestId,
    wallet: order.wallet,
    vault: order.vault,
    account: order.account,
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    triggerMint: order.triggerMint,
    condition: order.condition,
    triggerPrice: order.triggerPrice,
    slippageBps: order.slippageBps,
    inputAmount: String(order.inputAmount),
    expiresAt: order.expiresAt,
    createdAt: order.createdAt,
  };
}

/** Returns the columns that change while an order waits. */
export function toChangedColumns(order: WaitingOrder) {
  return {
    state: order.state,
    revision: order.revision,
    transactions: order.transactions,
    remaining: String(order.remaining),
    received: String(order.received),
    triggeredAt: order.triggeredAt,
    expiredAt: order.expiredAt,
    updatedAt: order.updatedAt,
    leaseHolder: order.leaseHolder,
    leaseUntil: order.leaseUntil,
    failures: order.failures,
    retryAt: order.retryAt,
    waitsFor: order.waitsFor,
  } as const;
}

/** Reads an order from its row, which this program has written. */
export function readOrderRow(row: OrderRow): WaitingOrder {
  return {
    id: row.id,
    depositRequestId: row.depositRequestId,
    wallet: row.wallet as Address,
    vault: row.vault as Address,
    account: row.account as Address,
    inputMint: row.inputMint as Address,
    outputMint: row.outputMint as Address,
    triggerMint: row.triggerMint as Address,
    condition: row.condition as TriggerCondition,
    triggerPrice: row.triggerPrice,
    slippageBps: row.slippageBps === null ? null : bps(row.slippageBps),
    inputAmount: BigInt(row.inputAmount),
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    state: row.state as OrderState,
    revision: row.revision,
    transactions: row.transactions,
    remaining: BigInt(row.remaining),
    received: BigInt(row.received),
    triggeredAt: row.triggeredAt,
    expiredAt: row.expiredAt,
    updatedAt: row.updatedAt,
    leaseHolder: row.leaseHolder,
    leaseUntil: row.leaseUntil,
    failures: row.failures,
    retryAt: row.retryAt,
    waitsFor: row.waitsFor as WaitReason | null,
  };
}

/** Returns the row of a transaction of an order. */
export function toTransactionRow(transaction: OrderTransaction): TransactionRow {
  return {
    orderId: transaction.orderId,
    number: transaction.number,
    kind: transaction.kind,
    signature: transaction.signature,
    wire: toBase64(transaction.wire),
    lastValidBlockHeight: String(transaction.lastValidBlockHeight),
    outcome: transaction.outcome,
    inputAmount: String(transaction.inputAmount),
    outputAmount: transaction.outputAmount === null ? null : String(transaction.outputAmount),
    triggeredPrice: transaction.triggeredPrice,
    createdAt: transaction.createdAt,
    endedAt: transaction.endedAt,
  };
}

/** Reads a transaction of an order from its row. */
export function readTransactionRow(row: TransactionRow): OrderTransaction {
  return {
    orderId: row.orderId,
    number: row.number,
    kind: row.kind as OrderTransaction['kind'],
    signature: row.signature,
    wire: fromBase64(row.wire),
    lastValidBlockHeight: BigInt(row.lastValidBlockHeight),
    outcome: row.outcome as OrderTransaction['outcome'],
    inputAmount: BigInt(row.inputAmount),
    outputAmount: row.outputAmount === null ? null : BigInt(row.outputAmount),
    triggeredPrice: row.triggeredPrice,
    createdAt: row.createdAt,
    endedAt: row.endedAt,
  };
}

/** Returns the row of a crafted transaction. */
export function toCraftRow(network: string, craft: OrderCraft): CraftRow {
  return {
    requestId: craft.requestId,
    network,
    kind: craft.kind,
    wallet: craft.wallet,
    orderId: craft.orderId,
    message: toBase64(craft.messageBytes),
    lastValidBlockHeight: String(craft.lastValidBlockHeight),
    terms: craft.terms,
    createdAt: craft.createdAt,
    deleteAt: craft.deleteAt,
  };
}

/** Reads a crafted transaction from its row. */
export function readCraftRow(row: CraftRow): OrderCraft {
  return {
    requestId: row.requestId,
    kind: row.kind as OrderCraft['kind'],
    wallet: row.wallet as Address,
    orderId: row.orderId,
    messageBytes: fromBase64(row.message),
    lastValidBlockHeight: BigInt(row.lastValidBlockHeight),
    terms: row.terms,
    createdAt: row.createdAt,
    deleteAt: row.deleteAt,
  };
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Returns bytes of their own, because a `Buffer` may show a part of a larger one. */
function fromBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
