import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { defineTables, type OwnedTables } from '../../store/schema/owned-tables.ts';

/** The condition of the partial index. Queries contain it in the same words: see `waiting-orders/store/order-tables.ts`. */
export const IS_OF_ORDER_ROW = sql`order_address <> ''`;

/** The condition of another partial index, which `totals/total-tables.ts` creates. */
export const IS_FILL_ROW = sql`event_type = 'order_filled'`;

/** How far the events of programs were recorded. */
export const predictionCursors = pgTable('prediction_cursors', {
  /** The genesis hash of the network for the program of orders. For another program, its name follows after a space. */
  network: text('network').primaryKey(),
  /** The last transaction whose events are recorded; null before the first. */
  signature: text('signature'),
  /** Its slot, or the one from which on the program is followed. */
  slot: bigint('slot', { mode: 'number' }).notNull(),
  /** How many events of all programs have got a number. It is counted in the row of the program of orders. */
  entries: bigint('entries', { mode: 'number' }).notNull(),
});

/** Events of programs that landed. Amounts, contracts and prices are integers in decimal digits; times are Unix seconds. */
export const predictionHistory = pgTable(
  'prediction_history',
  {
    network: text('network').notNull(),
    /** From 1, without a gap, in the order in which the events landed. */
    number: bigint('number', { mode: 'number' }).notNull(),
    eventType: text('event_type').notNull(),
    signature: text('signature').notNull(),
    slot: bigint('slot', { mode: 'number' }).notNull(),
    at: bigint('at', { mode: 'number' }).notNull(),
    /** Empty for an event of a position alone. */
    order: text('order_address').notNull(),
    position: text('position').notNull(),
    marketIdHash: text('market_id_hash').notNull(),
    owner: text('owner').notNull(),
    keeper: text('keeper').notNull(),
    externalOrderId: text('external_order_id').notNull(),
    orderId: text('order_id').notNull(),
    /** 1 or 0, as the next one is. */
    isBuy: integer('is_buy').notNull(),
    isYes: integer('is_yes').notNull(),
    contracts: text('contracts').notNull(),
    filledContracts: text('filled_contracts').notNull(),
    settledContracts: text('settled_contracts').notNull(),
    limitPrice: text('limit_price').notNull(),
    averageFillPrice: text('average_fill_price').notNull(),
    deposit: text('deposit').notNull(),
    totalCost: text('total_cost').notNull(),
    fee: text('fee').notNull(),
    integratorFee: text('integrator_fee').notNull(),
    grossProceeds: text('gross_proceeds').notNull(),
    netProceeds: text('net_proceeds').notNull(),
    transferred: text('transferred'),
    realizedPnl: text('realized_pnl'),
    realizedPnlBeforeFees: text('realized_pnl_before_fees'),
    payout: text('payout').notNull(),
    rawStatus: text('raw_status').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.number] }),
    index('prediction_history_owner').on(table.network, table.owner, table.number),
    index('prediction_history_position').on(table.network, table.position, table.number),
    index('prediction_history_order').on(table.network, table.order, table.number).where(IS_OF_ORDER_ROW),
    index('prediction_history_fills').on(table.network, table.number).where(IS_FILL_ROW),
  ],
);

/** What was traded on a market in an hour. */
export const predictionVolumes = pgTable(
  'prediction_volumes',
  {
    network: text('network').notNull(),
    marketIdHash: text('market_id_hash').notNull(),
    /** Hours since 1970, or 0 for the sum of all hours. */
    hour: bigint('hour', { mode: 'number' }).notNull(),
    /** Micro USD in decimal digits. */
    amount: text('amount').notNull(),
    /** The number of the last event that it counts. */
    number: bigint('number', { mode: 'number' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.network, table.marketIdHash, table.hour] }),
    index('prediction_volumes_number').on(table.network, table.number),
    index('prediction_volumes_hour').on(table.network, table.hour),
  ],
);

export const PREDICTION_HISTORY_TABLES: OwnedTables = defineTables({
  owner: 'predictions',
  tables: [predictionCursors, predictionHistory, predictionVolumes],
  migrations: {
    39: [
      `create table prediction_cursors (
      network text not null primary key, signature text, slot bigint not null, entries bigint not null)`,
      `create table prediction_history (
      network text not null, number bigint not null, event_type text not null, signature text not null,
      slot bigint not null, at bigint not null, order_address text not null, position text not null,
      market_id_hash text not null, owner text not null, keeper text not null, external_order_id text not null,
      order_id text not null, is_buy integer not null, is_yes integer not null, contracts text not null,
      filled_contracts text not null, settled_contracts text not null, limit_price text not null,
      average_fill_price text not null, deposit text not null, total_cost text not null, fee text not null,
      integrator_fee text not null, gross_proceeds text not null, net_proceeds text not null, transferred text,
      realized_pnl text, realized_pnl_before_fees text, payout text not null, raw_status text not null,
      primary key (network, number))`,
      'create index prediction_history_owner on prediction_history (network, owner, number)',
      'create index prediction_history_position on prediction_history (network, position, number)',
      "create index prediction_history_order on prediction_history (network, order_address, number) where order_address <> ''",
      `create table prediction_volumes (
      network text not null, market_id_hash text not null, hour bigint not null, amount text not null,
      number bigint not null, primary key (network, market_id_hash, hour))`,
      'create index prediction_volumes_number on prediction_volumes (network, number)',
      'create index prediction_volumes_hour on prediction_volumes (network, hour)',
    ],
  },
});
