import { sql } from 'drizzle-orm';
import { bigint, doublePrecision, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../store/schema/columns.ts';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/**
 * The conditions of the partial indexes. Queries contain them in the same words, because a database only uses such an index if it
 * sees that the index has all rows that are asked for.
 */
export const IS_OPEN = sql`state = 'open'`;
export const IS_UNFINISHED = sql`state in ('depositing', 'executing', 'withdrawing')`;
export const HAS_ENDED = sql`state in ('fill_success', 'cancelled', 'deposit_failed')`;

/** Orders that wait for their price, and those that have ended. */
export const waitingOrders = pgTable(
  'waiting_orders',
  {
    id: text('id').primaryKey(),
    /** The genesis hash of the network, because an order means nothing on another one. */
    network: text('network').notNull(),
    depositRequestId: text('deposit_request_id').notNull().unique(),
    wallet: text('wallet').notNull(),
    vault: text('vault').notNull(),
    account: text('account').notNull(),
    inputMint: text('input_mint').notNull(),
    outputMint: text('output_mint').notNull(),
    triggerMint: text('trigger_mint').notNull(),
    condition: text('condition').notNull(),
    triggerPrice: doublePrecision('trigger_price').notNull(),
    slippageBps: bigint('slippage_bps', { mode: 'number' }),
    /** A u64 in decimal digits, like all amounts. */
    inputAmount: text('input_amount').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: time('created_at').notNull(),
    state: text('state').notNull(),
    /** Counts the changes. A write that expects another one is refused. */
    revision: bigint('revision', { mode: 'number' }).notNull(),
    /** How many transactions were recorded for the order. The newest one has this number. */
    transactions: bigint('transactions', { mode: 'number' }).notNull(),
    remaining: text('remaining').notNull(),
    received: text('received').notNull(),
    triggeredAt: time('triggered_at'),
    expiredAt: time('expired_at'),
    updatedAt: time('updated_at').notNull(),
    leaseHolder: text('lease_holder'),
    leaseUntil: time('lease_until').notNull(),
    failures: bigint('failures', { mode: 'number' }).notNull(),
    retryAt: time('retry_at').notNull(),
    waitsFor: text('waits_for'),
  },
  (table) => [
    index('waiting_orders_wallet').on(table.wallet, table.updatedAt),
    index('waiting_orders_updated').on(table.updatedAt, table.id),
    // A keeper loads all open orders, and looks for those that expire.
    index('waiting_orders_open').on(table.id).where(IS_OPEN),
    index('waiting_orders_expiring').on(table.expiresAt).where(IS_OPEN),
    index('waiting_orders_unfinished').on(table.leaseUntil).where(IS_UNFINISHED),
    // The operator looks for the orders that cannot be filled.
    index('waiting_orders_put_off').on(table.waitsFor, table.id).where(sql`waits_for is not null`),
    index('waiting_orders_ended').on(table.updatedAt).where(HAS_ENDED),
  ],
);

/** The transactions of orders: deposits, fills and withdrawals. */
export const orderTransactions = pgTable(
  'order_transactions',
  {
    orderId: text('order_id').notNull(),
    number: bigint('number', { mode: 'number' }).notNull(),
    kind: text('kind').notNull(),
    signature: text('signature').notNull(),
    /** The fully signed transaction, in base64. */
    wire: text('wire').notNull(),
    lastValidBlockHeight: text('last_valid_block_height').notNull(),
    outcome: text('outcome').notNull(),
    inputAmount: text('input_amount').notNull(),
    outputAmount: text('output_amount'),
    triggeredPrice: doublePrecision('triggered_price'),
    createdAt: time('created_at').notNull(),
    endedAt: time('ended_at'),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.number] })],
);

/** Transactions that were handed out for a deposit or a withdrawal, and wait for the wallet's signature. */
export const craftedTransactions = pgTable(
  'crafted_transactions',
  {
    requestId: text('request_id').primaryKey(),
    network: text('network').notNull(),
    kind: text('kind').notNull(),
    wallet: text('wallet').notNull(),
    /** The order that a withdrawal belongs to; null for a deposit. */
    orderId: text('order_id'),
    /** The only message that may be signed under this id, in base64. */
    message: text('message').notNull(),
    lastValidBlockHeight: text('last_valid_block_height').notNull(),
    /** What the transaction does, as JSON. */
    terms: text('terms').notNull(),
    createdAt: time('created_at').notNull(),
    /** Unix milliseconds from which on it may be deleted. */
    deleteAt: time('delete_at').notNull(),
  },
  (table) => [
    index('crafted_transactions_wallet').on(table.wallet, table.createdAt),
    index('crafted_transactions_delete').on(table.deleteAt),
  ],
);

/** The lamports that fills cost the gas wallet in a day. An empty `wallet` stands for all wallets together. */
export const gasSpent = pgTable(
  'gas_spent',
  {
    payer: text('payer').notNull(),
    wallet: text('wallet').notNull(),
    /** The day, counted from the Unix epoch. */
    day: bigint('day', { mode: 'number' }).notNull(),
    lamports: bigint('lamports', { mode: 'bigint' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.payer, table.wallet, table.day] })],
);

export const ORDER_TABLES: OwnedTables = defineTables({
  owner: 'waiting-orders',
  tables: [waitingOrders, orderTransactions, craftedTransactions, gasSpent],
  migrations: {
    29: [
      `create table waiting_orders (
      id text primary key, network text not null, deposit_request_id text not null unique, wallet text not null,
      vault text not null, account text not null, input_mint text not null, output_mint text not null,
      trigger_mint text not null, condition text not null, trigger_price double precision not null, slippage_bps bigint,
      input_amount text not null, expires_at bigint not null, created_at bigint not null, state text not null,
      revision bigint not null, transactions bigint not null, remaining text not null, received text not null,
      triggered_at bigint, expired_at bigint, updated_at bigint not null, lease_holder text, lease_until bigint not null,
      failures bigint not null, retry_at bigint not null, waits_for text)`,
      'create index waiting_orders_wallet on waiting_orders (wallet, updated_at)',
      'create index waiting_orders_updated on waiting_orders (updated_at, id)',
      "create index waiting_orders_open on waiting_orders (id) where state = 'open'",
      "create index waiting_orders_expiring on waiting_orders (expires_at) where state = 'open'",
      `create index waiting_orders_unfinished on waiting_orders (lease_until)
      where state in ('depositing', 'executing', 'withdrawing')`,
      'create index waiting_orders_put_off on waiting_orders (waits_for, id) where waits_for is not null',
      `create index waiting_orders_ended on waiting_orders (updated_at)
      where state in ('fill_success', 'cancelled', 'deposit_failed')`,
      `create table order_transactions (
      order_id text not null, number bigint not null, kind text not null, signature text not null,
      wire text not null, last_valid_block_height text not null, outcome text not null, input_amount text not null,
      output_amount text, triggered_price double precision, created_at bigint not null, ended_at bigint,
      primary key (order_id, number))`,
      `create table crafted_transactions (
      request_id text primary key, network text not null, kind text not null, wallet text not null, order_id text,
      message text not null, last_valid_block_height text not null, terms text not null, created_at bigint not null,
      delete_at bigint not null)`,
      'create index crafted_transactions_wallet on crafted_transactions (wallet, created_at)',
      'create index crafted_transactions_delete on crafted_transactions (delete_at)',
      `create table gas_spent (
      payer text not null, wallet text not null, day bigint not null, lamports bigint not null,
      primary key (payer, wallet, day))`,
      "insert into meta (name, value) values ('gas_spent', '0'), ('waiting_orders', '0')",
    ],
  },
});
