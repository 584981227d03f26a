import { type Address, address } from '../../solana/address.ts';
import { bps } from '../../solana/units.ts';
import {
  ORDER_STATES,
  type OrderTransaction,
  TRIGGER_CONDITIONS,
  WAIT_REASONS,
  type WaitingOrder,
} from '../waiting-order.ts';
import type { OrderCraft } from './order-craft.ts';
import type { craftedTransactions, orderTransactions, waitingOrders } from './order-tables.ts';

export type OrderRow = typeof waitingOrders.$inferSelect;
type TransactionRow = typeof orderTransactions.$inferSelect;
type CraftRow = typeof craftedTransactions.$inferSelect;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

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

/**
 * Reads an order from its row.
 *
 * @throws Error when the row is not as this program writes it: somebody else has changed it, or a newer version has
 */
export function readOrderRow(row: OrderRow): WaitingOrder {
  const { id, triggerPrice } = row;
  if (!UUID.test(id)) throw new Error(`${JSON.stringify(id)} is not the id of an order`);
  if (!(triggerPrice > 0 && triggerPrice < Infinity)) {
    throw new Error(`the trigger price of the order ${id} is ${triggerPrice}`);
  }
  return {
    id,
    depositRequestId: row.depositRequestId,
    wallet: address(row.wallet),
    vault: address(row.vault),
    account: address(row.account),
    inputMint: address(row.inputMint),
    outputMint: address(row.outputMint),
    triggerMint: address(row.triggerMint),
    condition: readName(TRIGGER_CONDITIONS, row.condition),
    triggerPrice,
    slippageBps: row.slippageBps === null ? null : bps(row.slippageBps),
    inputAmount: readAtoms(row.inputAmount),
    expiresAt: row.expiresAt,
    createdAt: row.createdAt,
    state: readName(ORDER_STATES, row.state),
    revision: row.revision,
    transactions: row.transactions,
    remaining: readAtoms(row.remaining),
    received: readAtoms(row.received),
    triggeredAt: row.triggeredAt,
    expiredAt: row.expiredAt,
    updatedAt: row.updatedAt,
    leaseHolder: row.leaseHolder,
    leaseUntil: row.leaseUntil,
    failures: row.failures,
    retryAt: row.retryAt,
    waitsFor: row.waitsFor === null ? null : readName(WAIT_REASONS, row.waitsFor),
  };
}

/** Reads the digits of a u64. A larger number than that is refused where it is used. */
function readAtoms(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw new Error(`${JSON.stringify(text)} is not an amount`);
  return BigInt(text);
}

function readName<Name extends string>(names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new Error(`${JSON.stringify(text)} is none of ${names.join(', ')}`);
  return found;
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
