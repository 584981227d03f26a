import { type Address, address } from '../../solana/address.ts';
import { isRecurring, ORDER_LEGS } from '../order-plan.ts';
import {
  NEVER,
  ORDER_STATES,
  type OrderTransaction,
  type OrderTransactionSummary,
  type RoundProgress,
  WAIT_REASONS,
  type WaitingOrder,
} from '../waiting-order.ts';
import type { OrderCraft } from './order-craft.ts';
import type { craftedTransactions, orderTransactions } from './order-tables.ts';
import { type OrderRow, readName, readPlan, toPlanColumns } from './plan-rows.ts';

type TransactionRow = typeof orderTransactions.$inferSelect;
type CraftRow = typeof craftedTransactions.$inferSelect;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const TRANSACTION_KINDS = ['deposit', 'fill', 'withdrawal'] as const satisfies OrderTransaction['kind'][];
const OUTCOMES = ['pending', 'success', 'failed', 'expired'] as const satisfies OrderTransaction['outcome'][];

/** Returns the row of an order. */
export function toOrderRow(network: string, order: WaitingOrder): OrderRow {
  const { watermark } = toPlanColumns(order.plan);
  return {
    ...toChangedColumns(order),
    watermark,
    id: order.id,
    network,
    depositRequestId: order.depositRequestId,
    wallet: order.wallet,
    vault: order.vault,
    account: order.account,
    inputMint: order.inputMint,
    outputMint: order.outputMint,
    inputAmount: String(order.inputAmount),
    createdAt: order.createdAt,
  };
}

/**
 * Returns the columns that change while an order waits. A watermark is not among them, because it moves without another revision:
 * whoever has read the order before would put it back.
 */
export function toChangedColumns(order: WaitingOrder) {
  const { watermark: _, ...plan } = toPlanColumns(order.plan);
  return {
    ...plan,
    expiresAt: order.expiresAt,
    state: order.state,
    revision: order.revision,
    transactions: order.transactions,
    remaining: String(order.remaining),
    received: String(order.received),
    bought: String(order.bought),
    unsold: String(order.unsold),
    filledBy: order.filledBy,
    roundsFilled: order.rounds?.filled ?? null,
    nextFillAt: order.rounds?.nextAt ?? null,
    lastFillAt: order.rounds?.lastAt ?? null,
    triggeredAt: order.triggeredAt,
    expiredAt: order.expiredAt,
    editedAt: order.editedAt,
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
  const { id } = row;
  if (!UUID.test(id)) throw new Error(`${JSON.stringify(id)} is not the id of an order`);
  const plan = readPlan(row);
  return {
    id,
    depositRequestId: row.depositRequestId,
    wallet: address(row.wallet),
    vault: address(row.vault),
    account: address(row.account),
    inputMint: address(row.inputMint),
    outputMint: address(row.outputMint),
    plan,
    inputAmount: readAtoms(row.inputAmount),
    expiresAt: readTime(row.expiresAt),
    createdAt: readTime(row.createdAt),
    state: readName(ORDER_STATES, row.state),
    revision: row.revision,
    transactions: row.transactions,
    remaining: readAtoms(row.remaining),
    received: readAtoms(row.received),
    bought: readAtoms(row.bought),
    unsold: readAtoms(row.unsold),
    filledBy: row.filledBy === null ? null : readName(ORDER_LEGS, row.filledBy),
    rounds: isRecurring(plan) ? readRounds(row) : null,
    triggeredAt: readTimeOrNull(row.triggeredAt),
    expiredAt: readTimeOrNull(row.expiredAt),
    editedAt: readTimeOrNull(row.editedAt),
    updatedAt: readTime(row.updatedAt),
    leaseHolder: row.leaseHolder,
    leaseUntil: readTime(row.leaseUntil),
    failures: row.failures,
    retryAt: readTime(row.retryAt),
    waitsFor: row.waitsFor === null ? null : readName(WAIT_REASONS, row.waitsFor),
  };
}

function readRounds({ id, roundsFilled, nextFillAt, lastFillAt }: OrderRow): RoundProgress {
  if (roundsFilled === null || nextFillAt === null) {
    throw new Error(`the order ${id} has no progress of its rounds`);
  }
  return { filled: roundsFilled, nextAt: readTime(nextFillAt), lastAt: readTimeOrNull(lastFillAt) };
}

/** Reads Unix milliseconds. No answer and no log could show a time that a `Date` cannot hold. */
function readTime(at: number): number {
  if (Math.abs(at) <= NEVER) return at;
  throw new Error(`${at} is not a time`);
}

function readTimeOrNull(at: number | null): number | null {
  return at === null ? null : readTime(at);
}

/** Reads the digits of a u64. A larger number than that is refused where it is used. */
function readAtoms(text: string): bigint {
  if (!/^\d{1,20}$/.test(text)) throw new Error(`${JSON.stringify(text)} is not an amount`);
  return BigInt(text);
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
    held: transaction.held === null ? null : String(transaction.held),
    outputAmount: transaction.outputAmount === null ? null : String(transaction.outputAmount),
    triggeredPrice: transaction.triggeredPrice,
    leg: transaction.leg,
    round: transaction.round,
    createdAt: transaction.createdAt,
    endedAt: transaction.endedAt,
  };
}

/**
 * Reads a transaction of an order from its row.
 *
 * @throws Error when the row is not as this program writes it
 */
export function readTransactionRow(row: TransactionRow): OrderTransaction {
  return {
    ...readTransactionSummary(row),
    wire: fromBase64(row.wire),
    lastValidBlockHeight: readAtoms(row.lastValidBlockHeight),
  };
}

/**
 * Reads a transaction without its bytes.
 *
 * @throws Error when the row is not as this program writes it
 */
export function readTransactionSummary(
  row: Omit<TransactionRow, 'wire' | 'lastValidBlockHeight'>,
): OrderTransactionSummary {
  return {
    orderId: row.orderId,
    number: row.number,
    kind: readName(TRANSACTION_KINDS, row.kind),
    signature: row.signature,
    outcome: readName(OUTCOMES, row.outcome),
    inputAmount: readAtoms(row.inputAmount),
    held: row.held === null ? null : readAtoms(row.held),
    outputAmount: row.outputAmount === null ? null : readAtoms(row.outputAmount),
    triggeredPrice: row.triggeredPrice,
    leg: row.leg === null ? null : readName(ORDER_LEGS, row.leg),
    round: row.round,
    createdAt: readTime(row.createdAt),
    endedAt: readTimeOrNull(row.endedAt),
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
