import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** The conditions of the partial indexes. Queries contain them in the same words: see `waiting-orders/store/order-tables.ts`. */
export const IS_OPEN_ROW = sql`state = 'open'`;
export const HAS_ENDED_ROW = sql`state <> 'open'`;

/** How far the events of a program were recorded. */
export const programOrderCursors = pgTable(
  'program_order_cursors',
  {
    /** The genesis hash of the network. */
    network: text('network').notNull(),
    program: text('program').notNull(),
    /** The last transaction whose events are recorded; null before the first. */
    signature: text('signature'),
    /** Its slot, or the one from which on the program is followed. */
    slot: bigint('slot', { mode: 'number' }).notNull(),
    /** How many orders have got a number. */
    orders: bigint('orders', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.program] })],
);

/** Orders that live or lived in programs. An order that is opened again at the same address is another one. */
export const programOrders = pgTable(
  'program_orders',
  {
    network: text('network').notNull(),
    program: text('program').notNull(),
    /** Orders of a program are counted in the order in which they were opened. */
    number: bigint('number', { mode: 'number' }).notNull(),
    address: text('address').notNull(),
    maker: text('maker').notNull(),
    inputMint: text('input_mint').notNull(),
    outputMint: text('output_mint').notNull(),
    state: text('state').notNull(),
    /** Unix second. */
    createdAt: bigint('created_at', { mode: 'number' }).notNull(),
    /** Unix second. */
    updatedAt: bigint('updated_at', { mode: 'number' }).notNull(),
    /** Empty for an order that no recorded transaction opened. */
    openSignature: text('open_signature').notNull(),
    closeSignature: text('close_signature'),
    /** How many trades were recorded. The newest one has this number. */
    trades: bigint('trades', { mode: 'number' }).notNull(),
    /** A u64 in decimal digits, like all amounts. Null in the other program's orders, like all columns of one program. */
    making: text('making'),
    taking: text('taking'),
    remainingMaking: text('remaining_making'),
    remainingTaking: text('remaining_taking'),
    slippageBps: bigint('slippage_bps', { mode: 'number' }),
    feeBps: bigint('fee_bps', { mode: 'number' }),
    /** An i64 in decimal digits, because a maker can choose any. */
    expiredAt: text('expired_at'),
    inDeposited: text('in_deposited'),
    inWithdrawn: text('in_withdrawn'),
    inUsed: text('in_used'),
    outReceived: text('out_received'),
    outWithdrawn: text('out_withdrawn'),
    inAmountPerCycle: text('in_amount_per_cycle'),
    /** An i64 in decimal digits. */
    cycleFrequency: text('cycle_frequency'),
    minOutAmount: text('min_out_amount'),
    maxOutAmount: text('max_out_amount'),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.program, table.number] }),
    // Of the orders of an address, only the last one can be open.
    uniqueIndex('program_orders_open').on(table.network, table.address).where(IS_OPEN_ROW),
    // It has all that is needed to count the orders of a maker that have ended, and to find a page of them.
    index('program_orders_history')
      .on(
        table.maker,
        table.network,
        table.program,
        table.updatedAt,
        table.number,
        table.inputMint,
        table.outputMint,
        table.state,
      )
      .where(HAS_ENDED_ROW),
    index('program_orders_ended').on(table.network, table.updatedAt).where(HAS_ENDED_ROW),
  ],
);

/** Fills of those orders. */
export const programOrderTrades = pgTable(
  'program_order_trades',
  {
    network: text('network').notNull(),
    program: text('program').notNull(),
    orderNumber: bigint('order_number', { mode: 'number' }).notNull(),
    /** From 1, in the order of execution. */
    number: bigint('number', { mode: 'number' }).notNull(),
    keeper: text('keeper').notNull(),
    inputAmount: text('input_amount').notNull(),
    /** Without the fee. */
    outputAmount: text('output_amount').notNull(),
    feeAmount: text('fee_amount').notNull(),
    signature: text('signature').notNull(),
    /** Unix second. */
    at: bigint('at', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.network, table.program, table.orderNumber, table.number] })],
);

export const PROGRAM_ORDER_TABLES: OwnedTables = defineTables({
  owner: 'program-orders',
  tables: [programOrderCursors, programOrders, programOrderTrades],
  migrations: {
    33: [
      `create table program_order_cursors (
      network text not null, program text not null, signature text, slot bigint not null, orders bigint not null,
      primary key (network, program))`,
      `create table program_orders (
      network text not null, program text not null, number bigint not null, address text not null, maker text not null,
      input_mint text not null, output_mint text not null, state text not null, created_at bigint not null,
      updated_at bigint not null, open_signature text not null, close_signature text, trades bigint not null, making text,
      taking text, remaining_making text, remaining_taking text, slippage_bps bigint, fee_bps bigint, expired_at text,
      in_deposited text, in_withdrawn text, in_used text, out_received text, out_withdrawn text,
      in_amount_per_cycle text, cycle_frequency text, min_out_amount text, max_out_amount text,
      primary key (network, program, number))`,
      "create unique index program_orders_open on program_orders (network, address) where state = 'open'",
      `create index program_orders_history on program_orders
      (maker, network, program, updated_at, number, input_mint, output_mint, state) where state <> 'open'`,
      "create index program_orders_ended on program_orders (network, updated_at) where state <> 'open'",
      `create table program_order_trades (
      network text not null, program text not null, order_number bigint not null, number bigint not null,
      keeper text not null, input_amount text not null, output_amount text not null, fee_amount text not null,
      signature text not null, at bigint not null, primary key (network, program, order_number, number))`,
    ],
  },
});
