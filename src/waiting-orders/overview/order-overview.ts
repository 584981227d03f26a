import { and, desc, eq, inArray, isNotNull, lt, or, type SQL } from 'drizzle-orm';
import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import type { Database } from '../../store/index.ts';
import { orderTransactions, waitingOrders } from '../store/order-tables.ts';
import type { OrderState, OrderTransaction, WaitingOrder, WaitReason } from '../waiting-order.ts';

/** The states in which an order may have money in its account. */
export const STATES_WITH_MONEY = [
  'depositing',
  'open',
  'executing',
  'ready_to_cancel',
  'withdrawing',
  'expired',
] as const satisfies readonly OrderState[];

/** Which orders to list. Absent fields select everything, except `state`. */
export interface OrderListFilter {
  readonly wallet?: string;
  /** The mint of the input or of the output. */
  readonly mint?: string;
  /** Default: every state of `STATES_WITH_MONEY`. */
  readonly state?: OrderState;
  readonly waitsFor?: WaitReason;
}

/**
 * Lists the orders of all wallets, newest first.
 *
 * @param after - The id of the last order of the page before; null for the first page.
 * @param limit - The most orders.
 */
export async function listAllOrders(
  db: Database,
  { wallet, mint, state, waitsFor }: OrderListFilter,
  after: string | null,
  limit: number,
): Promise<readonly WaitingOrder[]> {
  const conditions: readonly (SQL | undefined)[] = [
    state === undefined ? hasState(STATES_WITH_MONEY) : eq(waitingOrders.state, state),
    wallet === undefined ? undefined : eq(waitingOrders.wallet, wallet),
    mint === undefined
      ? undefined
      : or(eq(waitingOrders.inputMint, mint), eq(waitingOrders.outputMint, mint)),
    // The index on the reason has only the orders that have one.
    waitsFor === undefined
      ? undefined
      : and(isNotNull(waitingOrders.waitsFor), eq(waitingOrders.waitsFor, waitsFor)),
    after === null ? undefined : lt(waitingOrders.id, after),
  ];
  const rows = await db
    .select()
    .from(waitingOrders)
    .where(and(...conditions))
    .orderBy(desc(waitingOrders.id))
    .limit(limit);
  return rows.map(toWaitingOrder);
}

/**
 * Lists the orders of a wallet that may have money in their account, newest first.
 *
 * @param limit - The most orders.
 */
export async function listOrdersWithMoney(
  db: Database,
  wallet: Address,
  limit: number,
): Promise<readonly WaitingOrder[]> {
  const rows = await db
    .select()
    .from(waitingOrders)
    .where(and(eq(waitingOrders.wallet, wallet), hasState(STATES_WITH_MONEY)))
    .orderBy(desc(waitingOrders.updatedAt), desc(waitingOrders.id))
    .limit(limit);
  return rows.map(toWaitingOrder);
}

/** An order with its newest transactions. */
export interface OrderDetails {
  readonly order: WaitingOrder;
  /** Newest first. */
  readonly transactions: readonly OrderTransaction[];
}

/**
 * Finds an order with its newest transactions. Returns null if there is no such order.
 *
 * @param limit - The most transactions, because an order that cannot be filled gets another one with each attempt.
 */
export async function findOrderDetails(
  db: Database,
  id: string,
  limit: number,
): Promise<OrderDetails | null> {
  const [row] = await db.select().from(waitingOrders).where(eq(waitingOrders.id, id));
  if (row === undefined) return null;
  const transactions = await db
    .select()
    .from(orderTransactions)
    .where(eq(orderTransactions.orderId, id))
    .orderBy(desc(orderTransactions.number))
    .limit(limit);
  return { order: toWaitingOrder(row), transactions: transactions.map(toOrderTransaction) };
}

function hasState(states: readonly OrderState[]): SQL {
  return inArray(waitingOrders.state, [...states]);
}

/** The rows are this program's own, so their values are those of the types. */
function toWaitingOrder(row: typeof waitingOrders.$inferSelect): WaitingOrder {
  return {
    ...row,
    wallet: row.wallet as Address,
    vault: row.vault as Address,
    account: row.account as Address,
    inputMint: row.inputMint as Address,
    outputMint: row.outputMint as Address,
    triggerMint: row.triggerMint as Address,
    condition: row.condition as WaitingOrder['condition'],
    slippageBps: row.slippageBps as Bps | null,
    inputAmount: BigInt(row.inputAmount),
    state: row.state as OrderState,
    remaining: BigInt(row.remaining),
    received: BigInt(row.received),
    waitsFor: row.waitsFor as WaitReason | null,
  };
}

function toOrderTransaction(row: typeof orderTransactions.$inferSelect): OrderTransaction {
  return {
    ...row,
    kind: row.kind as OrderTransaction['kind'],
    wire: new Uint8Array(Buffer.from(row.wire, 'base64')),
    lastValidBlockHeight: BigInt(row.lastValidBlockHeight),
    outcome: row.outcome as OrderTransaction['outcome'],
    inputAmount: BigInt(row.inputAmount),
    outputAmount: row.outputAmount === null ? null : BigInt(row.outputAmount),
  };
}
