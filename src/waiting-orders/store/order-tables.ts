import { type SQL, sql } from 'drizzle-orm';
import { bigint, doublePrecision, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { time } from '../../store/schema/columns.ts';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';
import type { OrderFamily } from '../order-plan.ts';

/**
 * The conditions of the partial indexes. Queries contain them in the same words, because a database only uses such an index if it
 * sees that the index has all rows that are asked for.
 */
export const IS_OPEN = sql`state = 'open'`;
export const IS_UNFINISHED = sql`state in ('depositing', 'executing', 'withdrawing')`;
export const IS_TRAILING = sql`state = 'open' and trailing_bps is not null`;
export const HAS_ENDED = sql`state in ('fill_success', 'cancelled', 'deposit_failed')`;

const IS_RECURRING = sql`kind in ('time_based', 'price_conditional')`;

/** Selects the orders of a family. */
export function isOfFamily(family: OrderFamily): SQL {
  return family === 'recurring' ? IS_RECURRING : sql`kind in ('single', 'oco', 'otoco')`;
}

/** Orders that wait for their price or time, and those that have ended. */
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
    kind: text('kind').notNull(),
    /** Null in plans that do not have it, like all columns of plans. */
    triggerMint: text('trigger_mint'),
    condition: text('condition'),
    /** Null for a trailing order too, which has a watermark instead. */
    triggerPrice: doublePrecision('trigger_price'),
    slippageBps: bigint('slippage_bps', { mode: 'number' }),
    trailingBps: bigint('trailing_bps', { mode: 'number' }),
    /** It only moves in the wallet's favour, and is written without another revision. */
    watermark: doublePrecision('watermark'),
    takeProfitPrice: doublePrecision('take_profit_price'),
    takeProfitSlippageBps: bigint('take_profit_slippage_bps', { mode: 'number' }),
    stopLossPrice: doublePrecision('stop_loss_price'),
    stopLossSlippageBps: bigint('stop_loss_slippage_bps', { mode: 'number' }),
    outputAccount: text('output_account'),
    roundCount: bigint('round_count', { mode: 'number' }),
    intervalMs: bigint('interval_ms', { mode: 'number' }),
    beginAt: time('begin_at'),
    minPrice: doublePrecision('min_price'),
    maxPrice: doublePrecision('max_price'),
    earnMint: text('earn_mint'),
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
    bought: text('bought').notNull(),
    unsold: text('unsold').notNull(),
    filledBy: text('filled_by'),
    roundsFilled: bigint('rounds_filled', { mode: 'number' }),
    nextFillAt: time('next_fill_at'),
    lastFillAt: time('last_fill_at'),
    triggeredAt: time('triggered_at'),
    expiredAt: time('expired_at'),
    editedAt: time('edited_at'),
    updatedAt: time('updated_at').notNull(),
    leaseHolder: text('lease_holder'),
    leaseUntil: time('lease_until').notNull(),
    failures: bigint('failures', { mode: 'number' }).notNull(),
    retryAt: time('retry_at').notNull(),
    waitsFor: text('waits_for'),
  },
  (table) => [
    // It has all that is needed to count the orders of a wallet, and to find a page of them in each order.
    index('waiting_orders_history').on(
      table.wallet,
      table.network,
      table.updatedAt,
      table.id,
      table.kind,
      table.state,
      table.createdAt,
      table.expiresAt,
      table.nextFillAt,
    ),
    index('waiting_orders_updated').on(table.updatedAt, table.id),
    // A keeper loads all open orders, and looks for those that expire.
    index('waiting_orders_open').on(table.id).where(IS_OPEN),
    index('waiting_orders_expiring').on(table.expiresAt).where(IS_OPEN),
    index('waiting_orders_trailing')
      .on(table.triggerMint, table.condition, table.watermark)
      .where(IS_TRAILING),
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
    held: text('held'),
    outputAmount: text('output_amount'),
    triggeredPrice: doublePrecision('triggered_price'),
    leg: text('leg'),
    round: bigint('round', { mode: 'number' }),
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
    31: [
      "alter table waiting_orders add column kind text not null default 'single'",
      // No database of the two drops a constraint of a column in the same words, so the columns are replaced.
      ...relax('waiting_orders', 'trigger_mint', 'text'),
      ...relax('waiting_orders', 'condition', 'text'),
      ...relax('waiting_orders', 'trigger_price', 'double precision'),
      ...addColumns('waiting_orders', [
        'trailing_bps bigint',
        'watermark double precision',
        'take_profit_price double precision',
        'take_profit_slippage_bps bigint',
        'stop_loss_price double precision',
        'stop_loss_slippage_bps bigint',
        'output_account text',
        'round_count bigint',
        'interval_ms bigint',
        'begin_at bigint',
        'min_price double precision',
        'max_price double precision',
        'earn_mint text',
        "bought text not null default '0'",
        "unsold text not null default '0'",
        'filled_by text',
        'rounds_filled bigint',
        'next_fill_at bigint',
        'last_fill_at bigint',
        'edited_at bigint',
      ]),
      ...addColumns('order_transactions', ['leg text', 'round bigint']),
      'drop index waiting_orders_wallet',
      `create index waiting_orders_history on waiting_orders
      (wallet, network, updated_at, id, kind, state, created_at, expires_at, next_fill_at)`,
      `create index waiting_orders_trailing on waiting_orders (trigger_mint, condition, watermark)
      where state = 'open' and trailing_bps is not null`,
      "update order_transactions set leg = 'single' where kind = 'fill'",
      "update waiting_orders set filled_by = 'single' where triggered_at is not null",
    ],
    32: addColumns('order_transactions', ['held text']),
  },
});

/** Returns the statements that let a column be null. */
function relax(table: string, column: string, type: string): readonly string[] {
  return [
    `alter table ${table} add column relaxed_${column} ${type}`,
    `update ${table} set relaxed_${column} = ${column}`,
    `alter table ${table} drop column ${column}`,
    `alter table ${table} rename column relaxed_${column} to ${column}`,
  ];
}

function addColumns(table: string, columns: readonly string[]): readonly string[] {
  return columns.map((column) => `alter table ${table} add column ${column}`);
}
